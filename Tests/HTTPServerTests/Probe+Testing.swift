import Testing

extension Probe: CustomTestStringConvertible {
  var testDescription: String { name }
}
