import Testing

@testable import APNsSimulator

@Suite("Fault rules")
struct FaultEngineTests {
  private let token = ArraySlice("ABcdef".utf8)

  @Test("no plan, no fault")
  func none() {
    var engine = FaultEngine()
    let action = engine.action(token: token)
    #expect(action == nil)
  }

  @Test("every third of the requests is met, twice at most")
  func everyAndLimit() {
    var engine = FaultEngine(FaultPlan(FaultRule(.ignore, every: 3, limit: 2)))
    let met = (1...12).filter { _ in engine.action(token: token) != nil }
    #expect(met == [3, 6])
  }

  @Test("the first rule that meets wins, and a prefix restricts a rule to some tokens, in any case")
  func prefixes() {
    var engine = FaultEngine(
      FaultPlan(FaultRule(.reset(code: 7), tokenPrefix: "abc"), FaultRule(.ignore)))
    let matching = engine.action(token: token)
    let other = engine.action(token: ArraySlice("00".utf8))
    #expect(matching == .reset(code: 7))
    #expect(other == .ignore)
  }

  @Test("latency is nothing, fixed, or between two bounds")
  func latency() {
    #expect(FaultPlan.Latency.none.milliseconds() == 0)
    #expect(FaultPlan.Latency.fixed(milliseconds: 30).milliseconds() == 30)
    let drawn = (0..<200).map { _ in FaultPlan.Latency.uniform(milliseconds: 5...9).milliseconds() }
    #expect(drawn.allSatisfy { (5...9).contains($0) })
    #expect(Set(drawn).count > 1)
  }
}
