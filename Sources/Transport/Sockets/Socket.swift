internal import CLinux
internal import Glibc

/// A non-blocking, close-on-exec TCP socket; closed with its owner.
struct Socket: ~Copyable {
  let descriptor: Int32

  init(taking descriptor: Int32) { self.descriptor = descriptor }

  init(for family: SocketAddress.Family) throws(TransportError) {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(family.number, type, 0)
    guard descriptor >= 0 else { throw .system("socket") }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  func set(_ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    // Every option set here is an optimisation or a safety net; a kernel without it still moves bytes.
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Small writes go out at once, and a silent peer is noticed: unacknowledged data fails after 30 s, an idle link is
  /// probed after 60 s and given up after four probes 15 s apart.
  func configureStream() {
    let tcp = Int32(IPPROTO_TCP)
    set(tcp, TCP_NODELAY, 1)
    set(SOL_SOCKET, SO_KEEPALIVE, 1)
    set(tcp, TCP_KEEPIDLE, 60)
    set(tcp, TCP_KEEPINTVL, 15)
    set(tcp, TCP_KEEPCNT, 4)
    set(tcp, TCP_USER_TIMEOUT, 30_000)
  }

  func peerAddress() -> SocketAddress? { address(getpeername) }
  func localAddress() -> SocketAddress? { address(getsockname) }

  /// The outcome of a non-blocking `connect`; 0 is success.
  func pendingError() -> Int32 {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &value, &length) == 0 else { return errno }
    return value
  }

  func endOutput() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  private func address(
    _ call: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
  ) -> SocketAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        call(descriptor, address, &length) == 0 ? SocketAddress(copying: address) : nil
      }
    }
  }
}
