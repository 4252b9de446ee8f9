import HTTP
import JSON
import PushCore
import ServiceKit
import Testing

@testable import PushAPI

@Suite struct ListTests {
  private func tenantWithThreeDevices() async throws -> (Tenant, [String]) {
    let tenant = try await Tenant.make()
    var ids: [String] = []
    for index in 0..<3 {
      ids.append(try await tenant.device("d-\(index)", token: "aa0\(index)", extra: #","user_id":"u""#).id)
    }
    return (tenant, ids)
  }

  @Test func pagesFollowOneAnotherToTheEnd() async throws {
    let (tenant, ids) = try await tenantWithThreeDevices()
    var seen: [String] = []
    var path = "installations?limit=2&user_id=u"
    var pages = 0
    while pages < 5 {
      let page = try await tenant.api.call(.get, path, tenant.appKey)
      try #require(page.status == 200)
      seen += page["data"]?.array?.compactMap { $0["id"]?.string } ?? []
      pages += 1
      guard let cursor = page["next_cursor"]?.string else { break }
      path = "installations?limit=2&user_id=u&cursor=\(cursor)"
    }
    #expect(pages == 2)
    #expect(Set(seen) == Set(ids))
    #expect(seen.count == 3)
  }

  @Test func aCursorIsGoodForItsQueryAndOwnerOnly() async throws {
    let (tenant, _) = try await tenantWithThreeDevices()
    let page = try await tenant.api.call(.get, "installations?limit=1&user_id=u", tenant.appKey)
    let cursor = try #require(page["next_cursor"]?.string)
    let other = try await Tenant.make(tenant.api)
    let tries: [(String, Credential)] = [
      ("installations?cursor=\(cursor)", tenant.appKey), ("installations?user_id=v&cursor=\(cursor)", tenant.appKey),
      ("messages?cursor=\(cursor)", tenant.appKey), ("installations?user_id=u&cursor=\(cursor)", other.appKey),
      ("installations?user_id=u&cursor=\(cursor.dropLast())", tenant.appKey),
      ("installations?user_id=u&cursor=x\(cursor.dropFirst())", tenant.appKey),
      ("installations?user_id=u&cursor=", tenant.appKey),
    ]
    for (path, key) in tries {
      let answer = try await tenant.api.call(.get, path, key)
      #expect(answer.status == 400, "\(path)")
      #expect(answer.problems == ["?cursor invalid_cursor"], "\(path)")
    }
    let larger = try await tenant.api.call(.get, "installations?limit=2&user_id=u&cursor=\(cursor)", tenant.appKey)
    #expect(larger["data"]?.array?.count == 2)
  }

  @Test(arguments: [
    ("limit=0", "?limit out_of_range"), ("limit=201", "?limit out_of_range"), ("limit=x", "?limit out_of_range"),
    ("limit=", "?limit out_of_range"), ("limit=%2B5", "?limit out_of_range"), ("limit=1&limit=2", "?limit duplicate"),
    ("page=2", "?page unknown_parameter"), ("user_id=", "?user_id out_of_range"),
  ])
  func aQueryThatIsNotClearIsRefused(_ query: String, _ problem: String) async throws {
    let tenant = try await Tenant.make()
    let answer = try await tenant.api.call(.get, "installations?\(query)", tenant.appKey)
    #expect(answer.status == 400)
    #expect(answer.problems == [problem])
  }

  @Test func deliveriesAreNarrowedByStatus() async throws {
    let tenant = try await Tenant.make()
    let sent = try await tenant.send(#"{"target":{"type":"user","id":"u"},"title":"x"}"#)
    let path = "messages/\(sent.text("id"))/deliveries"
    #expect(try await tenant.api.call(.get, "\(path)?status=failed", tenant.appKey).status == 200)
    let wrong = try await tenant.api.call(.get, "\(path)?status=lost", tenant.appKey)
    #expect(wrong.problems == ["?status not_allowed"])
  }

  @Test func everyListIsAPage() async throws {
    let tenant = try await Tenant.make()
    let lists: [(String, Credential)] = [
      ("accounts", .operator), ("apps", tenant.accountKey), ("apps/\(tenant.app)/keys", tenant.accountKey),
      ("messages", tenant.appKey), ("installations", tenant.appKey),
    ]
    for (path, credential) in lists {
      let answer = try await tenant.api.call(.get, path, credential)
      #expect(answer.status == 200, "\(path)")
      #expect(answer["data"]?.array != nil, "\(path)")
      #expect(answer["next_cursor"] != nil, "\(path)")
    }
  }

  @Test func partsOfAContextDoNotRunTogether() {
    let one = CursorContext(owner: "a", path: ["b", "c"], filters: [])
    let two = CursorContext(owner: "a", path: ["bc"], filters: [])
    let three = CursorContext(owner: "ab", path: ["c"], filters: [])
    #expect(Set([one, two, three]).count == 3)
  }

  @Test func aCursorOfAnotherKeyIsNone() {
    let context = CursorContext(owner: "a", path: [], filters: [])
    let one = CursorCodec(key: Secret(Array(repeating: 1, count: 32)))
    let two = CursorCodec(key: Secret(Array(repeating: 2, count: 32)))
    let text = one.encode(PageKey(42), for: context)
    #expect(one.decode(text, for: context) == PageKey(42))
    #expect(two.decode(text, for: context) == nil)
  }
}
