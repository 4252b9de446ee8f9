/// JSON pointers (RFC 6901) into the body of `POST /messages`.
enum Pointer {
  static func text(_ part: String, locale: String?) -> String {
    guard let locale else { return "/\(part)" }
    return "\(localization(locale))/\(part)"
  }

  static func localization(_ locale: String) -> String { "/localizations/\(escaped(locale))" }

  static func data(_ name: String) -> String { "/data/\(escaped(name))" }
  static func aps(_ name: String) -> String { "/apns/aps/\(escaped(name))" }

  private static func escaped(_ token: String) -> String {
    var result = ""
    for character in token.unicodeScalars {
      switch character {
      case "~": result += "~0"
      case "/": result += "~1"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
