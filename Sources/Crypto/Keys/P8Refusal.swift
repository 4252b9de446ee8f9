/// Why an uploaded file is not the key that Apple gives for tokens. The words are for the person who uploaded it; nothing of
/// the file is in them.
package enum P8Refusal: String, Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case empty
  case tooLarge = "too_large"
  case notPEM = "not_pem"
  case truncated
  case damaged
  case certificate
  case publicKey = "public_key"
  case rsaKey = "rsa_key"
  case wrongCurve = "wrong_curve"
  case otherKey = "other_key"
  case encrypted
  case sec1
  case invalidKey = "invalid_key"

  package var description: String {
    switch self {
    case .empty: "the key file is empty"
    case .tooLarge: "the file is larger than \(P8Parser.longestFile) bytes, a .p8 key has about 260"
    case .notPEM: "this is not a .p8 key: the line -----BEGIN PRIVATE KEY----- is missing"
    case .truncated: "the key is cut off: the line -----END PRIVATE KEY----- is missing"
    case .damaged: "the text between the BEGIN and END lines is damaged; upload the file as it was downloaded"
    case .certificate: "this is a certificate or a certificate request, not a .p8 key"
    case .publicKey: "this is a public key; the private one in the .p8 file is needed"
    case .rsaKey: "this is an RSA key; Apple's .p8 keys are P-256 keys"
    case .wrongCurve: "this key is on another curve; Apple's .p8 keys are P-256 keys"
    case .otherKey: "this is a private key of another kind; Apple's .p8 keys are P-256 keys"
    case .encrypted: "this key is encrypted with a password; upload the .p8 file as Apple gave it"
    case .sec1: "this is an EC PRIVATE KEY block, made by another tool; upload the .p8 file as Apple gave it"
    case .invalidKey: "the key is not valid: a test signature with it failed"
    }
  }
}
