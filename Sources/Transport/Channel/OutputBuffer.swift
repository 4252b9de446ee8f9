internal import Glibc

/// Bytes waiting to be written, contiguous, with a maximum.
///
/// Owned by one channel; freed with it. Grows by doubling up to its maximum and gives large storage back once empty.
struct OutputBuffer: ~Copyable {
  private var storage: UnsafeMutableRawPointer?
  private var capacity = 0
  private var start = 0
  private var end = 0
  let maximum: Int

  init(maximum: Int) { self.maximum = maximum }

  deinit { storage?.deallocate() }

  var count: Int { end &- start }

  /// False, with nothing appended, if the maximum would be exceeded.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return true }
    if end &+ bytes.count > capacity {
      guard makeRoom(for: bytes.count) else { return false }
    }
    memcpy(storage.unsafelyUnwrapped + end, source, bytes.count)
    end &+= bytes.count
    return true
  }

  /// The first `limit` bytes at most, valid until the next change.
  func withFront<Result>(atMost limit: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(start: storage.map { UnsafeRawPointer($0 + start) }, count: min(limit, count)))
  }

  mutating func consume(_ byteCount: Int) {
    start &+= byteCount
    guard start == end else { return }
    start = 0
    end = 0
    if capacity > Self.keptCapacity { release() }
  }

  mutating func removeAll() {
    start = 0
    end = 0
    release()
  }

  /// An idle channel keeps at most this much; a busy one fills it between two writes.
  private static let keptCapacity = 65536

  private mutating func release() {
    storage?.deallocate()
    storage = nil
    capacity = 0
  }

  private mutating func makeRoom(for byteCount: Int) -> Bool {
    let needed = count + byteCount
    guard needed <= maximum else { return false }
    if needed <= capacity, start >= capacity / 2 {
      memmove(storage.unsafelyUnwrapped, storage.unsafelyUnwrapped + start, count)
    } else {
      let newCapacity = max(needed, min(maximum, max(4096, capacity * 2)))
      let fresh = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 16)
      if let storage, count > 0 { memcpy(fresh, storage + start, count) }
      storage?.deallocate()
      storage = fresh
      capacity = newCapacity
    }
    end = count
    start = 0
    return true
  }
}
