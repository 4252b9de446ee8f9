/// Where a value stands, and where to say that it is wrong. Lives within one decoding, on its thread.
package struct FieldPlace {
  let pointer: JSONPointer
  let report: FieldReport

  /// Says what is wrong with the value at this place.
  package func fail(_ code: FieldError.Code, _ detail: String) {
    report.add(FieldError(pointer: pointer.text, code: code, detail: detail))
  }

  func wrongType(_ expected: String, _ value: JSONValue) {
    fail(.wrongType, "must be \(expected), not \(value.kindName)")
  }

  /// Names that were sent are cut in pointers: they may be as long as the document.
  func member(_ name: String) -> FieldPlace {
    let isLong = name.utf8.count > Self.longestName
    let shown = isLong ? String(name.unicodeScalars.prefix(Self.longestName / 4)) + "…" : name
    return FieldPlace(pointer: pointer.appending(shown), report: report)
  }

  func element(_ index: Int) -> FieldPlace { FieldPlace(pointer: pointer.appending(index), report: report) }

  static let longestName = 64
}

/// What was found wrong so far. Shared by the places of one decoding, on its thread.
final class FieldReport {
  private(set) var errors: [FieldError] = []
  private(set) var isTruncated = false

  func add(_ error: FieldError) {
    guard errors.count < FieldErrors.most else {
      isTruncated = true
      return
    }
    errors.append(error)
  }
}
