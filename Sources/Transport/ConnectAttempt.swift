internal import CLinux
internal import Glibc

/// One attempt to connect, from the name to the finished handshake.
///
/// Kept alive by whatever it waits for; on its loop's thread only. Ends once: by success, failure, its deadline or
/// `cancel`.
package final class ConnectAttempt {
  private let loop: EventLoop
  private let host: String
  private let security: Channel.Security
  private let maximumOutput: Int
  private var completion: ((Result<Channel, TransportError>) -> Void)?
  private var deadline = MonotonicTime(nanoseconds: 0)
  private var timer: LoopTimer?
  private var remaining: [SocketAddress] = []
  private var pending: PendingSocket?
  private var lastError: TransportError?

  init(
    loop: EventLoop, host: String, security: Channel.Security, maximumOutput: Int,
    completion: @escaping (Result<Channel, TransportError>) -> Void
  ) {
    self.loop = loop
    self.host = host
    self.security = security
    self.maximumOutput = maximumOutput
    self.completion = completion
  }

  /// The completion is told `cancelled`, unless it has been called already.
  package func cancel() { end(.failure(TransportError(.cancelled))) }

  func begin(port: UInt16, within timeout: Duration, resolver: Resolver) {
    deadline = MonotonicTime.current() + timeout
    timer = loop.schedule(after: timeout) { self.end(.failure(TransportError(.deadlineExceeded, self.host))) }
    guard timer?.isPending == true else { return end(.failure(TransportError(.loopStopped))) }
    if let address = SocketAddress(numeric: host, port: port) {
      remaining = [address]
      return tryNext()
    }
    let bound = LoopBound(self, loop: loop)
    resolver.resolve(host, port: port) { [loop] result in
      loop.execute { bound.value.resolved(result) }
    }
  }

  private func resolved(_ result: Result<[SocketAddress], TransportError>) {
    guard completion != nil else { return }
    switch result {
    case .failure(let error): end(.failure(error))
    case .success(let addresses):
      remaining = addresses
      tryNext()
    }
  }

  private func tryNext() {
    guard completion != nil else { return }
    guard !remaining.isEmpty else {
      return end(.failure(lastError ?? TransportError(.nameNotResolved, host)))
    }
    // A silent first address must not use up the time of the others.
    let share = deadline.since(MonotonicTime.current()) / remaining.count
    let address = remaining.removeFirst()
    let pending = PendingSocket(loop: loop, address: address) { [self] result in
      self.pending = nil
      connected(result)
    }
    self.pending = pending
    pending.begin(within: share)
  }

  private func connected(_ result: Result<PendingSocket.Connected, TransportError>) {
    switch result {
    case .failure(let error):
      lastError = error
      tryNext()
    case .success(let connected):
      let left = deadline.since(MonotonicTime.current())
      Channel.establish(
        on: loop, taking: connected.takeSocket(), security: security,
        configuration: Channel.Configuration(maximumOutput: maximumOutput, handshakeTimeout: left)
      ) { [self] result in
        established(result)
      }
    }
  }

  private func established(_ result: Result<Channel, TransportError>) {
    if case .failure(let error) = result, error.code == .connectionReset, !remaining.isEmpty {
      lastError = error
      return tryNext()
    }
    end(result)
  }

  private func end(_ result: Result<Channel, TransportError>) {
    timer?.cancel()
    timer = nil
    pending?.cancel()
    pending = nil
    let completion = completion.take()
    completion?(result)
  }
}
