internal import JSON
internal import PushCore

extension FieldReader {
  func deviceToken(_ name: String) -> DeviceToken? {
    guard let value = self[name] else { return nil }
    let standIn = DeviceToken(stored: [0])
    guard let text = value.checkedText(0...Self.longestTokenText) else { return standIn }
    do throws(DeviceToken.Malformed) {
      return try DeviceToken(hex: text)
    } catch {
      value.report(Self.code(of: error), error.detail)
      return standIn
    }
  }

  /// Twice two digits a byte: room for blanks and line ends between all of them.
  private static let longestTokenText = DeviceToken.maximumBytes * 4

  private static func code(of error: DeviceToken.Malformed) -> String {
    switch error {
    case .empty: "empty"
    case .notHex: "not_hexadecimal"
    case .oddLength: "odd_length"
    case .tooLong: "too_long"
    }
  }

  func deliveryID(_ name: String) -> DeliveryID {
    let standIn = DeliveryID(message: MessageID(0), proof: 0)
    require(name)
    guard let value = self[name], let text = value.checkedText(1...128) else { return standIn }
    guard let id = DeliveryID(text) else {
      value.report("malformed_id", "This is the delivery_id from the push, unchanged.")
      return standIn
    }
    return id
  }

  func identityEpoch() -> Int32? {
    integer("identity_epoch", 0...Int64(Int32.max)).map { Int32($0) }
  }

  func futureTime(_ name: String) -> Timestamp? {
    guard let time = time(name) else { return nil }
    if time <= .now() { report(name, "in_the_past", "This is a time to come.") }
    return time
  }

  func permissions(_ name: String, among allowed: [Permission]) -> Set<Permission>? {
    guard let value = self[name] else { return nil }
    let words = allowed.map { (word: $0.rawValue, value: $0) }
    return Set(value.list(1...Permission.allCases.count) { $0.choice(words, or: allowed[0]) })
  }

  /// A flat object of strings, numbers and Booleans, kept as it was written.
  func tags(_ name: String) -> JSONText? {
    guard let value = self[name] else { return nil }
    let members = value.members()
    if members.count > FieldLimit.tags { value.report("too_many", "At most \(FieldLimit.tags) tags.") }
    for (name, tag) in members.prefix(FieldLimit.tags) {
      if !FieldLimit.tagName.contains(name.utf8.count) {
        tag.report("invalid_name", "A tag's name has 1 to \(FieldLimit.tagName.upperBound) bytes.")
      }
      switch tag.value {
      case .string: _ = tag.text(FieldLimit.tagText)
      case .number, .bool: continue
      case .null, .array, .object:
        tag.report("wrong_type", "A tag is a string, a number or a boolean, not \(tag.value.kindName).")
      }
    }
    return JSONText(checked: value.value.encoded())
  }

  /// Any JSON, member by member, digits and order kept.
  func anyMembers(_ name: String) -> [JSONMember] {
    self[name]?.members().map { JSONMember(name: $0.name, value: JSONText(checked: $0.reader.value.encoded())) } ?? []
  }
}
