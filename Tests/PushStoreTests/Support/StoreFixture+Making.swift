import Postgres
import PushCore
import TestSupport

@testable import PushStore

extension DeviceToken {
  /// Different for each number.
  static func test(_ number: Int) -> DeviceToken {
    DeviceToken(stored: (0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 % 8 * 8)) ^ UInt8($0) })
  }
}

extension Registration {
  static func test(_ number: Int, token: Int? = nil) -> Registration {
    Registration(deviceID: "device-\(number)", token: .test(token ?? number), environment: .production)
  }
}

extension MessageDraft {
  static func test(to target: Target, sendAt: Timestamp? = nil, lane: Lane = .transactional) -> MessageDraft {
    var content = MessageContent()
    content.text.body = "Hello"
    return MessageDraft(target: target, content: content, lane: lane, sendAt: sendAt)
  }
}

extension MessageCreation {
  var message: CreatedMessage? {
    switch self {
    case .created(let message), .replayed(let message): message
    case .keyReused: nil
    }
  }
}

extension StoreFixture {
  func register(_ number: Int, user: String? = nil) async throws -> Installation {
    try await store.register(
      .test(number), identity: user.map { .user($0) } ?? .unchanged, knownEpoch: nil, in: tenant
    ).installation
  }

  func device(_ installation: InstallationID, on store: PostgresStore? = nil) async throws -> DeviceScope {
    let store = store ?? self.store
    let token = try await store.receiptToken(for: installation, in: tenant)
    return try await store.device(presenting: token, for: app.id)!
  }

  func send(to target: Target, lane: Lane = .transactional) async throws -> MessageID {
    try await store.create(.test(to: target, lane: lane), idempotency: nil, in: tenant).message!.id
  }

  func claim(
    _ lane: Lane = .transactional, limit: Int = 100, sliceSize: Int = 4000, lease: Int64 = 60,
    on store: PostgresStore? = nil
  ) async throws -> Claim? {
    try await (store ?? self.store).claim(
      ClaimRequest(worker: WorkerID.make(), lane: lane, limit: limit, sliceSize: sliceSize, lease: Seconds(lease)),
      in: tenant)
  }

  /// Many installations at once, without a device each: ids in the order of their numbers.
  func fill(_ count: Int) async throws {
    try await database.pool.execute(
      """
      INSERT INTO installations (app_id, id, device_id, platform, token, environment, permission, user_id,
                                 identity_epoch, locale, created_at, registered_at)
      SELECT \(app.id), ('0190f000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'filled-' || n, 1,
             sha256(n::text::bytea), 2, 1, 'user-' || n, 1, 'fr-CA', now() - interval '1 hour', now() - interval '1 hour'
      FROM generate_series(1, \(count)) n
      """)
  }

  func count(_ query: Query) async throws -> Int {
    try await database.pool.queryFirst(query) { try $0.value(0, as: Int.self) } ?? -1
  }
}

extension ClaimedBatch {
  func settled(
    _ installation: InstallationID, _ state: DeliveryState = .accepted, reason: Reason? = nil,
    at time: Timestamp = .now()
  ) -> SettledDelivery {
    SettledDelivery(
      lease: lease, message: message, installation: installation, userID: nil, state: state, reason: reason,
      attempts: 1,
      apnsID: 7, settledAt: time)
  }

  /// Everyone accepted, and done.
  func accepted(_ members: [AudienceMember]) -> Settlement {
    var settlement = Settlement()
    settlement.deliveries = members.map { settled($0.installation) }
    settlement.finished = [lease]
    return settlement
  }
}
