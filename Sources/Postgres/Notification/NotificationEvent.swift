/// What a `NotificationListener` reports.
package enum NotificationEvent: Sendable, Equatable {
  /// The channels are listened to from now on, for the first time: look once at what is there already.
  case connected
  /// They are listened to again after a time in which notifications may have been missed: look again.
  case reconnected
  /// Notifications came faster than they were taken and some were dropped: look again.
  case overflowed
  case notification(channel: String, payload: String)
}
