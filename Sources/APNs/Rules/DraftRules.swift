internal import PushCore

/// Everything Apple's service would refuse in a message, or take and then not show.
///
/// A pure function of the content; the API asks it before a message becomes a promise.
enum DraftRules {
  static func problems(in content: MessageContent) -> [FieldProblem] {
    let shape = ContentShape(content)
    var problems: [FieldProblem] = []
    checkType(content, shape, &problems)
    checkPriority(content, shape, &problems)
    checkCollapseID(content.apns.collapseID, &problems)
    checkValues(content, &problems)
    checkLocalization(content.apns, &problems)
    checkMembers(content, &problems)
    checkTexts(content, &problems)
    // The size of something that cannot be built is nobody's concern.
    if problems.isEmpty { checkSize(content, &problems) }
    return problems
  }

  private static func checkType(_ content: MessageContent, _ shape: ContentShape, _ problems: inout [FieldProblem]) {
    switch content.apns.pushType {
    case nil where shape.derivedType == nil:
      problems.append(
        FieldProblem(
          pointer: "", code: "nothing_to_send",
          detail:
            "A message has something to show (a title, a body, a badge or a sound) or wakes the app (apns.content_available)."
        ))
    case nil:
      if shape.derivedType == .background { refuse(shape.presentationFields, in: .background, &problems) }
    case .alert:
      guard shape.visibleFields.isEmpty else { return }
      problems.append(
        FieldProblem(
          pointer: "/apns/push_type", code: "contradiction",
          detail: "An alert shows something; this message has no title, subtitle, body, badge or sound."))
    case .background:
      refuse(shape.visibleFields + shape.presentationFields, in: .background, &problems)
      guard content.apns.contentAvailable == false else { return }
      problems.append(
        FieldProblem(
          pointer: "/apns/content_available", code: "contradiction",
          detail: "A background push is one with content_available; this says false."))
    }
  }

  private static func refuse(_ pointers: [String], in type: PushType, _ problems: inout [FieldProblem]) {
    for pointer in pointers {
      problems.append(
        FieldProblem(
          pointer: pointer, code: "contradiction",
          detail: "A \(type.rawValue) push shows nothing, so it has no place for this field."))
    }
  }

  private static func checkPriority(
    _ content: MessageContent, _ shape: ContentShape, _ problems: inout [FieldProblem]
  ) {
    guard let priority = content.apns.priority else { return }
    let type = content.apns.pushType ?? shape.derivedType ?? .alert
    let allowed = PushKind(type).priorities
    guard !allowed.contains(priority) else { return }
    let isKnown = PushKind.alert.priorities.contains(priority)
    let list = allowed.map(String.init).joined(separator: ", ")
    problems.append(
      FieldProblem(
        pointer: "/apns/priority", code: isKnown ? "contradiction" : "not_allowed",
        detail: "The priority of a push of type \(type.rawValue) is one of: \(list)."))
  }

  /// Apple's limit, in bytes.
  static let maximumCollapseIDLength = 64

  private static func checkCollapseID(_ id: CollapseID, _ problems: inout [FieldProblem]) {
    guard case .named(let text) = id else { return }
    let pointer = "/apns/collapse_id"
    guard text.utf8.count <= maximumCollapseIDLength else {
      problems.append(
        FieldProblem(
          pointer: pointer, code: "too_long",
          detail: "A collapse id has at most \(maximumCollapseIDLength) bytes; this has \(text.utf8.count)."))
      return
    }
    // It becomes a header's value, which HTTP bounds: no control characters, no blank at either end.
    let blanks: [UInt8?] = [UInt8(ascii: " "), UInt8(ascii: "\t")]
    let isClean = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    guard isClean, text.isEmpty || !(blanks.contains(text.utf8.first) || blanks.contains(text.utf8.last)) else {
      problems.append(
        FieldProblem(
          pointer: pointer, code: "invalid_characters",
          detail: "A collapse id has no control characters and no blank at its start or end."))
      return
    }
  }
}
