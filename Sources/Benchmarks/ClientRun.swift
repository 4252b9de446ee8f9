internal import APNs
internal import Crypto
internal import Glibc
internal import PushCore
internal import ServiceKit
internal import Transport

/// Our APNs client alone, rendering and outcome handling included, on one connection; prints one JSON line.
struct ClientRun {
  let port: UInt16
  let authorityFile: String
  let count: Int

  /// What the worker hands over at a time.
  private static let groupSize = 4000
  /// Groups under way at once, as a worker has.
  private static let groups = 3

  func perform() async throws {
    let loop = EventLoop(name: "apns")
    var settings = APNsSettings()
    settings.sandbox = APNsSettings.Endpoint(host: "localhost", port: port)
    settings.trust = .only(pem: contents(of: authorityFile))
    settings.connectionsPerPool = 1
    let provider = try await APNsProvider(
      settings: settings, tokens: MemoryTokens(), loops: [loop], metrics: Metrics(), log: .silent)
    let credential = try APNsCredentialInspector().inspect(
      teamID: "TEAM123456", keyID: "ABCDE12345", bundleID: "com.example.shop",
      p8: try ES256Signer.generate().pem().exposed)
    let message = try provider.compile(Self.message)
    let recipients = (0..<Self.groupSize).map { _ in
      Recipient(
        installation: .make(), token: DeviceToken(stored: SecureRandom.bytes(32)), message: 0, locale: nil,
        signature: DeliverySignature(proof: 1, apnsID: UUIDv7.make()))
    }
    let group = SendGroup(
      app: .make(), environment: .development, credential: credential, messages: [message], recipients: recipients)
    let accepted = Metrics().counter("accepted", "Accepted.")
    await provider.send(group) { _ in }
    let begin = ContinuousClock.now
    let cpu = Self.cpuSeconds()
    let rounds = count / Self.groupSize
    await withTaskGroup(of: Void.self) { tasks in
      for round in 0..<rounds {
        if round >= Self.groups { await tasks.next() }
        tasks.addTask {
          await provider.send(group) { results in accepted.add(results.count { $0.answer == .accepted }) }
        }
      }
    }
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    let used = Self.cpuSeconds() - cpu
    let sent = Double(rounds * Self.groupSize)
    print(
      """
      {"accepted":\(accepted.value),"sent":\(Int(sent)),"per_second":\(sent / seconds),"cpu_per_100k":\(used * 100_000 / sent)}
      """)
    await provider.stop(within: .seconds(1))
    await loop.shutDown()
  }

  private static var message: Message {
    var content = MessageContent()
    content.text = LocalizedText(title: "Your order is out for delivery", body: "Arriving between 2 and 4 pm.")
    content.apns.threadID = "order-8123"
    let now = Timestamp.now()
    return Message(
      id: .make(), app: .make(), content: content, lane: .bulk, name: nil, createdAt: now, dueAt: now,
      expiresAt: now.advanced(bySeconds: 3600))
  }

  private static func cpuSeconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  private func contents(of path: String) -> [UInt8] {
    guard let file = fopen(path, "re") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }
}

/// Provider tokens without a database.
private struct MemoryTokens: ProviderTokenStore {
  func token(
    for name: ProviderTokenName, maximumAge: Seconds, mint: @escaping @Sendable (Timestamp) throws -> [UInt8]
  ) async throws -> ProviderToken {
    let now = Timestamp.now()
    return ProviderToken(text: try mint(now), issuedAt: now, age: Seconds(0))
  }
}
