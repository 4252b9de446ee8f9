internal import Glibc

/// A value behind a pthread mutex.
///
/// Owned by whoever shares the value; usable from any thread; freed with its last reference. The lock is a pthread one
/// and not `Synchronization.Mutex` because ThreadSanitizer understands pthread locks and reports the other as races.
/// Never hold it across an `await` (the closure is synchronous, so the compiler sees to that) or while calling out.
package final class Lock<State>: @unchecked Sendable {
  // Proof of `Sendable`: `state` is read and written only between lock and unlock of `mutex`.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var state: State

  package init(_ state: sending State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
