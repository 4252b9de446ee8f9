internal import CNGHTTP2
internal import Transport

/// One nghttp2 session and the way its bytes go: what both sides of a connection do alike.
///
/// Owned by one connection, on its loop only; ends with it. nghttp2 must not be called to read or send while it is calling us:
/// `isInside` says when that is.
final class Session {
  private let handle: SessionHandle
  /// Holds the owner's address for nghttp2, which needs a context before the owner is complete.
  private let context: UnsafeMutableRawPointer
  private(set) var isInside = false

  /// Unsent bytes above this wait in the session: memory is bounded, and what is written is fresh in the cache.
  private static let writeTarget = 16384

  init(client callbacks: borrowing CallbackTable) {
    context = .allocate(byteCount: MemoryLayout<UInt>.size, alignment: MemoryLayout<UInt>.alignment)
    handle = SessionHandle(client: callbacks, context: context)
  }

  init(server callbacks: borrowing CallbackTable) {
    context = .allocate(byteCount: MemoryLayout<UInt>.size, alignment: MemoryLayout<UInt>.alignment)
    handle = SessionHandle(server: callbacks, context: context)
  }

  // nghttp2 calls nobody while a session is freed, so the context may go before it.
  deinit { context.deallocate() }

  var raw: OpaquePointer { handle.raw }
  var isOver: Bool { handle.isOver }

  /// Before anything is received or sent. The owner is not kept alive: it owns the session.
  func setOwner(_ owner: AnyObject) {
    context.storeBytes(of: UInt(bitPattern: Unmanaged.passUnretained(owner).toOpaque()), as: UInt.self)
  }

  /// The owner, in a callback of its session.
  @inline(__always)
  static func owner<Owner: AnyObject>(_ context: UnsafeMutableRawPointer?) -> Owner {
    // Written by `setOwner` before the first callback, with the address of the object that owns the session.
    let address = context.unsafelyUnwrapped.load(as: UInt.self)
    return Unmanaged<Owner>.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped).takeUnretainedValue()
  }

  /// False when the session did not take all of it: the peer broke the protocol.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    isInside = true
    defer { isInside = false }
    let count = nghttp2_session_mem_recv(raw, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    return count == bytes.count
  }

  /// Moves what the session has to say into the channel, a record at a time, as fast as the socket takes it. False when the session
  /// failed.
  func send(into channel: Channel) -> Bool {
    while true {
      var produced = false
      while channel.bufferedBytes < Self.writeTarget {
        isInside = true
        let output = handle.nextOutput()
        isInside = false
        guard case .bytes(let bytes) = output else {
          if case .failed = output { return false }
          break
        }
        channel.write(bytes)
        produced = true
      }
      guard produced else { return true }
      channel.flush()
      // What is left waits for the socket; the channel says when it has room.
      guard channel.bufferedBytes < Self.writeTarget else { return true }
    }
  }
}
