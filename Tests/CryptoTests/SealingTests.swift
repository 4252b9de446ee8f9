import Crypto
import ServiceKit
import Testing

@Suite("Sealing values")
struct SealingTests {
  private let plain = Array("the value".utf8)
  private let place = AssociatedData("apps.key", [1, 2, 3])

  private func key(_ byte: UInt8) throws -> SealingKey { try SealingKey(Secret([UInt8](repeating: byte, count: 32))) }

  @Test("A sealed value opens with its key at its place", arguments: [0, 1, 15, 16, 17, 1000, 100_000])
  func roundTrip(count: Int) throws {
    let sealer = AESGCMSealer(try key(1))
    let plain = SecureRandom.bytes(count)
    let sealed = try sealer.seal(plain, for: place)
    #expect(sealed.count == count + AESGCMSealer.overhead)
    #expect(try sealer.open(sealed, for: place).exposed == plain)
  }

  @Test("The form is version, key name, nonce, ciphertext and tag, and does not show the value")
  func form() throws {
    let sealed = try AESGCMSealer(try key(1)).seal(plain, for: place)
    #expect(AESGCMSealer.overhead == 1 + 8 + 12 + 16)
    #expect(sealed[0] == 1)
    #expect(!Array(sealed.dropFirst(21)).starts(with: plain))
    #expect(!sealed.contains(plain))
  }

  @Test("The same value sealed twice looks different from the nonce on")
  func nonces() throws {
    let sealer = AESGCMSealer(try key(1))
    let sealed = try (0..<1000).map { _ in try sealer.seal(plain, for: place) }
    #expect(Set(sealed.map { Array($0[9..<21]) }).count == 1000)
    #expect(Set(sealed.map { Array($0[21...]) }).count == 1000)
    #expect(Set(sealed.map { Array($0[..<9]) }).count == 1)
  }

  @Test("A value with any bit changed does not open")
  func tampering() throws {
    let sealer = AESGCMSealer(try key(1))
    let sealed = try sealer.seal(plain, for: place)
    for position in sealed.indices {
      for bit in 0..<8 {
        var changed = sealed
        changed[position] ^= 1 << bit
        let error = #expect(throws: CryptoError.self) { try sealer.open(changed, for: place) }
        let expected: CryptoError.Code =
          switch position {
          case 0: .notSealed
          case 1..<9: .unknownSealingKey
          default: .notAuthentic
          }
        #expect(error?.code == expected)
      }
    }
  }

  @Test("A value cut off or made longer does not open")
  func lengths() throws {
    let sealer = AESGCMSealer(try key(1))
    let sealed = try sealer.seal(plain, for: place)
    for length in 0..<sealed.count {
      #expect(throws: CryptoError.self) { try sealer.open(Array(sealed[..<length]), for: place) }
    }
    #expect(throws: CryptoError.self) { try sealer.open(sealed + [0], for: place) }
  }

  @Test("A value opens at its own place only, however the parts of a place are cut")
  func places() throws {
    let sealer = AESGCMSealer(try key(1))
    let sealed = try sealer.seal(plain, for: AssociatedData("apps.key", [1], [2, 3]))
    #expect(try sealer.open(sealed, for: AssociatedData("apps.key", [1], [2, 3])).exposed == plain)
    for other in [
      AssociatedData("apps.key", [1, 2], [3]), AssociatedData("apps.key", [1, 2, 3]), AssociatedData("apps.key"),
      AssociatedData("apps.kez", [1], [2, 3]), AssociatedData("apps.key", [1], [2, 3], []),
      AssociatedData("apps.ke", [UInt8(ascii: "y")], [1], [2, 3]), AssociatedData("apps.key", [2, 3], [1]),
    ] {
      let error = #expect(throws: CryptoError.self) { try sealer.open(sealed, for: other) }
      #expect(error?.code == .notAuthentic)
    }
  }

  @Test("After a rotation new values are under the new key, old ones open and are told apart")
  func rotation() throws {
    let old = AESGCMSealer(try key(1))
    let sealed = try old.seal(plain, for: place)
    let rotated = AESGCMSealer(try key(2), opening: [try key(1)])
    #expect(try rotated.open(sealed, for: place).exposed == plain)
    #expect(rotated.isOutdated(sealed))
    let resealed = try rotated.seal(plain, for: place)
    #expect(!rotated.isOutdated(resealed))
    #expect(try AESGCMSealer(try key(2)).open(resealed, for: place).exposed == plain)
    let error = #expect(throws: CryptoError.self) { try old.open(resealed, for: place) }
    #expect(error?.code == .unknownSealingKey)
  }

  @Test("Another key that claims the name does not open the value")
  func forgedName() throws {
    let mine = AESGCMSealer(try key(1))
    let theirs = try AESGCMSealer(try key(2)).seal(plain, for: place)
    let name = try mine.seal(plain, for: place)[1..<9]
    let forged = [theirs[0]] + name + theirs[9...]
    let error = #expect(throws: CryptoError.self) { try mine.open(Array(forged), for: place) }
    #expect(error?.code == .notAuthentic)
  }

  @Test("A key has 32 bytes, no more and no less", arguments: [0, 16, 31, 33, 64])
  func keyLengths(count: Int) {
    #expect(throws: CryptoError.self) { try SealingKey(Secret([UInt8](repeating: 1, count: count))) }
  }

  @Test("Values sealed by an earlier build still open")
  func stability() throws {
    // Made independently of our code.
    let sealed = try #require(Hex.decode(SealingFixture.sealed))
    let opened = try AESGCMSealer(try key(0x42)).open(sealed, for: AssociatedData("apps.key", [1], [2, 3]))
    #expect(opened.exposed == Array("sealed long ago".utf8))
  }
}

extension [UInt8] {
  fileprivate func contains(_ other: [UInt8]) -> Bool {
    guard count >= other.count else { return false }
    return (0...(count - other.count)).contains { self[$0..<($0 + other.count)].elementsEqual(other) }
  }
}
