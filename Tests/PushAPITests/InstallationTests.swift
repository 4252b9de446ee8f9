import HTTP
import JSON
import PushCore
import Testing

@testable import PushAPI

@Suite struct InstallationTests {
  @Test func theContractsExampleRegisters() async throws {
    let tenant = try await Tenant.make()
    let body = """
      {"app_id":"\(tenant.app)","device_id":"d-1","anonymous_id":"a-1","platform":"ios","push_provider":"apns",
       "token":"A1B2C3D4","environment":"production","permission_state":"granted","user_id":null,"locale":"fr-CA",
       "timezone":"America/Montreal","app_version":"3.1.0","os_version":"18.2","sdk_version":"1.6.0",
       "device_model":"iPhone16,2","tags":{"plan":"pro","level":7,"beta":true}}
      """
    let first = try await tenant.api.call(.post, "installations", body: body)
    #expect(first.status == 201)
    #expect(InstallationID(first.text("id")) != nil)
    #expect(!first.text("receipt_token").isEmpty)
    #expect(first["device_id"]?.string == "d-1")
    #expect(first["user_id"]?.isNull == true)
    #expect(first["environment"]?.string == "production")
    #expect(first["permission_state"]?.string == "granted")
    #expect(first["tags"]?["level"]?.number?.text == "7")
    #expect(first["identity_epoch"]?.number?.int64 != nil)
    let second = try await tenant.api.call(.post, "installations", body: body)
    #expect(second.status == 200)
    #expect(second.text("id") == first.text("id"))
    #expect(second.text("receipt_token") == first.text("receipt_token"))
  }

  @Test func leftOutTheEnvironmentIsTheApps() async throws {
    let tenant = try await Tenant.make(try await TestAPI.make(), environment: "development")
    let phone = try await tenant.device()
    #expect(phone.registered["environment"]?.string == "development")
  }

