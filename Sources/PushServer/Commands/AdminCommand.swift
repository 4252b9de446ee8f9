internal import PushAPI
internal import PushCore
internal import PushStore
internal import ServiceKit

/// Commands that do one thing to the database and end.
struct AdminCommand {
  let settings: ServerSettings
  let log: Log

  func migrate() async throws -> Int32 {
    let database = DatabaseService(settings: settings, files: try ProductFiles.find(), schema: .migrate, log: log)
    try await database.start()
    _ = await database.stop()
    return Terminal.say("The schema is up to date.")
  }

  func createAccount(_ name: String) async throws -> Int32 {
    let secrets = try ProcessSecrets(settings)
    let database = DatabaseService(settings: settings, files: try ProductFiles.find(), schema: .migrate, log: log)
    try await database.start()
    let service = StoreService(database: database, masterKey: secrets.masterKey)
    do {
      try await service.start()
    } catch {
      _ = await database.stop()
      throw error
    }
    let result = await create(name, in: service)
    _ = await service.stop()
    _ = await database.stop()
    let (account, key) = try result.get()
    return Terminal.say("Account \(account.id)\nAPI key \(key.text)\nThe key is shown only now.")
  }

  private func create(_ name: String, in service: StoreService) async -> Result<(Account, PresentedAPIKey), any Error> {
    // Whoever can read the master key and the database is the operator.
    guard let scope = OperatorScope.authenticated(true) else { return .failure(StartError("not the operator")) }
    let secret = APIKeySecret.make()
    let key = NewAPIKey(
      name: "first key", permissions: Set(Permission.allCases.filter(\.isForAccounts)), expiresAt: nil, secret: secret)
    do {
      let account = try await service.store.value.createAccount(named: name, firstKey: key, as: scope)
      return .success((account, PresentedAPIKey(owner: .account(account.id), secret: secret.bytes)))
    } catch {
      return .failure(error)
    }
  }
}
