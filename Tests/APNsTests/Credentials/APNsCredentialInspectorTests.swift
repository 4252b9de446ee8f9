import ServiceKit
import Crypto
import PushCore
import Testing

@testable import APNs

@Suite struct APNsCredentialInspectorTests {
  private let pem: [UInt8]
  private let fingerprint: String

  init() throws {
    let key = try ES256Signer.generate()
    pem = try key.pem().exposed
    fingerprint = try key.publicKey().fingerprint()
  }

  private func inspect(
    team: String = "TEAM000001", key: String = "KEY0000001", bundle: String = "com.example.shop", _ p8: [UInt8]? = nil
  ) throws(FieldProblems) -> APNsCredential {
    try APNsCredentialInspector().inspect(teamID: team, keyID: key, bundleID: bundle, p8: p8 ?? pem)
  }

  private func problems(
    team: String = "TEAM000001", key: String = "KEY0000001", bundle: String = "com.example.shop", _ p8: [UInt8]? = nil
  ) -> [FieldProblem] {
    do throws(FieldProblems) {
      _ = try inspect(team: team, key: key, bundle: bundle, p8)
      return []
    } catch {
      return error.problems
    }
  }

  @Test func aGoodKeyIsKeptWithItsFingerprint() throws {
    let credential = try inspect(team: " TEAM000001\n", key: "\tKEY0000001 ", bundle: " com.example.shop ")
    #expect(credential.teamID == "TEAM000001")
    #expect(credential.keyID == "KEY0000001")
    #expect(credential.bundleID == "com.example.shop")
    #expect(credential.fingerprint == fingerprint)
    #expect(try ProviderTokenMint(credential).mint(issuedAt: Fixture.now).isEmpty == false)
  }

  @Test(arguments: ["\r\n", "\\n"]) func pasteDamageIsRepaired(newline: String) throws {
    let text = String(decoding: pem, as: UTF8.self)
    let damaged = text.split(separator: "\n").joined(separator: newline)
    #expect(try inspect(Array(damaged.utf8)).fingerprint == fingerprint)
  }

  @Test(arguments: ["TEAM00001", "TEAM0000011", "TEAM-00001", "ÄÄÄÄÄÄÄÄÄÄ", "", "com.example.shop"])
  func anIDHasTenLettersOrDigits(id: String) {
    #expect(problems(team: id).map(\.pointer) == ["/team_id"])
    #expect(problems(key: id).map(\.pointer) == ["/key_id"])
  }

  @Test(arguments: ["", "TEAM000001", "com..shop", "com.example.*", "com.example.my shop", "com.example.shop.voip"])
  func aBundleIDHasPartsWithDots(id: String) {
    #expect(problems(bundle: id).map(\.pointer) == ["/bundle_id"])
  }

  @Test func whatWasSwappedIsNamed() {
    let found = problems(team: "com.example.shop", bundle: "TEAM000001")
    #expect(found.map(\.pointer) == ["/team_id", "/bundle_id"])
    #expect(found[0].detail.contains("bundle id"))
    #expect(found[1].detail.contains("team id"))
    #expect(problems(team: "SAME000001", key: "SAME000001").map(\.pointer) == ["/key_id"])
  }

  @Test func everyFaultIsReportedAtOnceAndNothingOfTheKey() {
    let secret = "MIGHSECRETSECRET"
    let found = problems(team: "x", key: "y", bundle: "z", Array(secret.utf8))
    #expect(found.map(\.pointer) == ["/team_id", "/key_id", "/bundle_id", "/p8"])
    #expect(!found.contains { $0.detail.contains(secret) })
  }

  @Test func aLargeFileIsRefused() {
    #expect(problems([UInt8](repeating: 65, count: 1_000_000)).map(\.code) == ["too_large"])
    #expect(problems([]).map(\.pointer) == ["/p8"])
  }
}
