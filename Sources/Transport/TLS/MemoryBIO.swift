internal import COpenSSL

/// OpenSSL's reader and writer of memory; one function long, freed with its owner.
struct MemoryBIO: ~Copyable {
  private let raw: OpaquePointer

  init() { raw = BIO_new(BIO_s_mem()) }

  /// Copies `bytes`.
  init(copying bytes: [UInt8]) {
    raw = BIO_new(BIO_s_mem())
    BIO_write(raw, bytes, Int32(bytes.count))
  }

  deinit { BIO_free(raw) }

  func withBIO<Result>(_ body: (OpaquePointer) -> Result) -> Result { body(raw) }

  func contents() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: BIO_ctrl_pending(raw)) { buffer, count in
      count = max(0, Int(BIO_read(raw, buffer.baseAddress, Int32(buffer.count))))
    }
  }
}
