internal import COpenSSL

extension Array where Element == UInt8 {
  /// Overwrites the bytes in a way that the optimiser keeps. Of use only while nobody else holds the array: a shared one is copied
  /// first, and the copy is wiped.
  mutating func wipe() {
    withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
  }
}
