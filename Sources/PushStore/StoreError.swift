/// What went wrong in the store through no fault of the caller; what a caller causes is a ``StoreRefusal``.
///
/// A plain value; its description holds no data and may be shown.
package struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: Sendable, Hashable {
    /// Too much waits to be committed: the answer is 503 and Retry-After.
    case overloaded
    /// The store is being stopped.
    case stopped
    /// Others changed the same rows each time we tried.
    case contended
    /// A row holds what this program does not understand: a newer one wrote it, or it is damaged.
    case unreadable
    /// Something sealed could not be opened: another master key, another row's bytes, or damage.
    case unsealable
  }

  package let code: Code
  package init(_ code: Code) { self.code = code }

  package var description: String {
    switch code {
    case .overloaded: "store: too much waits to be committed"
    case .stopped: "store: stopped"
    case .contended: "store: too many conflicts"
    case .unreadable: "store: unreadable row"
    case .unsealable: "store: sealed data does not open"
    }
  }
}