  @Test func anUnknownAppIsNotFound() async throws {
    let api = try await TestAPI.make()
    let answer = try await api.call(
      .post, "installations",
      body: #"{"app_id":"app_01k0123456789abcdefghjkmnp","device_id":"d","platform":"ios"}"#)
    #expect(answer.status == 404)
  }

  // Case 56.
  @Test(arguments: [64, 108, 160, 200, 400])
  func aTokenOfAnyEvenLengthIsKept(_ digits: Int) async throws {
    let tenant = try await Tenant.make()
    let phone = try await tenant.device(token: String(repeating: "ab", count: digits / 2))
    #expect(phone.registered.status == 201)
  }

  @Test(arguments: [
    (String(repeating: "a", count: 63), "odd_length"), (String(repeating: "a", count: 402), "too_long"),
    (String(repeating: "a", count: 20_000), "too_long"), ("fcm:APA91b-x", "not_hexadecimal"), ("", "empty"),
    ("?", "not_hexadecimal"), ("%", "not_hexadecimal"), ("' OR 1=1 --", "not_hexadecimal"),
  ])
  func aTokenThatIsNoneIsRefusedInWords(_ token: String, _ code: String) async throws {
    let tenant = try await Tenant.make()
    let answer = try await tenant.api.call(
      .post, "installations",
      body: #"{"app_id":"\#(tenant.app)","device_id":"d","platform":"ios","token":"\#(token)"}"#)
    #expect(answer.status == 400)
    #expect(answer.problems == ["/token \(code)"])
  }

  // Case 57.
  @Test func everySpellingOfATokenIsOneToken() async throws {
    let tenant = try await Tenant.make()
    var ids: [String] = []
    for (index, token) in ["a1b2c3d4", "A1B2C3D4", "a1B2c3D4", "<a1b2 c3d4>", #"a1b2\nc3d4"#].enumerated() {
      ids.append(try await tenant.device("d-\(index)", token: token).id)
    }
    let list = try await tenant.api.call(.get, "installations", tenant.appKey)
    let active = list["data"]?.array?.filter { $0["status"]?.string == "active" }.compactMap { $0["id"]?.string }
    // Each registration took the token over, so only the last has it.
    #expect(active == ids.suffix(1))
  }

  // Case 111.
  @Test(arguments: [
    #"{"$ne":null}"#, #"["x"]"#, #"{"__op":"Delete"}"#, "7", "true",
  ])
  func anOperatorObjectInAnIdentityFieldIsAWrongType(_ value: String) async throws {
    let tenant = try await Tenant.make()
    let phone = try await tenant.device()
    for field in ["token", "device_id", "user_id", "app_id"] {
      var fields = ["app_id": "\"\(tenant.app)\"", "device_id": #""d""#, "platform": #""ios""#]
      fields[field] = value
      let body = "{" + fields.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
      let answer = try await tenant.api.call(.post, "installations", body: body)
      #expect(answer.problems == ["/\(field) wrong_type"])
    }
    let list = try await tenant.api.call(.get, "installations", tenant.appKey)
    #expect(list["data"]?.array?.compactMap { $0["id"]?.string } == [phone.id])
  }

  @Test func textsThatMeanSomethingToADatabaseAreJustTexts() async throws {
    let tenant = try await Tenant.make()
    let bystander = try await tenant.device("%", token: "aa01")
    let phone = try await tenant.device("' OR 1=1 --", token: "aa02", extra: #","user_id":"%""#)
    #expect(phone.registered["device_id"]?.string == "' OR 1=1 --")
    let list = try await tenant.api.call(.get, "installations?user_id=%25", tenant.appKey)
    #expect(list["data"]?.array?.compactMap { $0["id"]?.string } == [phone.id])
    #expect(try await tenant.api.call(.delete, "installations/\(phone.id)", phone.credential).status == 204)
    let other = try await tenant.api.call(.get, "installations/\(bystander.id)", tenant.appKey)
    #expect(other["status"]?.string == "active")
  }

  // Case 112.
  @Test func theSameIDsInTwoTenantsAreTwoWorlds() async throws {
    let one = try await Tenant.make()
    let two = try await Tenant.make(one.api)
    let mine = try await one.device("same", token: "aa01", extra: #","user_id":"same""#)
    let theirs = try await two.device("same", token: "aa01", extra: #","user_id":"same""#)
    #expect(mine.id != theirs.id)
    #expect(try await two.api.call(.delete, "installations/\(theirs.id)", theirs.credential).status == 204)
    let read = try await one.api.call(.get, "installations/\(mine.id)", one.appKey)
    #expect(read["status"]?.string == "active")
    #expect(try await one.api.call(.get, "installations/\(theirs.id)", one.appKey).status == 404)
    #expect(try await one.api.call(.delete, "installations/\(theirs.id)", mine.credential).status == 404)
  }

  // Case 114.
  @Test func takingATokenOverRetiresTheOldBindingAndShowsNothingOfIt() async throws {
    let tenant = try await Tenant.make()
    let victim = try await tenant.device("victim", token: "aa01", extra: #","user_id":"vera","tags":{"plan":"pro"}"#)
    let taker = try await tenant.device("taker", token: "aa01", extra: #","tags":{"x":1}"#)
    #expect(taker.id != victim.id)
    #expect(taker.registered["user_id"]?.isNull == true)
    #expect(!taker.registered.text.contains("vera"))
    #expect(!taker.registered.text.contains("plan"))
    let old = try await tenant.api.call(.get, "installations/\(victim.id)", tenant.appKey)
    #expect(old["status"]?.string == "retired")
    #expect(old["retired_reason"]?.string == "replaced")
    #expect(old["tags"]?["plan"]?.string == "pro")
    #expect(old["user_id"]?.string == "vera")
  }

  @Test func aPersonSignsInAndOut() async throws {
    let tenant = try await Tenant.make()
    let phone = try await tenant.device()
    let path = "installations/\(phone.id)"
    let signedIn = try await tenant.api.call(
      .post, "\(path)/login", phone.credential, body: #"{"user_id":"user_8123"}"#)
    #expect(signedIn.status == 200)
    #expect(signedIn["user_id"]?.string == "user_8123")
    let found = try await tenant.api.call(.get, "installations?user_id=user_8123", tenant.appKey)
    #expect(found["data"]?.array?.count == 1)
    let signedOut = try await tenant.api.call(.post, "\(path)/logout", phone.credential, body: "{}")
    #expect(signedOut["user_id"]?.isNull == true)
    #expect(try await tenant.api.call(.post, "\(path)/logout", phone.credential).status == 200)
  }

  @Test func aReportOfAnEarlierIdentityIsStale() async throws {
    let tenant = try await Tenant.make()
    let phone = try await tenant.device()
    let path = "installations/\(phone.id)"
    let before = phone.registered["identity_epoch"]?.number?.int64 ?? 0
    _ = try await tenant.api.call(.post, "\(path)/login", phone.credential, body: #"{"user_id":"anna"}"#)
    let late = try await tenant.api.call(
      .post, "\(path)/login", phone.credential, body: #"{"user_id":"bob","identity_epoch":\#(before)}"#)
    #expect(late.status == 409)
    #expect(late.code == "stale_identity")
    let read = try await tenant.api.call(.get, path, tenant.appKey)
    #expect(read["user_id"]?.string == "anna")
  }

  @Test func aRegistrationWithoutAUserKeepsTheOneWhoIsSignedIn() async throws {
    let tenant = try await Tenant.make()
    let phone = try await tenant.device()
    _ = try await tenant.api.call(
      .post, "installations/\(phone.id)/login", phone.credential, body: #"{"user_id":"anna"}"#)
    #expect(try await tenant.device().registered["user_id"]?.string == "anna")
    #expect(try await tenant.device(extra: #","user_id":null"#).registered["user_id"]?.isNull == true)
  }

  @Test func aDeviceChangesWhatItReports() async throws {
    let tenant = try await Tenant.make()
    let phone = try await tenant.device(extra: #","locale":"fr""#)
    let answer = try await tenant.api.call(
      .patch, "installations/\(phone.id)", phone.credential,
      body: #"{"permission_state":"denied","app_version":"4.0","token":"BEEF"}"#)
    #expect(answer.status == 200)
    #expect(answer["permission_state"]?.string == "denied")
    #expect(answer["app_version"]?.string == "4.0")
    #expect(answer["locale"]?.string == "fr")
    #expect(answer["token_preview"]?.string == "beef…")
  }

  @Test func deletingTwiceIsNoError() async throws {
    let tenant = try await Tenant.make()
    let phone = try await tenant.device()
    for _ in 0..<2 {
      #expect(try await tenant.api.call(.delete, "installations/\(phone.id)", phone.credential).status == 204)
    }
  }

  @Test(arguments: [
    (#""tags":{"a":[]}"#, "/tags/a wrong_type"), (#""tags":{"a":null}"#, "/tags/a wrong_type"),
    (#""tags":{"":1}"#, "/tags/ invalid_name"), (#""tags":[]"#, "/tags wrong_type"),
    (#""platform":"android""#, "/platform not_allowed"), (#""push_provider":"fcm""#, "/push_provider not_allowed"),
    (#""permission_state":"maybe""#, "/permission_state not_allowed"),
    (#""environment":"sandbox""#, "/environment not_allowed"),
    (#""identity_token":"x""#, "/identity_token unknown_field"),
    (#""identity_epoch":-1"#, "/identity_epoch out_of_range"),
  ])
  func aWrongReportIsNamed(_ member: String, _ problem: String) async throws {
    let tenant = try await Tenant.make()
    let platform = member.contains("platform") ? "" : #","platform":"ios""#
    let answer = try await tenant.api.call(
      .post, "installations", body: #"{"app_id":"\#(tenant.app)","device_id":"d"\#(platform),\#(member)}"#)
    #expect(answer.status == 400)
    #expect(answer.problems == [problem])
  }
}
