/// When a connection that still works is of no more use.
///
/// A plain value, owned by one connection; counting an answer costs a few instructions, because every push comes by.
struct ConnectionHealth: Sendable, Hashable {
  /// Server faults in a row: one is a hiccup, this many are a sick server.
  static let faultLimit = 5
  /// Pushes in a row that got no answer in time.
  static let silenceLimit = 3
  /// Refusals of the credential in a row: enough to believe it.
  static let refusalLimit = 3

  private var faults = 0
  private var silences = 0
  private(set) var refusals = 0

  mutating func answered() {
    faults = 0
    silences = 0
    refusals = 0
  }

  /// Returns whether the connection is to be retired.
  mutating func faulted() -> Bool {
    silences = 0
    faults += 1
    return faults >= Self.faultLimit
  }

  mutating func wasSilent() -> Bool {
    silences += 1
    return silences >= Self.silenceLimit
  }

  mutating func refused() -> Bool {
    silences = 0
    refusals += 1
    return refusals >= Self.refusalLimit
  }
}
