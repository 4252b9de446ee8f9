internal import COpenSSL

/// One certificate; freed with its owner.
struct X509Handle: ~Copyable {
  private let raw: OpaquePointer

  init(taking raw: OpaquePointer) { self.raw = raw }

  deinit { X509_free(raw) }

  func withX509<Result, Failure: Error>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(raw)
  }

  /// Calls `body` with each certificate of a PEM text, in order. Throws `badCertificate` if there is none or one of them
  /// is damaged.
  static func forEach(
    inPEM text: [UInt8], _ body: (borrowing X509Handle) throws(TransportError) -> Void
  ) throws(TransportError) {
    let bio = MemoryBIO(copying: text)
    var found = 0
    while true {
      OpenSSLFailure.clear()
      guard let next = bio.withBIO({ PEM_read_bio_X509($0, nil, nil, nil) }) else { break }
      try body(X509Handle(taking: next))
      found += 1
    }
    let failure = OpenSSLFailure.drain()
    // The reader ends with "no start line" when the text is used up.
    guard found > 0, failure.reason == PEM_R_NO_START_LINE else {
      throw TransportError(.badCertificate, failure.text)
    }
  }
}
