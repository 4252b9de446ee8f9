internal import CLinux
internal import Glibc

/// An IPv4 or IPv6 address with a port.
package struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
  /// The address as numbers, without brackets: `127.0.0.1`, `::1`.
  package let host: String
  package let port: UInt16
  let family: Family
  /// Network byte order: 4 or 16 bytes.
  private let bytes: [UInt8]
  /// IPv6 link-local addresses name an interface.
  private let scope: UInt32

  enum Family: Sendable, Hashable {
    case version4, version6
    var number: Int32 { self == .version4 ? AF_INET : AF_INET6 }
  }

  package static func loopback(port: UInt16) -> SocketAddress {
    SocketAddress(family: .version4, bytes: [127, 0, 0, 1], port: port, scope: 0)
  }

  /// Nil unless `host` is an address in numbers; names are for the `Resolver`.
  package init?(numeric host: String, port: UInt16) {
    var version4 = in_addr()
    if inet_pton(AF_INET, host, &version4) == 1 {
      self.init(family: .version4, bytes: withUnsafeBytes(of: version4) { Array($0) }, port: port, scope: 0)
      return
    }
    var version6 = in6_addr()
    guard inet_pton(AF_INET6, host, &version6) == 1 else { return nil }
    self.init(family: .version6, bytes: withUnsafeBytes(of: version6) { Array($0) }, port: port, scope: 0)
  }

  private init(family: Family, bytes: [UInt8], port: UInt16, scope: UInt32) {
    self.family = family
    self.bytes = bytes
    self.port = port
    self.scope = scope
    host = Self.text(family: family, bytes: bytes)
  }

  /// Nil for families other than IPv4 and IPv6.
  init?(copying address: UnsafePointer<sockaddr>) {
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      let value = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)
      self.init(
        family: .version4, bytes: withUnsafeBytes(of: value.sin_addr) { Array($0) },
        port: UInt16(bigEndian: value.sin_port), scope: 0)
    case AF_INET6:
      let value = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self)
      self.init(
        family: .version6, bytes: withUnsafeBytes(of: value.sin6_addr) { Array($0) },
        port: UInt16(bigEndian: value.sin6_port), scope: value.sin6_scope_id)
    default: return nil
    }
  }

  package var isLoopback: Bool {
    switch family {
    case .version4: bytes[0] == 127
    case .version6: bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }
  }

  package var description: String {
    switch family {
    case .version4: "\(host):\(port)"
    case .version6: "[\(host)]:\(port)"
    }
  }

  func withSystemAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    switch family {
    case .version4:
      var value = sockaddr_in()
      value.sin_family = sa_family_t(AF_INET)
      value.sin_port = port.bigEndian
      withUnsafeMutableBytes(of: &value.sin_addr) { $0.copyBytes(from: bytes) }
      return Self.rebound(value, body)
    case .version6:
      var value = sockaddr_in6()
      value.sin6_family = sa_family_t(AF_INET6)
      value.sin6_port = port.bigEndian
      value.sin6_scope_id = scope
      withUnsafeMutableBytes(of: &value.sin6_addr) { $0.copyBytes(from: bytes) }
      return Self.rebound(value, body)
    }
  }

  private static func rebound<Value, Result>(
    _ value: Value, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafePointer(to: value) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<Value>.size)) }
    }
  }

  private static func text(family: Family, bytes: [UInt8]) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
      guard inet_ntop(family.number, bytes, buffer.baseAddress, socklen_t(buffer.count)) != nil else { return "" }
      return String(cString: buffer.baseAddress.unsafelyUnwrapped)
    }
  }
}
