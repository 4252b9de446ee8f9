internal import Glibc
internal import ServiceKit
package import Transport

/// A raw TCP connection for tests of HTTP servers: sends any bytes, right or wrong, and reads whole HTTP/1 answers.
///
/// Owned by one test, which uses it from one task at a time. Its blocking calls run on threads of their own. Every wait
/// ends after ten seconds with `Failure.timeout`. The socket is closed with the last reference or by `close()`.
package final class HTTPTestClient: Sendable {
  package enum Failure: Error, Hashable, Sendable {
    case connect, send, timeout
    /// The connection ended in the middle of an answer, or before it.
    case ended
    case malformedAnswer
  }

  private static let pool = BlockingPool(threads: 32, maximumWaiting: 4_096)
  private static let patience = timeval(tv_sec: 10, tv_usec: 0)

  private struct State {
    var socket: Int32
    var input: [UInt8] = []
  }

  private let state: Lock<State>

  private init(socket: Int32) { state = Lock(State(socket: socket)) }

  deinit { close() }

  package static func connect(to address: SocketAddress) async throws -> HTTPTestClient {
    let port = address.port
    return try await pool.run {
      let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var target = sockaddr_in()
      target.sin_family = sa_family_t(AF_INET)
      target.sin_port = port.bigEndian
      target.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      var patience = patience
      setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
      setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
      var noDelay: Int32 = 1
      setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, 4)
      let status = withUnsafePointer(to: &target) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard status == 0 else {
        Glibc.close(socket)
        throw Failure.connect
      }
      return HTTPTestClient(socket: socket)
    }
  }

  package func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  package func send(_ bytes: [UInt8]) async throws {
    try await Self.pool.run { [self] in
      var sent = 0
      while sent < bytes.count {
        let count = bytes.withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { throw Failure.send }
        sent += count
      }
    }
  }

  /// The next answer, interim ones (100) included. Nil when the server has closed instead.
  package func answer(toHEAD: Bool = false) async throws -> HTTPTestAnswer? {
    try await Self.pool.run { [self] in
      guard let headEnd = try fill(until: { HTTPTestAnswer.endOfHead($0) }) else { return nil }
      let head = take(headEnd)
      guard var answer = HTTPTestAnswer(head: head) else { throw Failure.malformedAnswer }
      guard !toHEAD, let length = answer.bodyLength else { return answer }
      guard try fill(until: { $0.count >= length ? length : nil }) != nil else { throw Failure.ended }
      answer.body = take(length)
      return answer
    }
  }

  /// Waits until the server has closed its side (or reset the connection). False after ten seconds, or when it sends
  /// bytes instead.
  package func isClosedByServer() async throws -> Bool {
    try await Self.pool.run { [self] in
      guard state.withLock({ $0.input.isEmpty }) else { return false }
      do {
        return try receive() == 0
      } catch Failure.timeout {
        return false
      }
    }
  }

  /// Says that nothing more will be sent; answers can still be read.
  package func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

  package func close() {
    let open = state.withLock { state in
      defer { state.socket = -1 }
      return state.socket
    }
    if open >= 0 { Glibc.close(open) }
  }

  /// Closes with a reset, as a client does whose process dies with unread input.
  package func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    close()
  }

  private var descriptor: Int32 { state.withLock { $0.socket } }

  private func take(_ count: Int) -> [UInt8] {
    state.withLock { state in
      defer { state.input.removeFirst(count) }
      return Array(state.input.prefix(count))
    }
  }

  /// Reads until `found` finds something in the input. Nil when the server closes before the first byte.
  private func fill(until found: ([UInt8]) -> Int?) throws -> Int? {
    while true {
      if let result = state.withLock({ found($0.input) }) { return result }
      guard try receive() > 0 else {
        guard state.withLock({ $0.input.isEmpty }) else { throw Failure.ended }
        return nil
      }
    }
  }

  /// Number of bytes added to the input; 0 when the connection has ended or been reset.
  private func receive() throws -> Int {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count < 0, errno == EAGAIN { throw Failure.timeout }
    guard count > 0 else { return 0 }
    state.withLock { $0.input.append(contentsOf: chunk[..<count]) }
    return count
  }
}
