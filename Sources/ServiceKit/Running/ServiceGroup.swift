/// Starts services in order, runs them until a signal comes or one fails, and stops them in the reverse order.
///
/// Made and run once, by a command.
package struct ServiceGroup: Sendable {
  package enum End: Sendable, Hashable {
    /// Everything ended as it should.
    case clean
    /// Asked to stop, but something under way was abandoned.
    case abandonedWork
    /// A service could not start or failed while running.
    case failed(service: String, reason: String)
  }

  private let services: [any Service]
  private let log: Log

  package init(_ services: [any Service], log: Log) {
    self.services = services
    self.log = log
  }

  /// `ready` is called when all have started; `stop` returns when they are to stop.
  package func run(until stop: @escaping @Sendable () async -> Void, ready: @Sendable () async -> Void = {}) async
    -> End
  {
    var started: [any Service] = []
    var failure: End?
    for service in services {
      do {
        try await service.start()
        started.append(service)
        log.debug("service.started", ["service": .text(service.name)])
      } catch {
        log.error("service.start_failed", ["service": .text(service.name), "reason": .text("\(error)")])
        failure = .failed(service: service.name, reason: "\(error)")
        break
      }
    }
    if failure == nil {
      await ready()
      failure = await firstEnd(of: started, or: stop)
    }
    var isClean = true
    for service in started.reversed() where await !service.stop() {
      log.error("service.abandoned_work", ["service": .text(service.name)])
      isClean = false
    }
    return failure ?? (isClean ? .clean : .abandonedWork)
  }

  /// `nil` when `stop` returned first. Nobody is waited for: many services end only by being stopped, which comes next.
  private func firstEnd(of services: [any Service], or stop: @escaping @Sendable () async -> Void) async -> End? {
    let (ends, post) = AsyncStream.makeStream(of: End?.self)
    var tasks = [
      Task {
        await stop()
        post.yield(nil)
      }
    ]
    for service in services {
      tasks.append(
        Task {
          do {
            try await service.run()
            post.yield(.failed(service: service.name, reason: "it ended by itself"))
          } catch {
            post.yield(.failed(service: service.name, reason: "\(error)"))
          }
        })
    }
    var iterator = ends.makeAsyncIterator()
    let first = await iterator.next() ?? nil
    for task in tasks { task.cancel() }
    if case .failed(let service, let reason) = first {
      log.error("service.failed", ["service": .text(service), "reason": .text(reason)])
    }
    return first
  }
}
