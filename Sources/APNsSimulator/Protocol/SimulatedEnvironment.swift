/// Which of Apple's two worlds a listener plays. Tokens and newer keys belong to one of them.
package enum SimulatedEnvironment: String, CaseIterable, Sendable, Hashable {
  case sandbox, production

  package var other: Self { self == .sandbox ? .production : .sandbox }
}
