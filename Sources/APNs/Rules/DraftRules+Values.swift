internal import PushCore

extension DraftRules {
  static let interruptionLevels = ["passive", "active", "time-sensitive", "critical"]

  static func checkValues(_ content: MessageContent, _ problems: inout [FieldProblem]) {
    if let badge = content.badge, badge < 0 {
      problems.append(
        FieldProblem(pointer: "/badge", code: "out_of_range", detail: "A badge is 0 or more; 0 removes it."))
    }
    if let level = content.apns.interruptionLevel, !interruptionLevels.contains(level) {
      problems.append(
        FieldProblem(
          pointer: "/apns/interruption_level", code: "not_allowed",
          detail: "An interruption level is one of: \(interruptionLevels.joined(separator: ", "))."))
    }
    if let score = content.apns.relevanceScore, !isFraction(score) {
      problems.append(
        FieldProblem(
          pointer: "/apns/relevance_score", code: "out_of_range", detail: "A relevance score is a number from 0 to 1."))
    }
    checkSound(content.sound, &problems)
    checkNotEmpty(content, &problems)
  }

  private static func checkSound(_ sound: Sound?, _ problems: inout [FieldProblem]) {
    let (name, pointer): (String, String)
    switch sound {
    case nil: return
    case .named(let text): (name, pointer) = (text, "/sound")
    case .critical(let text, let volume):
      (name, pointer) = (text, "/sound/name")
      if let volume, !isFraction(volume) {
        problems.append(
          FieldProblem(pointer: "/sound/volume", code: "out_of_range", detail: "A volume is a number from 0 to 1."))
      }
    }
    guard name.isEmpty else { return }
    problems.append(
      FieldProblem(
        pointer: pointer, code: "empty", detail: "A sound has a name; `default` is the system's. Leave it out for none."
      ))
  }

  /// Fields of which an empty text is always a mistake.
  private static func checkNotEmpty(_ content: MessageContent, _ problems: inout [FieldProblem]) {
    let texts: [(String, String?)] = [
      ("/image_url", content.imageURL), ("/url", content.url), ("/category", content.category),
      ("/apns/title_loc_key", content.apns.titleLocKey), ("/apns/subtitle_loc_key", content.apns.subtitleLocKey),
      ("/apns/loc_key", content.apns.locKey),
    ]
    for (pointer, text) in texts where text?.isEmpty == true {
      problems.append(FieldProblem(pointer: pointer, code: "empty", detail: "Leave the field out instead."))
    }
  }

  static func checkLocalization(_ options: APNsOptions, _ problems: inout [FieldProblem]) {
    let pairs: [(String, String?, [String])] = [
      ("title_loc", options.titleLocKey, options.titleLocArgs),
      ("subtitle_loc", options.subtitleLocKey, options.subtitleLocArgs),
      ("loc", options.locKey, options.locArgs),
    ]
    for (name, key, arguments) in pairs where key == nil && !arguments.isEmpty {
      problems.append(
        FieldProblem(
          pointer: "/apns/\(name)_args", code: "contradiction",
          detail: "Arguments are for the text that \(name)_key names, and there is none."))
    }
  }

  static func checkMembers(_ content: MessageContent, _ problems: inout [FieldProblem]) {
    checkMembers(content.data, reserved: ReservedNames.root, pointer: Pointer.data, &problems)
    checkMembers(content.apns.aps, reserved: ReservedNames.inAPS, pointer: Pointer.aps, &problems)
  }

  private static func checkMembers(
    _ members: [JSONMember], reserved: [String], pointer: (String) -> String, _ problems: inout [FieldProblem]
  ) {
    var seen: Set<String> = []
    for member in members {
      if reserved.contains(member.name) {
        problems.append(
          FieldProblem(
            pointer: pointer(member.name), code: "reserved",
            detail: "This name is written by the message's own fields."))
      }
      guard !seen.insert(member.name).inserted else { continue }
      problems.append(
        FieldProblem(pointer: pointer(member.name), code: "duplicate", detail: "There are two members of this name."))
    }
  }

  /// A JSON number from 0 to 1; anything else that Swift would read as one (`nan`, `0x1p-1`) is not JSON.
  private static func isFraction(_ text: JSONText) -> Bool {
    guard text.bytes.allSatisfy({ "0123456789.eE+-".utf8.contains($0) }),
      let number = Double(String(decoding: text.bytes, as: UTF8.self))
    else { return false }
    return (0...1).contains(number)
  }
}
