internal import CLinux
internal import Glibc

/// An epoll instance and the eventfd that wakes it.
///
/// Owned by one `EventLoop`; `wake()` may be called from any thread, everything else on the loop's thread only. Closed
/// with its owner.
struct Poller: ~Copyable {
  struct Interest: OptionSet {
    let rawValue: UInt32
    static let readable = Interest(rawValue: UInt32(EPOLLIN.rawValue))
    static let writable = Interest(rawValue: UInt32(EPOLLOUT.rawValue))
    static let peerEnded = Interest(rawValue: UInt32(EPOLLRDHUP.rawValue))
    static let failed = Interest(rawValue: UInt32(EPOLLERR.rawValue) | UInt32(EPOLLHUP.rawValue))
    static let edgeTriggered = Interest(rawValue: UInt32(EPOLLET.rawValue))
  }

  private let epoll: Int32
  private let waker: Int32

  /// Descriptors are missing at start-up only if the process is hopelessly short of them: there is nothing to return.
  init() {
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    waker = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
    precondition(epoll >= 0 && waker >= 0, "no descriptor left for an event loop")
    let status = control(EPOLL_CTL_ADD, waker, [.readable], token: Self.wakeToken)
    precondition(status == 0, "epoll refuses its own wake-up descriptor")
  }

  deinit {
    close(waker)
    close(epoll)
  }

  /// No channel has this token: generations start at 1.
  static let wakeToken: UInt64 = 0

  func wake() {
    var one: UInt64 = 1
    // EAGAIN means the counter is at its maximum, so the loop is awake anyway.
    _ = write(waker, &one, 8)
  }

  func clearWake() {
    var count: UInt64 = 0
    _ = read(waker, &count, 8)
  }

  func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) -> Bool {
    control(EPOLL_CTL_ADD, descriptor, interest, token: token) == 0
  }

  func change(_ descriptor: Int32, _ interest: Interest, token: UInt64) {
    _ = control(EPOLL_CTL_MOD, descriptor, interest, token: token)
  }

  func remove(_ descriptor: Int32) {
    _ = control(EPOLL_CTL_DEL, descriptor, [], token: 0)
  }

  /// Milliseconds; -1 waits without end. An interrupted wait counts as no event.
  func wait(into events: UnsafeMutableBufferPointer<epoll_event>, milliseconds: Int32) -> Int {
    max(0, Int(epoll_wait(epoll, events.baseAddress, Int32(events.count), milliseconds)))
  }

  private func control(_ operation: Int32, _ descriptor: Int32, _ interest: Interest, token: UInt64) -> Int32 {
    var event = epoll_event()
    event.events = interest.rawValue
    event.data.u64 = token
    return epoll_ctl(epoll, operation, descriptor, &event)
  }
}
