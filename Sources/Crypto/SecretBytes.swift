internal import COpenSSL

/// Key bytes outside Swift arrays, so that no copy is made behind our back; wiped with the last reference. Any thread, read-only.
final class SecretBytes: @unchecked Sendable {
  // Proof of `Sendable`: written in `init` only, wiped and freed in `deinit` only.
  private let storage: UnsafeMutableRawBufferPointer

  init(copying bytes: UnsafeRawBufferPointer) {
    storage = .allocate(byteCount: bytes.count, alignment: 16)
    storage.copyMemory(from: bytes)
  }

  deinit {
    OPENSSL_cleanse(storage.baseAddress, storage.count)
    storage.deallocate()
  }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(storage))
  }
}
