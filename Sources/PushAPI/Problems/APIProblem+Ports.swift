internal import PushCore

extension APIProblem {
  /// What a port's error means for the caller. A port refuses in the domain's words; whatever else it throws is a fault on our
  /// side of the counter.
  init(thrown error: any Error) {
    switch error {
    case let problem as APIProblem: self = problem
    case let refusal as StoreRefusal: self.init(refusal)
    case let faults as FieldProblems: self = .invalid(faults.problems)
    case let fault as FieldProblem: self = .invalid([fault])
    default: self = .unavailable
    }
  }

  private init(_ refusal: StoreRefusal) {
    switch refusal {
    case .notFound: self = .notFound
    case .staleIdentity: self = .staleIdentity
    case .conflict(let word): self = .conflict(word)
    }
  }

  /// Whether the error is one that the log has to name, because the answer does not.
  static func isFault(_ error: any Error) -> Bool {
    switch error {
    case is APIProblem, is StoreRefusal, is FieldProblems, is FieldProblem: false
    default: true
    }
  }
}
