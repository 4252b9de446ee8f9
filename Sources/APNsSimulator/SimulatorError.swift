/// What can go wrong with the simulator itself (refusals of pushes are answers, not errors). Safe to show.
package struct SimulatorError: Error, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable { case deadlinePassed, stopped, badConfiguration, badRequest, notFound }

  package let code: Code
  package let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
