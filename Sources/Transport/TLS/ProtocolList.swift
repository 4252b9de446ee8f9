/// ALPN names in order of preference, in the form in which they are sent (a length byte before each).
struct ProtocolList: Sendable {
  let names: [String]
  let wire: [UInt8]

  /// Names are 1 to 255 bytes, together less than 64 KiB.
  init(_ names: [String]) {
    precondition(names.allSatisfy { (1...255).contains($0.utf8.count) } && names.count < 256)
    self.names = names
    wire = names.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
  }

  var isEmpty: Bool { names.isEmpty }
}
