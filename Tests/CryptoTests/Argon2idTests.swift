import Crypto
import ServiceKit
import Testing

@Suite("Passwords")
struct Argon2idTests {
  /// As cheap as Argon2 allows: what is tested here does not depend on the cost.
  private static let cheap = Argon2id.Cost(passes: 1, kibibytes: 8, lanes: 1)

  private func withArgon2id(cost: Argon2id.Cost = cheap, _ body: (Argon2id) async throws -> Void) async throws {
    let pool = BlockingPool(threads: 1)
    defer { pool.stop() }
    try await body(Argon2id(cost: cost, pool: pool))
  }

  @Test("The hash of the reference implementation's test is confirmed")
  func referenceVector() async throws {
    // phc-winner-argon2, src/test.c, version 0x13, Argon2id, t=2, m=2^16, p=1.
    let stored =
      "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
    try await withArgon2id { argon2id async throws in
      #expect(try await argon2id.isValid(Secret("password"), for: stored))
      #expect(try await !argon2id.isValid(Secret("Password"), for: stored))
    }
  }

  @Test("The recommended cost is RFC 9106's second, and its hashes are confirmed")
  func recommended() async throws {
    try await withArgon2id(cost: Argon2id.recommended) { argon2id async throws in
      let stored = try await argon2id.hash(Secret("correct horse"))
      #expect(stored.hasPrefix("$argon2id$v=19$m=65536,t=3,p=4$"))
      #expect(stored.utf8.count == 97)
      #expect(try await argon2id.isValid(Secret("correct horse"), for: stored))
      #expect(try await !argon2id.isValid(Secret("correct horsf"), for: stored))
    }
  }

  @Test("A password is hashed with a new salt each time")
  func salts() async throws {
    try await withArgon2id { argon2id async throws in
      let first = try await argon2id.hash(Secret("x"))
      let second = try await argon2id.hash(Secret("x"))
      #expect(first != second)
      #expect(try await argon2id.isValid(Secret("x"), for: first))
      #expect(try await argon2id.isValid(Secret("x"), for: second))
    }
  }

  @Test(
    "Passwords of every kind keep apart what differs",
    arguments: ["é", "e\u{301}", "🔑", "a\u{0}b", "a\u{0}c", " x", "x "])
  func exactBytes(password: String) async throws {
    try await withArgon2id { argon2id async throws in
      let stored = try await argon2id.hash(Secret(password))
      for other in ["é", "e\u{301}", "🔑", "a\u{0}b", "a\u{0}c", "a", " x", "x ", "x"] {
        let isSame = Array(other.utf8) == Array(password.utf8)
        #expect(try await argon2id.isValid(Secret(other), for: stored) == isSame)
      }
    }
  }

  @Test("A password has 1 to 1024 bytes; others are not hashed, and are never right")
  func lengths() async throws {
    try await withArgon2id { argon2id async throws in
      let longest = String(repeating: "x", count: 1024)
      let stored = try await argon2id.hash(Secret(longest))
      #expect(try await argon2id.isValid(Secret(longest), for: stored))
      for wrong in ["", longest + "x"] {
        await #expect(throws: CryptoError.self) { try await argon2id.hash(Secret(wrong)) }
        #expect(try await !argon2id.isValid(Secret(wrong), for: stored))
      }
    }
  }

  static let unreadable: [String] = [
    "", "x", "$argon2id$", "$2b$12$abcdefghijklmnopqrstuv",
    "$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
    "$argon2id$v=16$m=8,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
    "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ",
    "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc$x",
    "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc=",
    "$argon2id$v=19$m=08,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
    "$argon2id$v=19$m=+8,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
    "$argon2id$v=19$m=7,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
    "$argon2id$v=19$m=8,t=0,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
    "$argon2id$v=19$m=8,t=1,p=0$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
    "$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
    "$argon2id$v=19$m=1048577,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
    "$argon2id$v=19$m=8,t=17,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
    "$argon2id$v=19$m=8,t=1,p=1$YQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
    "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$YWJj",
    "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$" + String(repeating: "A", count: 1000),
  ]

  @Test("A stored text that is no hash, or asks for more than we would pay, is an error", arguments: unreadable)
  func notHashes(stored: String) async throws {
    try await withArgon2id { argon2id async throws in
      await #expect(throws: CryptoError.self) { try await argon2id.isValid(Secret("x"), for: stored) }
    }
  }

  @Test("A hash at another cost is outdated")
  func outdated() async throws {
    try await withArgon2id { argon2id async throws in
      let stored = try await argon2id.hash(Secret("x"))
      #expect(!argon2id.isOutdated(stored))
      let pool = BlockingPool(threads: 1)
      defer { pool.stop() }
      #expect(Argon2id(cost: Argon2id.Cost(passes: 2, kibibytes: 8, lanes: 1), pool: pool).isOutdated(stored))
      #expect(argon2id.isOutdated("x"))
    }
  }

  @Test("A stopped pool is an error, not a wrong password")
  func stoppedPool() async throws {
    let pool = BlockingPool(threads: 1)
    let argon2id = Argon2id(cost: Self.cheap, pool: pool)
    let stored = try await argon2id.hash(Secret("x"))
    pool.stop()
    await #expect(throws: BlockingPool.Failure.stopped) { try await argon2id.isValid(Secret("x"), for: stored) }
  }
}
