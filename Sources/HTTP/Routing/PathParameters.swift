/// The values a path gave to the parameters of its template: decoded and never empty.
package struct PathParameters: Sendable, Hashable {
  private let names: [String]
  private let values: [String]

  init(names: [String], values: [String]) {
    self.names = names
    self.values = values
  }

  package subscript(name: String) -> String? {
    names.firstIndex(of: name).map { values[$0] }
  }

  package var all: [(name: String, value: String)] { Array(zip(names, values)).map { ($0, $1) } }
}
