internal import COpenSSL

/// An X.509 certificate under construction; one function long.
struct CertificateBuilder: ~Copyable {
  private let certificate: X509Handle

  init(subject: String, validity: CertificateRequest.Validity) throws(TransportError) {
    guard let raw = X509_new() else { throw Self.failure() }
    let made = X509Handle(taking: raw)
    let bounds = validity.bounds
    X509_set_version(raw, 2)
    // 63 random bits: positive, and unique enough for an authority that lives as long as its process.
    ASN1_INTEGER_set_uint64(X509_get_serialNumber(raw), UInt64.random(in: 1..<(1 << 63)))
    X509_gmtime_adj(X509_getm_notBefore(raw), bounds.start)
    X509_gmtime_adj(X509_getm_notAfter(raw), bounds.end)
    try Self.setCommonName(X509_get_subject_name(raw), subject)
    certificate = made
  }

  func setSubjectKey(_ key: borrowing PrivateKeyHandle) throws(TransportError) {
    let status = certificate.withX509 { raw in key.withKey { X509_set_pubkey(raw, $0) } }
    guard status == 1 else { throw Self.failure() }
  }

  /// - Parameter text: in the syntax of OpenSSL's configuration files.
  func add(_ text: String, as identifier: Int32) throws(TransportError) {
    OpenSSLFailure.clear()
    guard let added = X509V3_EXT_conf_nid(nil, nil, identifier, text) else { throw Self.failure() }
    defer { X509_EXTENSION_free(added) }
    guard certificate.withX509({ X509_add_ext($0, added, -1) }) == 1 else { throw Self.failure() }
  }

  consuming func signed(
    issuerName: String, by key: borrowing PrivateKeyHandle
  ) throws(TransportError) -> X509Handle {
    try certificate.withX509 { (raw) throws(TransportError) in
      try Self.setCommonName(X509_get_issuer_name(raw), issuerName)
    }
    return try sign(key)
  }

  consuming func signed(
    issuer: borrowing X509Handle, by key: borrowing PrivateKeyHandle
  ) throws(TransportError) -> X509Handle {
    let status = certificate.withX509 { raw in
      issuer.withX509 { X509_set_issuer_name(raw, X509_get_subject_name($0)) }
    }
    guard status == 1 else { throw Self.failure() }
    return try sign(key)
  }

  private consuming func sign(_ key: borrowing PrivateKeyHandle) throws(TransportError) -> X509Handle {
    let length = certificate.withX509 { raw in key.withKey { X509_sign(raw, $0, EVP_sha256()) } }
    guard length > 0 else { throw Self.failure() }
    return certificate
  }

  private static func setCommonName(_ name: OpaquePointer?, _ text: String) throws(TransportError) {
    OpenSSLFailure.clear()
    let bytes = Array(text.utf8)
    let status = X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, bytes, Int32(bytes.count), -1, 0)
    guard status == 1 else { throw failure() }
  }

  private static func failure() -> TransportError {
    TransportError(.badCertificate, OpenSSLFailure.drain().text)
  }
}

extension PrivateKeyHandle {
  /// A new P-256 key.
  static func generate() throws(TransportError) -> PrivateKeyHandle {
    OpenSSLFailure.clear()
    guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else {
      throw TransportError(.badPrivateKey, OpenSSLFailure.drain().text)
    }
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
      EVP_PKEY_generate(context, &key) == 1, let key
    else { throw TransportError(.badPrivateKey, OpenSSLFailure.drain().text) }
    return PrivateKeyHandle(taking: key)
  }

  func pem() -> [UInt8] {
    let bio = MemoryBIO()
    bio.withBIO { bio in _ = withKey { PEM_write_bio_PrivateKey(bio, $0, nil, nil, 0, nil, nil) } }
    return bio.contents()
  }
}

extension X509Handle {
  func pem() -> [UInt8] {
    let bio = MemoryBIO()
    bio.withBIO { bio in _ = withX509 { PEM_write_bio_X509(bio, $0) } }
    return bio.contents()
  }
}
