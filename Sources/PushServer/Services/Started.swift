internal import ServiceKit

/// A value that a service makes while starting and those after it use. Set once; any thread.
final class Started<Value: Sendable>: Sendable {
  private let stored = Lock<Value?>(nil)

  /// Only after the start: services start in order.
  var value: Value {
    guard let value = stored.withLock({ $0 }) else { preconditionFailure("used before it was started") }
    return value
  }

  var ifStarted: Value? { stored.withLock { $0 } }

  func set(_ value: Value) { stored.withLock { $0 = value } }
}
