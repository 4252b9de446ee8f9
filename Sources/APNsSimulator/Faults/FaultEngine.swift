/// A plan at work: counts what each rule has met. A value inside the host's lock.
package struct FaultEngine: Sendable {
  package private(set) var plan: FaultPlan
  private var met: [Int]
  private var fired: [Int]

  package init(_ plan: FaultPlan = FaultPlan()) {
    self.plan = plan
    met = Array(repeating: 0, count: plan.rules.count)
    fired = met
  }

  /// The fault that this request meets, if any.
  package mutating func action(token: ArraySlice<UInt8>) -> FaultAction? {
    for (index, rule) in plan.rules.enumerated() {
      guard matches(token, rule.tokenPrefix), rule.limit.map({ fired[index] < $0 }) ?? true else { continue }
      met[index] += 1
      guard met[index].isMultiple(of: rule.every) else { continue }
      fired[index] += 1
      return rule.action
    }
    return nil
  }

  private func matches(_ token: ArraySlice<UInt8>, _ prefix: [UInt8]) -> Bool {
    prefix.isEmpty || Hexadecimal.lowercased(token.prefix(prefix.count)) == prefix
  }
}
