/// Carries a value that belongs to an event loop through code that may run elsewhere, such as a task or a completion.
///
/// The value is read on the loop's thread only and is given up there too: if the last reference goes away on another
/// thread, the value travels back to the loop first.
package final class LoopBound<Value>: @unchecked Sendable {
  // Proof of `Sendable`: `stored` is touched by `init` and `value`, both of which insist on the loop's thread, and by
  // `deinit`, when no other reference is left. The loop runs everything given to it, even after its end, one at a time.
  private var stored: Value?
  private let loop: EventLoop

  /// On the loop's thread.
  package init(_ value: Value, loop: EventLoop) {
    loop.preconditionIsCurrent()
    stored = value
    self.loop = loop
  }

  package var value: Value {
    loop.preconditionIsCurrent()
    return stored.unsafelyUnwrapped
  }

  deinit {
    guard !loop.isCurrent else { return }
    let parting = Parting(value: stored.take())
    loop.execute { parting.drop() }
  }

  /// Proof of `Sendable`: made by `deinit` with the only reference to the value, dropped on the loop.
  private final class Parting: @unchecked Sendable {
    private var value: Value?
    init(value: consuming Value?) { self.value = value }
    func drop() { value = nil }
  }
}
