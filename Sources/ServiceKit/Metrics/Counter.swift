internal import Synchronization

/// A number that only grows. Any thread.
package final class Counter: Metric {
  private let count = Atomic<Int>(0)

  package var value: Int { count.load(ordering: .relaxed) }

  package func add(_ amount: Int = 1) { count.wrappingAdd(amount, ordering: .relaxed) }

  func write(name: String, labels: String, into text: inout String) {
    text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n"
  }
}

/// A number that goes up and down. Any thread.
package final class Gauge: Metric {
  private let current = Atomic<Int>(0)

  package var value: Int { current.load(ordering: .relaxed) }

  package func set(_ value: Int) { current.store(value, ordering: .relaxed) }
  package func add(_ amount: Int) { current.wrappingAdd(amount, ordering: .relaxed) }

  func write(name: String, labels: String, into text: inout String) {
    text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n"
  }
}
