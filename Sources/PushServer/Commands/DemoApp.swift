internal import APNs
internal import Crypto
internal import PushAPI
internal import PushCore
internal import PushStore
internal import ServiceKit

/// The app that `make run` makes to be tried: an account, a credential with a key of its own, three people with a phone each. Made once;
/// the key to send with is kept in the data directory, so that the lines printed yesterday still work.
struct DemoApp {
  let store: PostgresStore
  let directory: String

  struct Ready {
    let app: AppID
    let key: String

    func instructions(api: String, sandbox: String, control: String, data: String) -> String {
      """

      Bolrach Push is running.

        API             \(api)/push/v1
        APNs simulator  \(sandbox) (sandbox), record of pushes at \(control)/requests?environment=sandbox
        Demo app        \(app), with the users user_1, user_2 and user_3

      Send a message:

        curl -X POST \(api)/push/v1/messages \\
          -H 'Authorization: Bearer \(key)' -H 'Content-Type: application/json' \\
          -d '{"app_id":"\(app)","target":{"type":"user","id":"user_1"},"title":"Hello","body":"from Bolrach Push"}'

      See what became of it (with the id from the answer):

        curl \(api)/push/v1/messages/msg_... -H 'Authorization: Bearer \(key)'

      The operator token is in \(data)/operator.token. Ctrl-C stops everything, PostgreSQL included.
      """
    }
  }

  func prepare() async throws -> Ready {
    let file = PrivateFile(path: directory + "/demo.key")
    if let text = file.read().map({ String(decoding: $0, as: UTF8.self) }), let known = PresentedAPIKey(text),
      case .app(let app) = known.owner, try await store.key(presented: known) != nil
    {
      return Ready(app: app, key: known.text)
    }
    let made = try await make()
    try file.replace(with: Array(made.key.utf8))
    return made
  }

  private func make() async throws -> Ready {
    let now = Timestamp.now()
    // The demo is run by whoever owns the machine.
    guard let scope = OperatorScope.authenticated(true) else { throw StartError("not the operator") }
    let account = try await store.createAccount(
      named: "Demo", firstKey: newKey(Permission.allCases.filter(\.isForAccounts)), as: scope)
    let accountKey = APIKey(
      id: .make(), owner: .account(account.id), name: "demo", permissions: [.apps, .keys], createdAt: now)
    guard let accountScope = AccountScope(key: accountKey, at: now) else { throw StartError("no account") }
    let app = try await store.createApp(named: "Demo app", environment: .development, as: accountScope)
    guard let tenant = TenantScope(app: app, ownedBy: accountScope) else { throw StartError("no app") }
    let credential = try APNsCredentialInspector().inspect(
      teamID: "DEMOTEAM01", keyID: "DEMOKEY001", bundleID: "com.example.demo",
      p8: try ES256Signer.generate().pem().exposed)
    _ = try await store.setCredential(credential, in: tenant)
    let key = newKey(Permission.allCases.filter { !$0.isForAccounts })
    _ = try await store.createKey(key, in: tenant)
    for number in 1...3 {
      let token = DeviceToken(stored: SecureRandom.bytes(32))
      var registration = Registration(deviceID: "demo-phone-\(number)", token: token, environment: .development)
      registration.permission = .granted
      _ = try await store.register(registration, identity: .user("user_\(number)"), knownEpoch: nil, in: tenant)
    }
    return Ready(app: app.id, key: PresentedAPIKey(owner: .app(app.id), secret: key.secret.bytes).text)
  }

  private func newKey(_ permissions: [Permission]) -> NewAPIKey {
    NewAPIKey(
      name: "demo", permissions: Set(permissions), expiresAt: nil, secret: .make())
  }
}

extension PrivateFile {
  /// Takes the place of what was there.
  func replace(with bytes: [UInt8]) throws(StartError) {
    remove()
    try write(bytes)
  }
}
