internal import PushCore

/// The kinds of target that a sender can name.
private enum TargetType: String, CaseIterable {
  case user, users, installation, installations, all

  /// Besides `type`.
  var field: String {
    switch self {
    case .user, .installation: "id"
    case .users, .installations: "ids"
    case .all: "confirm"
    }
  }
}

extension Target {
  /// `target` of a message. An empty list is an error and never means everybody.
  init(_ fields: FieldReader) {
    guard let target = fields.requiredObject("target", known: ["type", "id", "ids", "confirm"]) else {
      self = .all
      return
    }
    guard let type = target.optionalChoice("type", as: TargetType.self) else {
      target.require("type")
      self = .all
      return
    }
    for other in ["id", "ids", "confirm"] where other != type.field && target.isPresent(other) {
      target.report(other, "contradiction", "A target of type \(type.rawValue) has \(type.field) and nothing else.")
    }
    target.require(type.field)
    switch type {
    case .user: self = .users([target.optionalText("id", FieldLimit.identifier)].compactMap { $0 })
    case .users: self = .users(target.identifiers("ids").unique { Array($0.utf8) })
    case .installation: self = .installations([target.optionalID("id")].compactMap { $0 })
    case .installations: self = .installations(target.ids("ids").unique { $0 })
    case .all:
      target.check("confirm", isOneOf: ["all"])
      self = .all
    }
  }
}

extension FieldReader {
  fileprivate func identifiers(_ name: String) -> [String] {
    list(name, 1...Target.maximumRecipients) { $0.text(FieldLimit.identifier) }
  }

  fileprivate func ids<Kind>(_ name: String) -> [ID<Kind>] {
    list(name, 1...Target.maximumRecipients) { $0.id() }
  }
}

extension Array {
  /// In order, each key once. Texts are told apart by their bytes, as the database does: to Swift, composed and
  /// decomposed letters are equal.
  fileprivate func unique<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
    var seen: Set<Key> = []
    return filter { seen.insert(key($0)).inserted }
  }
}
