/// How long texts may be, in bytes of UTF-8. `openapi.json` repeats them; a test compares what can be compared.
enum FieldLimit {
  /// Names for people.
  static let name = 1...256
  /// Ids that callers choose: devices, people.
  static let identifier = 1...256
  static let shortWord = 1...64
  /// Versions, models, sounds, categories, actions.
  static let word = 1...128
  /// No text can be longer than the largest payload.
  static let payloadText = 1...4096
  static let url = 1...2048
  /// Arguments and values that go into texts; an empty one is a value.
  static let argument = 0...1024
  static let arguments = 32
  /// A P-256 key in PEM has about 260 bytes; sixty times that is room for every kind of paste damage.
  static let p8 = 1...16_384
  static let tags = 64
  static let tagName = 1...64
  static let tagText = 0...256
  static let localizations = 100
  static let variables = 64
  static let receipts = 100
}
