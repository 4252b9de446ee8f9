/// One call at one moment, on its event loop's thread.
///
/// Held by the loop until it fires or is cancelled, by its owner as long as it likes; loop thread only. The closure is
/// dropped as soon as it has been called or cancelled. A stopping loop drops its timers without calling them.
package final class LoopTimer {
  package let deadline: MonotonicTime
  /// Orders timers of the same deadline by their age.
  let sequence: UInt64
  /// Place in the heap, -1 when not in it.
  var place = -1
  var body: (() -> Void)?
  private let loop: EventLoop

  init(loop: EventLoop, deadline: MonotonicTime, sequence: UInt64, body: @escaping () -> Void) {
    self.loop = loop
    self.deadline = deadline
    self.sequence = sequence
    self.body = body
  }

  package var isPending: Bool { body != nil }

  /// Does nothing after the timer has fired.
  package func cancel() {
    body = nil
    guard place >= 0 else { return }
    loop.remove(self)
  }
}
