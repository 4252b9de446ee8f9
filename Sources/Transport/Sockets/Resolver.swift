internal import CLinux
internal import Glibc
internal import ServiceKit

/// Looks host names up with the system's resolver, which blocks, on threads of its own; nothing is cached, so that each
/// new connection sees the current answer.
///
/// Shared by connectors, usable from any thread. Threads are started on demand, up to a bound, and end when nothing
/// waits, so there is nothing to shut down.
package final class Resolver: Sendable {
  private struct Request: Sendable {
    let host: String
    let port: UInt16
    let completion: @Sendable (Result<[SocketAddress], TransportError>) -> Void
  }

  private struct State {
    var waiting: [Request] = []
    var threads = 0
  }

  private let state = Lock(State())
  private let maximumThreads: Int
  private let maximumWaiting: Int

  package init(maximumThreads: Int = 4, maximumWaiting: Int = 256) {
    precondition(maximumThreads > 0 && maximumWaiting > 0)
    self.maximumThreads = maximumThreads
    self.maximumWaiting = maximumWaiting
  }

  /// `completion` is called exactly once, on one of the resolver's threads, or at once if the request is refused
  /// (`resolverBusy`). The wait has no deadline of its own; the caller stops listening.
  package func resolve(
    _ host: String, port: UInt16,
    completion: @escaping @Sendable (Result<[SocketAddress], TransportError>) -> Void
  ) {
    enum Decision { case queued, startThread, refused }
    let decision: Decision = state.withLock { state in
      guard state.waiting.count < maximumWaiting else { return .refused }
      state.waiting.append(Request(host: host, port: port, completion: completion))
      guard state.threads < maximumThreads else { return .queued }
      state.threads += 1
      return .startThread
    }
    switch decision {
    case .queued: break
    case .refused: completion(.failure(TransportError(.resolverBusy)))
    case .startThread: startThread()
    }
  }

  private func startThread() {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let status = pthread_create(
      &thread, nil,
      { context in
        // Retained by `startThread`, released here, once.
        Unmanaged<Resolver>.fromOpaque(context.unsafelyUnwrapped).takeRetainedValue().serve()
        return nil
      }, context.toOpaque())
    guard status == 0 else {
      context.release()
      return failAll()
    }
    pthread_detach(thread)
  }

  private func failAll() {
    let refused = state.withLock { state in
      state.threads -= 1
      defer { state.waiting = [] }
      return state.waiting
    }
    for request in refused { request.completion(.failure(TransportError(.resolverBusy, "no thread left"))) }
  }

  private func serve() {
    while true {
      let next: Request? = state.withLock { state in
        guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
        state.threads -= 1
        return nil
      }
      guard let next else { return }
      next.completion(Self.lookUp(next.host, port: next.port))
    }
  }

  private static func lookUp(_ host: String, port: UInt16) -> Result<[SocketAddress], TransportError> {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_ADDRCONFIG
    var head: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &head)
    guard status == 0, let head else {
      return .failure(TransportError(.nameNotResolved, "\(host): \(String(cString: gai_strerror(status)))"))
    }
    defer { freeaddrinfo(head) }
    let addresses = sequence(first: head, next: { $0.pointee.ai_next })
      .compactMap { $0.pointee.ai_addr.flatMap { SocketAddress(copying: $0) } }
    return addresses.isEmpty ? .failure(TransportError(.nameNotResolved, host)) : .success(addresses)
  }
}
