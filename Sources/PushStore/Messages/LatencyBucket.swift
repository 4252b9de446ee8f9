internal import Glibc

/// A class of durations: four to each doubling, so that a percentile read from them is at most a fifth too high.
struct LatencyBucket: Sendable, Hashable, Comparable {
  let index: Int

  /// 2^31 milliseconds are 25 days; longer is as long.
  private static let last = 124

  init(milliseconds: Int64) {
    index = min(Self.last, Int(log2(Double(milliseconds) + 1) * 4))
  }

  init?(text: String) {
    guard let index = Int(text), (0...Self.last).contains(index) else { return nil }
    self.index = index
  }

  var text: String { String(index) }

  /// The longest duration in it.
  var upperMilliseconds: Int64 { max(0, Int64(exp2(Double(index + 1) / 4).rounded(.up)) - 2) }

  static func < (left: LatencyBucket, right: LatencyBucket) -> Bool { left.index < right.index }

  /// The duration that `share` of all are not above; `nil` when there are none.
  static func percentile(_ share: Double, of counts: [LatencyBucket: Int64]) -> Int64? {
    let total = counts.values.reduce(0, +)
    guard total > 0 else { return nil }
    var rest = Int64((Double(total) * share).rounded(.up))
    for (bucket, count) in counts.sorted(by: { $0.key < $1.key }) {
      rest -= count
      if rest <= 0 { return bucket.upperMilliseconds }
    }
    return counts.keys.max()?.upperMilliseconds
  }
}
