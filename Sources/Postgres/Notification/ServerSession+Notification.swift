internal import CLibPQ
internal import Glibc

/// Waiting for what the server sends of its own accord.
extension ServerSession {
  /// True when something arrived, false at `instant`. Throws when the connection is lost or aborted.
  func waitForInput(until instant: ContinuousClock.Instant) throws(PostgresError) -> Bool {
    while true {
      guard !interrupt.isAborted else { throw PostgresError(.closed) }
      guard let timeout = instant.pollTimeout else { return false }
      guard poll(socketEvents: Int16(POLLIN), timeout: timeout) else { continue }
      guard PQconsumeInput(handle.raw) != 0, handle.isConnected else { throw lost() }
      return true
    }
  }

  /// The next notification already received.
  func nextNotification() -> NotificationEvent? {
    guard let raw = PQnotifies(handle.raw) else { return nil }
    defer { PQfreemem(raw) }
    return .notification(channel: String(cString: raw.pointee.relname), payload: String(cString: raw.pointee.extra))
  }
}
