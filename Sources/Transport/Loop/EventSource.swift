/// Something with a descriptor that an `EventLoop` watches. Called on the loop's thread only.
protocol EventSource: AnyObject {
  func ready(_ events: Poller.Interest)
  /// The loop ends: close, and tell whoever waits. Registration is already gone.
  func loopStopped()
}

/// Told once, on the loop's thread, after the events of the current cycle have been handled and before the loop sleeps.
///
/// The place to write what many small steps of the cycle have gathered.
package protocol EndOfCycleHandler: AnyObject {
  func endOfCycle()
}
