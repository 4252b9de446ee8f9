import PushCore
import Testing

@testable import PushStore

@Suite struct KeyringTests {
  @Test func aReceiptTokenStaysTheSameAndOpensItsInstallationOnly() async throws {
    try await withStore { f in
      let id = InstallationID.make()
      let token = try await f.store.receiptToken(for: id, in: f.tenant)
      #expect(token == (try await f.anotherStore().receiptToken(for: id, in: f.tenant)))
      #expect(try await f.store.device(presenting: token, for: f.app.id)?.installation == id)
      #expect(try await f.store.device(presenting: token, for: .make()) == nil)
      let second = try await f.makeApp()
      #expect(try await f.store.device(presenting: token, for: second.app) == nil)
    }
  }

  @Test func noCharacterOfATokenMayDiffer() async throws {
    try await withStore { f in
      let token = try await f.store.receiptToken(for: .make(), in: f.tenant)
      for index in token.indices {
        var forged = token
        forged.replaceSubrange(index...index, with: token[index] == "1" ? "2" : "1")
        #expect(try await f.store.device(presenting: forged, for: f.app.id) == nil)
      }
      for text in ["", "brt_", token + "0", String(token.dropLast()), token.uppercased()] {
        #expect(try await f.store.device(presenting: text, for: f.app.id) == nil)
      }
    }
  }

  @Test func revocationEndsOldTokensAndNewOnesWork() async throws {
    try await withStore { f in
      let id = InstallationID.make()
      let old = try await f.store.receiptToken(for: id, in: f.tenant)
      try await f.store.revokeReceiptTokens(in: f.tenant)
      #expect(try await f.store.device(presenting: old, for: f.app.id) == nil)
      let new = try await f.store.receiptToken(for: id, in: f.tenant)
      #expect(new != old)
      #expect(try await f.store.device(presenting: new, for: f.app.id) != nil)
    }
  }

  @Test func aDeliverysSignatureIsTheSameInEveryProcessAndDiffersOtherwise() async throws {
    try await withStore { f in
      let message = MessageID.make()
      let installation = InstallationID.make()
      let first = try await f.store.signer(for: f.tenant).sign(message: message, installation: installation)
      let other = try await f.anotherStore().signer(for: f.tenant)
      #expect(other.sign(message: message, installation: installation) == first)
      #expect(other.sign(message: .make(), installation: installation) != first)
      #expect(other.sign(message: message, installation: .make()) != first)
      let second = try await f.store.signer(for: try await f.makeApp())
      #expect(second.sign(message: message, installation: installation) != first)
      #expect(first.apnsID >> 76 & 0xf == 8)
    }
  }
}
