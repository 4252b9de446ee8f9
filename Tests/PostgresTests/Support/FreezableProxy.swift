import Glibc
import Postgres
import ServiceKit
import Testing

/// A TCP port of this machine that forwards to the server's Unix socket, until it is frozen: then it keeps every
/// connection open, accepts new ones and passes nothing on, as a network does that swallows packets.
///
/// One thread, ended by `stop()`.
final class FreezableProxy: Sendable {
  private struct State {
    var isFrozen = false
    var isStopped = false
  }

  private let listener: Int32
  private let target: String
  private let state = Lock(State())
  let conninfo: String

  init(_ conninfo: String) throws {
    let string = try ConnectionString(Secret(conninfo))
    target = try #require(string.hosts.first { $0.hasPrefix("/") }) + "/.s.PGSQL.5432"
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = bind(listener, address, length)
        _ = listen(listener, 64)
        _ = getsockname(listener, address, &length)
      }
      return UInt16(bigEndian: pointer.pointee.sin_port)
    }
    self.conninfo = string.with("host", "127.0.0.1").with("port", "\(port)").conninfo.exposed
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      {
        Unmanaged<FreezableProxy>.fromOpaque($0!).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    pthread_detach(thread)
  }

  func freeze() { state.withLock { $0.isFrozen = true } }
  func thaw() { state.withLock { $0.isFrozen = false } }
  func stop() { state.withLock { $0.isStopped = true } }

  private func run() {
    var peers: [Int32: Int32] = [:]
    while !state.withLock({ $0.isStopped }) {
      let isFrozen = state.withLock { $0.isFrozen }
      var descriptors = ([listener] + (isFrozen ? [] : Array(peers.keys))).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      poll(&descriptors, nfds_t(descriptors.count), 5)
      for descriptor in descriptors where descriptor.revents != 0 {
        guard descriptor.fd != listener else {
          let (client, server) = (accept(listener, nil, nil), connectToServer())
          peers[client] = server
          peers[server] = client
          continue
        }
        guard let peer = peers[descriptor.fd], !forward(descriptor.fd, peer) else { continue }
        peers[descriptor.fd] = nil
        peers[peer] = nil
        close(descriptor.fd)
        close(peer)
      }
    }
    for descriptor in peers.keys { close(descriptor) }
    close(listener)
  }

  private func forward(_ from: Int32, _ to: Int32) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 1) { buffer in
      let count = read(from, buffer.baseAddress, buffer.count)
      return count > 0 && send(to, buffer.baseAddress, count, Int32(MSG_NOSIGNAL.rawValue)) == count
    }
  }

  private func connectToServer() -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(target.utf8)) }
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return descriptor
  }
}
