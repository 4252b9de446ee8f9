/// The numbers of a process, by name and labels, and their text for Prometheus.
///
/// One for a process, made by the composition root and handed around; any thread. A metric is registered once, by whoever counts
/// with it, who keeps it: counting then is one atomic addition.
package final class Metrics: Sendable {
  private struct Family {
    let kind: String
    let help: String
    var members: [(labels: String, metric: any Metric)] = []
  }
  private let families = Lock<[String: Family]>([:])

  package init() {}

  package func counter(_ name: String, _ help: String, labels: KeyValuePairs<String, String> = [:]) -> Counter {
    register(name, "counter", help, labels) { Counter() }
  }

  package func gauge(_ name: String, _ help: String, labels: KeyValuePairs<String, String> = [:]) -> Gauge {
    register(name, "gauge", help, labels) { Gauge() }
  }

  /// `bounds` are the upper bounds of the buckets, ascending, in the unit that `name` ends with.
  package func histogram(
    _ name: String, _ help: String, labels: KeyValuePairs<String, String> = [:], bounds: [Double] = Histogram.seconds
  ) -> Histogram {
    register(name, "histogram", help, labels) { Histogram(bounds: bounds) }
  }

  /// The Prometheus text format, version 0.0.4, families in alphabetical order.
  package func exposition() -> String {
    let families = families.withLock { $0 }
    var text = ""
    for (name, family) in families.sorted(by: { $0.key < $1.key }) {
      text += "# HELP \(name) \(family.help)\n# TYPE \(name) \(family.kind)\n"
      for member in family.members { member.metric.write(name: name, labels: member.labels, into: &text) }
    }
    return text
  }

  /// The metric of this name and these labels: the one that is there, or a new one.
  private func register<Kind: Metric>(
    _ name: String, _ kind: String, _ help: String, _ labels: KeyValuePairs<String, String>, make: () -> Kind
  ) -> Kind {
    let text = labels.map { "\($0.key)=\"\(Self.escape($0.value))\"" }.joined(separator: ",")
    return families.withLock { families in
      var family = families[name] ?? Family(kind: kind, help: help)
      if let known = family.members.first(where: { $0.labels == text })?.metric as? Kind { return known }
      let metric = make()
      family.members.append((text, metric))
      families[name] = family
      return metric
    }
  }

  private static func escape(_ value: String) -> String {
    var escaped = ""
    for character in value {
      switch character {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}

protocol Metric: Sendable {
  /// `labels` is the inner text of the braces, empty for none.
  func write(name: String, labels: String, into text: inout String)
}
