/// What ties a delivery to its message and installation without a look-up: part of a keyed hash over both.
///
/// One computation gives the proof in the delivery id and the `apns-id`, which is therefore the same on every resend.
package struct DeliverySignature: Sendable, Hashable {
  /// The first 10 bytes of the keyed hash, as a number below 2^80.
  package let proof: UInt128
  /// The next 16 bytes with the version and variant bits of a UUID version 8.
  package let apnsID: UInt128

  /// `hash` is an HMAC-SHA-256 over the message's and the installation's 16 bytes, with the app's delivery key.
  package init(hash: UnsafeRawBufferPointer) {
    precondition(hash.count >= 26)
    var proof: UInt128 = 0
    for byte in hash.prefix(10) { proof = proof << 8 | UInt128(byte) }
    var id: UInt128 = 0
    for byte in hash[10..<26] { id = id << 8 | UInt128(byte) }
    id &= ~(UInt128(0xf) << 76 | UInt128(0b11) << 62)
    id |= UInt128(8) << 76 | UInt128(0b10) << 62
    self.proof = proof
    apnsID = id
  }

  package init(proof: UInt128, apnsID: UInt128) {
    self.proof = proof
    self.apnsID = apnsID
  }
}

/// The `delivery_id` at a payload's root: `dlv_`, the message's 26 characters and 16 of proof. The installation is not in it: the
/// phone names itself when it reports, and the proof fits no other.
package struct DeliveryID: Sendable, Hashable, CustomStringConvertible {
  package let message: MessageID
  package let proof: UInt128

  package static let length = 4 + IDText.length + proofLength
  private static let proofLength = 16
  private static let prefix: StaticString = "dlv_"

  package init(message: MessageID, proof: UInt128) {
    self.message = message
    self.proof = proof
  }

  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == Self.length, bytes.starts(with: Array("dlv_".utf8)),
      let message = IDText.decode(bytes[4..<(4 + IDText.length)])
    else { return nil }
    // Sixteen characters hold 80 bits; ten leading zeros make them a text that the id decoder reads.
    let padded =
      Array(repeating: UInt8(ascii: "0"), count: IDText.length - Self.proofLength) + bytes[(4 + IDText.length)...]
    guard let proof = IDText.decode(padded) else { return nil }
    self.init(message: MessageID(message), proof: proof)
  }

  package var description: String {
    String(unsafeUninitializedCapacity: Self.length) { buffer in
      Self.write(message: message, proof: proof, into: UnsafeMutableRawBufferPointer(buffer))
      return Self.length
    }
  }

  /// Writes ``length`` bytes at the start of `buffer`: the form the payload template uses, once per push.
  package static func write(message: MessageID, proof: UInt128, into buffer: UnsafeMutableRawBufferPointer) {
    precondition(buffer.count >= length)
    buffer.baseAddress?.copyMemory(from: prefix.utf8Start, byteCount: 4)
    IDText.encode(message.value, into: UnsafeMutableRawBufferPointer(rebasing: buffer[4...]))
    withUnsafeTemporaryAllocation(byteCount: IDText.length, alignment: 1) { digits in
      IDText.encode(proof, into: digits)
      UnsafeMutableRawBufferPointer(rebasing: buffer[(4 + IDText.length)..<length])
        .copyBytes(from: digits[(IDText.length - proofLength)...])
    }
  }
}
