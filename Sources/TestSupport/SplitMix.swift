/// A small deterministic generator (SplitMix64), so that a failing random test fails again.
package struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  /// The bytes with one to four of them changed, removed, doubled or cut off.
  package mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var mutant = bytes
    for _ in 0..<Int.random(in: 1...4, using: &self) where !mutant.isEmpty {
      let place = Int.random(in: 0..<mutant.count, using: &self)
      switch Int.random(in: 0..<4, using: &self) {
      case 0: mutant[place] = UInt8.random(in: 0...255, using: &self)
      case 1: mutant.remove(at: place)
      case 2: mutant.insert(mutant[place], at: place)
      default: mutant.removeSubrange(place...)
      }
    }
    return mutant
  }
}
