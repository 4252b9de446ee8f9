internal import CLinux
internal import COpenSSL
internal import Glibc

/// How OpenSSL reads and writes a socket here: like its own socket BIO, but sending with MSG_NOSIGNAL, so that a peer that
/// went away cannot raise SIGPIPE and the process's signal dispositions stay its own business.
///
/// The BIO does not own the descriptor.
enum SocketBIO {
  /// Proof of safety: made once, never changed, and only read by OpenSSL afterwards.
  nonisolated(unsafe) private static let method: OpaquePointer? = {
    let sourceSink = Int32(BIO_TYPE_SOURCE_SINK) | Int32(BIO_TYPE_DESCRIPTOR)
    guard let method = BIO_meth_new(BIO_get_new_index() | sourceSink, "stream socket") else { return nil }
    BIO_meth_set_read(method, readSocket)
    BIO_meth_set_write(method, writeSocket)
    BIO_meth_set_ctrl(method, controlSocket)
    return method
  }()

  static func make(borrowing descriptor: Int32) -> OpaquePointer? {
    guard let method, let bio = BIO_new(method) else { return nil }
    // One is added so that descriptor 0 is not a null pointer.
    BIO_set_data(bio, UnsafeMutableRawPointer(bitPattern: Int(descriptor) + 1))
    BIO_set_init(bio, 1)
    return bio
  }

  fileprivate static func descriptor(_ bio: OpaquePointer?) -> Int32 { Int32(Int(bitPattern: BIO_get_data(bio)) - 1) }

  fileprivate static func finish(_ bio: OpaquePointer?, _ count: Int, retryFlag: Int32) -> Int32 {
    if count < 0, errno == EAGAIN || errno == EINTR { BIO_set_flags(bio, retryFlag | BIO_FLAGS_SHOULD_RETRY) }
    return Int32(count)
  }
}

private let readSocket: @convention(c) (OpaquePointer?, UnsafeMutablePointer<CChar>?, Int32) -> Int32 = {
  bio, buffer, count in
  BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
  let received = recv(SocketBIO.descriptor(bio), buffer, Int(count), 0)
  // OpenSSL tells an end of stream from a failure by this flag.
  if received == 0 { BIO_set_flags(bio, BIO_FLAGS_IN_EOF) }
  return SocketBIO.finish(bio, received, retryFlag: BIO_FLAGS_READ)
}

private let writeSocket: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32 = {
  bio, buffer, count in
  BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
  let sent = send(SocketBIO.descriptor(bio), buffer, Int(count), Int32(MSG_NOSIGNAL))
  return SocketBIO.finish(bio, sent, retryFlag: BIO_FLAGS_WRITE)
}

private let controlSocket: @convention(c) (OpaquePointer?, Int32, Int, UnsafeMutableRawPointer?) -> Int = {
  bio, command, _, _ in
  switch command {
  case BIO_CTRL_FLUSH: 1
  case BIO_CTRL_EOF: BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0
  default: 0
  }
}
