/// Keeps a mistake of an app's (wrong environment, wrong bundle id) from wiping its registry: when too large a share of its recent
/// answers call tokens dead, no token is retired on such an answer any more until the share is back to normal.
///
/// A plain value, one for each app, owned by the worker. A 410 with a timestamp is Apple's certain word and does not pass by
/// here. The window is two buckets of answers, the older dropped when the newer is full, so that the memory of an incident ends.
package struct TokenBrake: Sendable, Hashable {
  private var older = Bucket()
  private var newer = Bucket()

  /// Answers in one bucket.
  static let bucketSize = 500
  /// Fewer dead tokens than this prove nothing.
  static let minimumDead = 20
  /// A healthy registry loses a few in a hundred a month; a fifth at once is something else.
  static let abnormalShare = 0.2

  private struct Bucket: Sendable, Hashable {
    var answers = 0
    var dead = 0
  }

  package init() {}

  /// Counts one answer that says something of a token: accepted, or dead.
  package mutating func count(dead: Bool) {
    if newer.answers >= Self.bucketSize {
      older = newer
      newer = Bucket()
    }
    newer.answers += 1
    if dead { newer.dead += 1 }
  }

  package var isOn: Bool {
    let dead = older.dead + newer.dead
    return dead >= Self.minimumDead && Double(dead) >= Self.abnormalShare * Double(older.answers + newer.answers)
  }
}
