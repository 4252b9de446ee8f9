internal import COpenSSL

/// Maps the result of certificate verification to a transport error.
enum VerificationFailure {
  /// Nil if verification succeeded or was not reached.
  static func error(for result: Int) -> TransportError? {
    let result = Int32(truncatingIfNeeded: result)
    guard result != X509_V_OK else { return nil }
    let text = String(cString: X509_verify_cert_error_string(Int(result)))
    return TransportError(code(for: result), text)
  }

  private static func code(for result: Int32) -> TransportError.Code {
    switch result {
    case X509_V_ERR_CERT_HAS_EXPIRED: .certificateExpired
    case X509_V_ERR_CERT_NOT_YET_VALID: .certificateNotYetValid
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: .certificateNameMismatch
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_UNTRUSTED,
      // Signed by a namesake of a trusted authority, such as a local one made anew.
      X509_V_ERR_CERT_SIGNATURE_FAILURE:
      .unknownAuthority
    default: .certificateRejected
    }
  }
}
