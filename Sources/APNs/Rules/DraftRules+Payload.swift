internal import PushCore

extension DraftRules {
  /// Every `{{name}}` has a value.
  static func checkTexts(_ content: MessageContent, _ problems: inout [FieldProblem]) {
    check(content.text, locale: nil, content.variables, &problems)
    var seen: Set<[UInt8]> = []
    for locale in content.localizations.keys.sorted() {
      checkTag(locale, &seen, &problems)
      check(content.localizations[locale] ?? LocalizedText(), locale: locale, content.variables, &problems)
    }
  }

  private static func checkTag(_ locale: String, _ seen: inout Set<[UInt8]>, _ problems: inout [FieldProblem]) {
    let tag = locale.utf8.map(LocaleTags.canonical)
    let isTag = !tag.isEmpty && tag.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
    guard isTag, tag.first != UInt8(ascii: "-"), tag.last != UInt8(ascii: "-") else {
      problems.append(
        FieldProblem(
          pointer: Pointer.localization(locale), code: "invalid_locale",
          detail: "A localization is named by a BCP 47 tag, such as fr or pt-BR."))
      return
    }
    guard !seen.insert(tag).inserted else { return }
    problems.append(
      FieldProblem(
        pointer: Pointer.localization(locale), code: "duplicate",
        detail: "There are two localizations of this tag, in different spellings."))
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: false
    }
  }

  private static func check(
    _ text: LocalizedText, locale: String?, _ variables: [String: String], _ problems: inout [FieldProblem]
  ) {
    let parts = [("title", text.title), ("subtitle", text.subtitle), ("body", text.body)]
    for (name, part) in parts {
      guard let part else { continue }
      do throws(VariableText.Problem) {
        _ = try VariableText.substitute(variables, in: part)
      } catch {
        problems.append(
          FieldProblem(pointer: Pointer.text(name, locale: locale), code: error.code, detail: error.detail))
      }
    }
  }

  /// The largest payload any recipient could get, measured by building it.
  static func checkSize(_ content: MessageContent, _ problems: inout [FieldProblem]) {
    let limit = PushKind(content.apns.pushType ?? ContentShape(content).derivedType ?? .alert).payloadLimit
    var largest: (locale: String?, bytes: Int) = (nil, 0)
    for locale in [nil] + content.localizations.keys.sorted().map(Optional.some) {
      let text = content.text(in: locale)
      // `checkTexts` found every variable, so this throws no more.
      guard let template = try? PayloadTemplate(content, text: text) else { continue }
      if template.count > largest.bytes { largest = (locale, template.count) }
    }
    guard largest.bytes > limit else { return }
    let place = largest.locale.map { " in \($0)" } ?? ""
    problems.append(
      FieldProblem(
        pointer: largest.locale.map { Pointer.localization($0) } ?? "", code: "payload_too_large",
        detail: "The payload\(place) has \(largest.bytes) bytes and may have \(limit)."))
  }
}
