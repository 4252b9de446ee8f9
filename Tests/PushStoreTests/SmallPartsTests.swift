import Crypto
import PushCore
import Testing

@testable import PushStore

@Suite struct ExpiringCacheTests {
  @Test func anEntryLivesForItsTimeAndNoLonger() {
    let cache = ExpiringCache<Int, String?>(capacity: 10, lifetime: .seconds(5))
    let start = ContinuousClock.now
    cache.insert(nil, for: 1, at: start)
    #expect(cache.value(for: 1, at: start + .seconds(4)) == .some(nil))
    #expect(cache.value(for: 1, at: start + .seconds(5)) == nil)
  }

  @Test func itHoldsNoMoreThanItsCapacity() {
    let cache = ExpiringCache<Int, Int>(capacity: 10, lifetime: .seconds(5))
    for number in 0..<1000 { cache.insert(number, for: number) }
    #expect((0..<1000).count { cache.value(for: $0) != nil } <= 10)
    #expect(cache.value(for: 999) == 999)
  }

  @Test func aRemovedEntryIsGone() {
    let cache = ExpiringCache<Int, Int>(capacity: 10, lifetime: .seconds(5))
    cache.insert(1, for: 1)
    cache.remove(1)
    #expect(cache.value(for: 1) == nil)
  }
}

@Suite struct LatencyBucketTests {
  @Test(arguments: [0, 1, 2, 3, 10, 99, 1000, 86_400_000] as [Int64])
  func aBucketHoldsItsDurationAndIsNarrow(_ milliseconds: Int64) {
    let upper = LatencyBucket(milliseconds: milliseconds).upperMilliseconds
    #expect(upper >= milliseconds)
    #expect(Double(upper) <= Double(milliseconds) * 1.19 + 1)
  }

  @Test func percentilesCountFromBelow() {
    let counts = [LatencyBucket(milliseconds: 0): Int64(98), LatencyBucket(milliseconds: 1000): 2]
    #expect(LatencyBucket.percentile(0.5, of: counts) == 0)
    #expect(LatencyBucket.percentile(0.98, of: counts) == 0)
    #expect(LatencyBucket.percentile(0.99, of: counts)! >= 1000)
    #expect(LatencyBucket.percentile(0.5, of: [:]) == nil)
  }
}

@Suite struct NewBatchTests {
  @Test func listsAreDeduplicatedAndCutAtAThousand() {
    let users = (0..<2500).map { "u\($0)" } + ["u0", "u1"]
    let batches = NewBatch.plan(for: .users(users), message: .make(), lane: .bulk, sendAt: nil)
    #expect(batches.map { $0.part.users!.count } == [1000, 1000, 500])
    #expect(Set(batches.flatMap { $0.part.users! }).count == 2500)
  }

  @Test func everybodyIsOneSliceAtFirst() {
    let batches = NewBatch.plan(for: .all, message: .make(), lane: .bulk, sendAt: nil)
    #expect(batches.count == 1)
    let range = batches[0].part.range!
    #expect(range.after < .make() && .make() < range.through)
  }
}
