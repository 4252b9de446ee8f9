import PushCore
import Testing

@Suite struct IDTests {
  @Test func textIsPrefixAnd26Characters() {
    let id = MessageID(0)
    #expect(id.description == "msg_00000000000000000000000000")
    // The largest value: 128 ones are `7` and 25 times `z`.
    #expect(MessageID(.max).description == "msg_7zzzzzzzzzzzzzzzzzzzzzzzzz")
  }

  @Test func everyTextReadsBackAsItself() {
    for _ in 0..<1000 {
      let id = InstallationID.make()
      #expect(InstallationID(id.description) == id)
    }
  }

  @Test(arguments: [
    "", "msg_", "msg_0000000000000000000000000", "msg_000000000000000000000000000", "ins_00000000000000000000000000",
    "msg-00000000000000000000000000", "msg_0000000000000000000000000I", "msg_0000000000000000000000000U",
    "msg_80000000000000000000000000", "msg_0000000000000000000000000é", "msg_0000000000000000000000000A",
  ])
  func onlyTheCanonicalTextIsRead(_ text: String) {
    #expect(MessageID(text) == nil)
  }

  @Test func idsSortByTheTimeOfTheirMakingInBothForms() {
    let earlier = MessageID(UUIDv7.make(at: Timestamp(milliseconds: 1_764_626_400_000)))
    let later = MessageID(UUIDv7.make(at: Timestamp(milliseconds: 1_764_626_400_001)))
    #expect(earlier < later)
    #expect(earlier.description < later.description)
  }

  @Test func bitsAreThoseOfAVersion7UUID() {
    let value = UUIDv7.make(at: Timestamp(milliseconds: 0x0123_4567_89ab))
    #expect(value >> 80 == 0x0123_4567_89ab)
    #expect(value >> 76 & 0xf == 7)
    #expect(value >> 62 & 0b11 == 0b10)
  }

  @Test func lowerBoundIsBelowEveryIDOfItsMillisecond() {
    let time = Timestamp(milliseconds: 1_764_626_400_000)
    for _ in 0..<100 { #expect(UUIDv7.lowerBound(at: time) <= UUIDv7.make(at: time)) }
  }
}

@Suite struct DeliveryIDTests {
  private let message = MessageID(0x0193_8000_0000_7000_8000_0000_0000_0001)

  @Test func readsBackAsItself() {
    for proof: UInt128 in [0, 1, 1 << 79, (1 << 80) - 1] {
      let id = DeliveryID(message: message, proof: proof)
      #expect(id.description.utf8.count == DeliveryID.length)
      #expect(DeliveryID(id.description) == id)
    }
  }

  @Test(arguments: [
    "", "dlv_", "msg_0000000000000000000000000000000000000000000", "dlv_" + String(repeating: "u", count: 42),
  ])
  func anythingElseIsRefused(_ text: String) {
    #expect(DeliveryID(text) == nil)
  }

  @Test func oneHashGivesProofAndAVersion8UUID() {
    let hash = (0..<32).map { UInt8($0) }
    let signature = hash.withUnsafeBytes { DeliverySignature(hash: $0) }
    #expect(signature.proof == 0x0001_0203_0405_0607_0809)
    // Bytes 10 to 25, with version 8 in the high half of byte 6 and variant 10 in the top of byte 8.
    #expect(signature.apnsID == 0x0a0b_0c0d_0e0f_8011_9213_1415_1617_1819)
  }
}
