internal import CLinux
internal import Glibc

/// A POSIX thread with a name. Whoever makes it joins it, once.
package final class OSThread: Sendable {
  private let handle: pthread_t

  /// `name` is cut to the 15 characters that the kernel keeps.
  package init(name: String, _ body: @escaping @Sendable () -> Void) {
    let start = Unmanaged.passRetained(Start(name: String(name.prefix(15)), body: body))
    var handle = pthread_t()
    let failure = pthread_create(
      &handle, nil,
      { argument in
        guard let argument else { return nil }
        // Retained once above, for this call.
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        pthread_setname_np(pthread_self(), start.name)
        start.body()
        return nil
      }, start.toOpaque())
    precondition(failure == 0, "the system gave no thread: \(failure)")
    self.handle = handle
  }

  package func join() { pthread_join(handle, nil) }

  private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void
    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }
}

/// A counting semaphore that blocks threads. Freed with its last reference, when nobody waits.
final class Semaphore: @unchecked Sendable {
  // Proof of `Sendable`: a POSIX semaphore is made to be used by many threads, and its memory never moves.
  private let raw: UnsafeMutablePointer<sem_t>

  init() {
    raw = .allocate(capacity: 1)
    raw.initialize(to: sem_t())
    sem_init(raw, 0, 0)
  }

  deinit {
    sem_destroy(raw)
    raw.deallocate()
  }

  func signal() { sem_post(raw) }

  func wait() {
    while sem_wait(raw) != 0 {}
  }
}
