internal import PushCore

/// Gathers what is wrong with one request while it is read.
///
/// Owned by the call that decodes; never leaves its thread. Bounded: a list of 20 000 wrong ids is told in the first hundred.
final class ProblemList {
  private(set) var problems: [FieldProblem] = []
  static let maximum = 100

  var isEmpty: Bool { problems.isEmpty }

  func report(_ pointer: String, _ code: String, _ detail: String) {
    guard problems.count < Self.maximum else { return }
    problems.append(FieldProblem(pointer: pointer, code: code, detail: detail))
  }
}
