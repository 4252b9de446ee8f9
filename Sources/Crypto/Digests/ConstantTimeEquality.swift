internal import COpenSSL

/// Compares in a time that depends on the lengths alone. Lengths are not treated as secret.
package func constantTimeEquals(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
  guard left.count == right.count else { return false }
  guard left.count > 0 else { return true }
  return CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
}

/// Compares in a time that depends on the lengths alone. Lengths are not treated as secret.
package func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  left.withUnsafeBytes { left in right.withUnsafeBytes { constantTimeEquals(left, $0) } }
}
