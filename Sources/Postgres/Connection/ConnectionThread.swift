internal import CLinux
internal import Glibc

/// A serial executor on a thread of its own, for one connection: libpq blocks, and a cooperative thread must not.
///
/// Owned by its actor; the thread keeps itself alive until `stop()`, which the actor calls as the last thing it does.
final class ConnectionThread: SerialExecutor, @unchecked Sendable {
  // Proof of `Sendable`: `jobs` and `isStopped` are touched only under `mutex`; `thread` is written once, before `init`
  // returns, and only compared afterwards; the two pointers never change.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let wake: UnsafeMutablePointer<pthread_cond_t>
  private var jobs: [UnownedJob] = []
  private var isStopped = false
  private var thread = pthread_t()

  init() throws(PostgresError) {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    wake = .allocate(capacity: 1)
    wake.initialize(to: pthread_cond_t())
    pthread_cond_init(wake, nil)
    let retained = Unmanaged.passRetained(self)
    pthread_mutex_lock(mutex)
    let failure = pthread_create(&thread, nil, { runConnectionThread($0) }, retained.toOpaque())
    pthread_mutex_unlock(mutex)
    guard failure == 0 else {
      retained.release()
      throw PostgresError(.limitExceeded, reason: "no thread for a connection")
    }
    pthread_detach(thread)
  }

  deinit {
    pthread_cond_destroy(wake)
    wake.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pthread_mutex_lock(mutex)
    jobs.append(job)
    pthread_cond_signal(wake)
    pthread_mutex_unlock(mutex)
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  func checkIsolated() {
    precondition(pthread_equal(thread, pthread_self()) != 0, "not on the connection's thread")
  }

  /// Ends the thread once the jobs already queued have run. No job may be queued afterwards.
  func stop() {
    pthread_mutex_lock(mutex)
    isStopped = true
    pthread_cond_signal(wake)
    pthread_mutex_unlock(mutex)
  }

  fileprivate func run() {
    let executor = asUnownedSerialExecutor()
    while let batch = nextJobs() {
      for job in batch { job.runSynchronously(on: executor) }
    }
  }

  private func nextJobs() -> [UnownedJob]? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while jobs.isEmpty && !isStopped { pthread_cond_wait(wake, mutex) }
    guard !jobs.isEmpty else { return nil }
    defer { jobs = [] }
    return jobs
  }
}

private func runConnectionThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  pthread_setname_np(pthread_self(), "postgres")
  let thread = Unmanaged<ConnectionThread>.fromOpaque(context!).takeRetainedValue()
  thread.run()
  return nil
}
