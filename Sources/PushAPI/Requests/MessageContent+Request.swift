internal import JSON
internal import PushCore

/// Which fields make a message's content, and how they are read. What Apple allows in them, and together, is the provider's to
/// say (``PushProvider/problems(in:)``); here are types and bounds.
extension MessageContent {
  static let fields = [
    "title", "subtitle", "body", "image_url", "url", "data", "badge", "sound", "category", "apns", "localizations",
    "variables",
  ]

  init(_ fields: FieldReader) {
    self.init()
    text = LocalizedText(fields)
    imageURL = fields.imageURL("image_url")
    url = fields.optionalText("url", FieldLimit.url)
    data = fields.anyMembers("data")
    badge = fields.integer("badge", 0...Int64(Int32.max)).map { Int32($0) }
    sound = Sound(fields)
    category = fields.optionalText("category", FieldLimit.word)
    if let options = fields.object("apns", known: APNsOptions.fields) { apns = APNsOptions(options) }
    localizations = fields.localizations("localizations")
    variables = fields.variables("variables")
  }
}

extension LocalizedText {
  static let fields = ["title", "subtitle", "body"]

  init(_ fields: FieldReader) {
    self.init(
      title: fields.optionalText("title", FieldLimit.payloadText),
      subtitle: fields.optionalText("subtitle", FieldLimit.payloadText),
      body: fields.optionalText("body", FieldLimit.payloadText))
  }
}

extension Sound {
  static let criticalFields = ["critical", "name", "volume"]

  /// A name, or an object for one that sounds through mute.
  fileprivate init?(_ fields: FieldReader) {
    guard let value = fields["sound"] else { return nil }
    switch value.value {
    case .string: self = .named(value.text(FieldLimit.word))
    case .object:
      guard let critical = value.object(known: Self.criticalFields) else { return nil }
      critical.require("critical")
      if critical.flag("critical") == false {
        critical.report("critical", "not_allowed", "A sound that is not critical is its name alone.")
      }
      self = .critical(
        name: critical.optionalText("name", FieldLimit.word) ?? "default", volume: critical.number("volume"))
    case .null, .bool, .number, .array:
      value.report("wrong_type", "This is a string or an object, not \(value.value.kindName).")
      self = .named("default")
    }
  }
}

extension FieldReader {
  fileprivate func imageURL(_ name: String) -> String? {
    guard let value = self[name] else { return nil }
    guard let text = value.checkedText(FieldLimit.url) else { return "https://" }
    if !text.lowercased().hasPrefix("https://") {
      value.report("not_https", "A phone loads images from https addresses only.")
    }
    return text
  }

  fileprivate func localizations(_ name: String) -> [String: LocalizedText] {
    guard let value = self[name] else { return [:] }
    let members = value.members()
    if members.count > FieldLimit.localizations {
      value.report("too_many", "At most \(FieldLimit.localizations) languages.")
    }
    var texts: [String: LocalizedText] = [:]
    for (tag, reader) in members.prefix(FieldLimit.localizations) {
      guard Self.isLanguageTag(tag) else {
        reader.report("malformed_tag", "This is named by a BCP 47 tag, such as fr or fr-CA.")
        continue
      }
      guard let fields = reader.object(known: LocalizedText.fields) else { continue }
      let text = LocalizedText(fields)
      if text.isEmpty { reader.report("empty", "A localization has a title, a subtitle or a body.") }
      texts[tag] = text
    }
    return texts
  }

  /// Letters, then groups of letters and digits behind hyphens. ASCII, so that no two spellings are equal to Swift.
  private static func isLanguageTag(_ tag: String) -> Bool {
    let parts = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard tag.utf8.count <= 35, let language = parts.first, (2...8).contains(language.count),
      language.allSatisfy(isLetter)
    else { return false }
    return parts.dropFirst().allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) } }
  }

  fileprivate func variables(_ name: String) -> [String: String] {
    guard let value = self[name] else { return [:] }
    let members = value.members()
    if members.count > FieldLimit.variables { value.report("too_many", "At most \(FieldLimit.variables) variables.") }
    var values: [String: String] = [:]
    for (name, reader) in members.prefix(FieldLimit.variables) {
      guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(Self.isWordCharacter) else {
        reader.report("invalid_name", "A variable's name has 1 to 64 letters, digits and underscores.")
        continue
      }
      values[name] = reader.text(FieldLimit.argument)
    }
    return values
  }

  private static func isWordCharacter(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
  private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
}
