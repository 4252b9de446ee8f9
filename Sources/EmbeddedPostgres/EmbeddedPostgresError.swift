/// Why the embedded server could not be started or used.
///
/// `description` is written for the person who starts the program: what is wrong and what to do.
package struct EmbeddedPostgresError: Error, Sendable, CustomStringConvertible {
  package enum Code: Sendable {
    case binariesNotFound
    case noUnprivilegedAccount
    case directoryNotReachable
    case directoryNotUsable
    /// Another process of ours runs this cluster.
    case inUse
    case initialisationFailed
    case startFailed
    case startTimedOut
  }

  package let code: Code
  package let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
