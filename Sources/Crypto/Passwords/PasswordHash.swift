/// The PHC string form of an Argon2id hash: `$argon2id$v=19$m=65536,t=3,p=4$salt$hash`, the last two in Base64 without padding.
struct PasswordHash {
  let cost: Argon2id.Cost
  let salt: [UInt8]
  let hash: [UInt8]

  init(cost: Argon2id.Cost, salt: [UInt8], hash: [UInt8]) {
    self.cost = cost
    self.salt = salt
    self.hash = hash
  }

  var text: String {
    "\(Self.prefix)m=\(cost.kibibytes),t=\(cost.passes),p=\(cost.lanes)$\(Self.unpadded(salt))$\(Self.unpadded(hash))"
  }

  /// `nil` unless it is the canonical text of a hash whose cost we would pay: at most 1 GiB, 16 passes, 16 lanes.
  init?(parsing text: String) {
    // Longer than any that has salt and hash within their bounds.
    guard text.utf8.count <= 256, text.hasPrefix(Self.prefix) else { return nil }
    let parts = text.dropFirst(Self.prefix.count).split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 3, let cost = Self.cost(parsing: parts[0]),
      let salt = Self.bytes(parts[1]), (8...64).contains(salt.count),
      let hash = Self.bytes(parts[2]), (16...64).contains(hash.count)
    else { return nil }
    self.init(cost: cost, salt: salt, hash: hash)
    guard self.text == text else { return nil }
  }

  private static let prefix = "$argon2id$v=19$"

  private static func cost(parsing text: Substring) -> Argon2id.Cost? {
    let values = text.split(separator: ",", omittingEmptySubsequences: false)
    guard values.count == 3, values[0].hasPrefix("m="), values[1].hasPrefix("t="), values[2].hasPrefix("p="),
      let kibibytes = UInt32(values[0].dropFirst(2)), let passes = UInt32(values[1].dropFirst(2)),
      let lanes = UInt32(values[2].dropFirst(2)),
      (1...16).contains(passes), (1...16).contains(lanes), (8 * lanes...1 << 20).contains(kibibytes)
    else { return nil }
    return Argon2id.Cost(passes: passes, kibibytes: kibibytes, lanes: lanes)
  }

  private static func unpadded(_ bytes: [UInt8]) -> String {
    String(Base64.encode(bytes).prefix { $0 != "=" })
  }

  private static func bytes(_ text: Substring) -> [UInt8]? {
    Base64.decode(text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
  }
}
