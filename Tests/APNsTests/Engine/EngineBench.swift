import APNsSimulator
import Crypto
import PushCore
import ServiceKit
import Testing
import Transport

@testable import APNs

/// The provider with a simulated Apple at the other end of real sockets, TLS and HTTP/2.
struct EngineBench {
  let apple: SimulatedAPNs
  let provider: APNsProvider
  let store: MemoryTokenStore
  let metrics: Metrics
  private let loops: [EventLoop]

  /// Makes one, runs `body` and ends everything, whatever `body` does.
  static func run(
    _ configuration: SimulatorConfiguration = SimulatorConfiguration(),
    settings change: (inout APNsSettings) -> Void = { _ in }, _ body: (EngineBench) async throws -> Void
  ) async throws {
    let client = EventLoop(name: "apns-client")
    let server = EventLoop(name: "apns-server")
    let apple = try await SimulatedAPNs.start(configuration, on: [server])
    var settings = APNsSettings()
    settings.production = .init(host: "localhost", port: apple.production.port)
    settings.sandbox = .init(host: "localhost", port: apple.sandbox.port)
    settings.trust = .only(pem: apple.caPEM)
    change(&settings)
    let store = MemoryTokenStore()
    let metrics = Metrics()
    let provider: APNsProvider
    do {
      provider = try await APNsProvider(
        settings: settings, tokens: store, loops: [client], metrics: metrics, log: .silent)
    } catch {
      await apple.stop()
      for loop in [client, server] { await loop.shutDown() }
      throw error
    }
    let bench = EngineBench(
      apple: apple, provider: provider, store: store, metrics: metrics, loops: [client, server])
    do {
      try await body(bench)
    } catch {
      await bench.end()
      throw error
    }
    await bench.end()
  }

  private func end() async {
    await provider.stop(within: .milliseconds(200))
    await apple.stop()
    for loop in loops { await loop.shutDown() }
  }

  /// A key that the simulated Apple knows.
  func credential(_ number: Int = 1, bundleID: String = "com.example.shop") throws -> APNsCredential {
    let key = try ES256Signer.generate()
    let teamID = "TEAM\(String(number + 1_000_000).dropFirst())"
    let keyID = "KEYS\(String(number + 1_000_000).dropFirst())"
    apple.register(SimulatedCredential(teamID: teamID, keyID: keyID, publicKey: key.publicKey()))
    return APNsCredential(
      teamID: teamID, keyID: keyID, bundleID: bundleID, key: SigningKey(pem: try key.pem().exposed),
      fingerprint: try key.publicKey().fingerprint())
  }

  func group(
    _ count: Int, _ credential: APNsCredential, first: Int = 0, content: MessageContent = Fixture.content(),
    environment: PushEnvironment = .production
  ) throws -> SendGroup {
    let message = Fixture.message(content, dueAt: .now())
    return SendGroup(
      app: Fixture.app, environment: environment, credential: credential, messages: [try provider.compile(message)],
      recipients: (0..<count).map { Self.recipient(first + $0) })
  }

  static func token(_ index: Int) -> DeviceToken {
    DeviceToken(stored: [0xaa] + withUnsafeBytes(of: UInt64(index).bigEndian) { Array($0) })
  }

  static func recipient(_ index: Int) -> Recipient {
    Recipient(
      installation: InstallationID(UInt128(index)), token: token(index), message: 0, locale: nil,
      signature: DeliverySignature(proof: UInt128(index), apnsID: UInt128(index)))
  }

  /// The `apns-id` of a recipient, as it is on the wire.
  static func apnsID(_ index: Int) -> String {
    let digits = String(index, radix: 16)
    return "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// Sends and gives the answers in the order of recipients; fails unless each was reported exactly once.
  func send(_ group: SendGroup) async -> [ProviderAnswer] {
    let collected = Lock<[SendResult]>([])
    await provider.send(group) { portion in collected.withLock { $0 += portion } }
    let results = collected.withLock { $0 }.sorted { $0.recipient < $1.recipient }
    #expect(results.map(\.recipient) == group.recipients.indices.map(Int32.init))
    return results.map(\.answer)
  }

  var host: SimulatedHost { apple.production }
  /// The ids that have come, in their order.
  var arrivedIDs: [String] { host.requests().compactMap { $0.value("apns-id") } }
}

extension [ProviderAnswer] {
  func count(_ answer: ProviderAnswer) -> Int { count { $0 == answer } }
  static func accepted(_ count: Int) -> [ProviderAnswer] { Array(repeating: .accepted, count: count) }
}
