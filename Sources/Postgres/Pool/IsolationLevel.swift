/// What a transaction may see of others.
package enum IsolationLevel: Sendable {
  case readCommitted
  case repeatableRead
  case serializable
  /// Repeatable read that writes nothing: several reads of one moment.
  case readOnlySnapshot

  var begin: String {
    switch self {
    case .readCommitted: "BEGIN ISOLATION LEVEL READ COMMITTED"
    case .repeatableRead: "BEGIN ISOLATION LEVEL REPEATABLE READ"
    case .serializable: "BEGIN ISOLATION LEVEL SERIALIZABLE"
    case .readOnlySnapshot: "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
    }
  }
}
