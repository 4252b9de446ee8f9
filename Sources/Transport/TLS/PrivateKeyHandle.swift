internal import COpenSSL

/// A private key; freed with its owner.
struct PrivateKeyHandle: ~Copyable {
  private let raw: OpaquePointer

  init(taking raw: OpaquePointer) { self.raw = raw }

  /// Keys under a passphrase are refused: nobody is there to type it.
  init(pem: [UInt8]) throws(TransportError) {
    let bio = MemoryBIO(copying: pem)
    OpenSSLFailure.clear()
    let key = bio.withBIO { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) }
    guard let key else { throw TransportError(.badPrivateKey, OpenSSLFailure.drain().text) }
    raw = key
  }

  deinit { EVP_PKEY_free(raw) }

  func withKey<Result, Failure: Error>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(raw)
  }
}
