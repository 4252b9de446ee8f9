/// How often values fell into fixed buckets. Any thread: a short lock, taken once for a value or a group of them.
package final class Histogram: Metric {
  private struct State {
    var counts: [Int]
    var sum = 0.0
  }
  private let bounds: [Double]
  private let state: Lock<State>

  /// From a millisecond to half a minute.
  package static let seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

  init(bounds: [Double]) {
    self.bounds = bounds
    state = Lock(State(counts: Array(repeating: 0, count: bounds.count + 1)))
  }

  package var count: Int { state.withLock { $0.counts.reduce(0, +) } }

  package func record(_ value: Double) {
    let bucket = bucket(of: value)
    state.withLock { state in
      state.counts[bucket] += 1
      state.sum += value
    }
  }

  package func record(contentsOf values: some Sequence<Double>) {
    var counts = Array(repeating: 0, count: bounds.count + 1)
    var sum = 0.0
    for value in values {
      counts[bucket(of: value)] += 1
      sum += value
    }
    state.withLock { [counts, sum] state in
      for index in counts.indices { state.counts[index] += counts[index] }
      state.sum += sum
    }
  }

  private func bucket(of value: Double) -> Int { bounds.firstIndex { value <= $0 } ?? bounds.count }

  func write(name: String, labels: String, into text: inout String) {
    let snapshot = state.withLock { $0 }
    let prefix = labels.isEmpty ? "" : labels + ","
    var cumulative = 0
    for (bound, count) in zip(bounds, snapshot.counts) {
      cumulative += count
      text += "\(name)_bucket{\(prefix)le=\"\(bound)\"} \(cumulative)\n"
    }
    cumulative += snapshot.counts[bounds.count]
    let braces = labels.isEmpty ? "" : "{\(labels)}"
    text += "\(name)_bucket{\(prefix)le=\"+Inf\"} \(cumulative)\n"
    text += "\(name)_sum\(braces) \(snapshot.sum)\n\(name)_count\(braces) \(cumulative)\n"
  }
}
