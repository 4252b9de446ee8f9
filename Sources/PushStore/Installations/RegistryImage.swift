internal import PushCore

/// The rows that a group of reports touches, locked and read, on which the reports are played one after another before anything is
/// written. Two reports of one group may concern one device or one token; here that is nothing special.
///
/// A value without I/O, inside one transaction.
struct RegistryImage: Sendable {
  struct Entry: Sendable, Hashable {
    var installation: Installation
    /// `nil` for one that is being made.
    let original: Installation?
    /// A report named its token: `registered_at` becomes now.
    var isConfirmed = false

    var isChanged: Bool { isConfirmed || original != installation }
  }

  private(set) var entries: [InstallationID: Entry] = [:]
  private var byDevice: [String: InstallationID] = [:]
  private var owners: [TokenPlace: InstallationID] = [:]

  init(_ installations: [Installation]) {
    for installation in installations {
      entries[installation.id] = Entry(installation: installation, original: installation)
      byDevice[installation.registration.deviceID] = installation.id
      if let place = installation.livePlace { owners[place] = installation.id }
    }
  }

  /// What a report led to. The installation itself is what the database makes of it.
  struct Outcome: Sendable, Hashable {
    let id: InstallationID
    let isNew: Bool
  }

  mutating func apply(_ report: DeviceReport, newID: InstallationID) -> Result<Outcome, StoreRefusal> {
    switch report {
    case .register(let registration, let identity, let knownEpoch):
      guard let id = byDevice[registration.deviceID] else {
        return .success(create(newID, registration, identity))
      }
      return edit(id) { (image, entry) throws(StoreRefusal) in
        try entry.refuseStale(knownEpoch)
        entry.take(identity)
        image.revive(&entry)
        entry.merge(registration)
        if let token = registration.token { image.give(token, to: &entry) }
      }
    case .update(let change, let id):
      return edit(id) { (image, entry) throws(StoreRefusal) in
        try entry.refuseDeleted()
        entry.merge(change)
        guard let token = change.token else { return }
        image.revive(&entry)
        image.give(token, to: &entry)
      }
    case .setUser(let user, let knownEpoch, let id):
      return edit(id) { (_, entry) throws(StoreRefusal) in
        try entry.refuseDeleted()
        try entry.refuseStale(knownEpoch)
        entry.take(.user(user))
      }
    case .delete(let id):
      return edit(id) { (_, entry) throws(StoreRefusal) in entry.retire(as: .deletedByDevice) }
    }
  }

  private mutating func create(
    _ id: InstallationID, _ registration: Registration, _ identity: IdentityClaim
  ) -> Outcome {
    var entry = Entry(
      installation: Installation(
        id: id, registration: registration, userID: nil, identityEpoch: 1, createdAt: .unknown, registeredAt: .unknown,
        retirement: nil),
      original: nil)
    // A first user is no change of user.
    if case .user(let user) = identity { entry.installation.userID = user }
    byDevice[registration.deviceID] = id
    entry.installation.registration.token = nil
    if let token = registration.token { give(token, to: &entry) }
    entries[id] = entry
    return Outcome(id: id, isNew: true)
  }

  private mutating func edit(
    _ id: InstallationID, _ change: (inout RegistryImage, inout Entry) throws(StoreRefusal) -> Void
  ) -> Result<Outcome, StoreRefusal> {
    guard var entry = entries[id] else { return .failure(.notFound) }
    let before = entry.installation.livePlace
    do throws(StoreRefusal) {
      try change(&self, &entry)
    } catch {
      return .failure(error)
    }
    if let before, before != entry.installation.livePlace, owners[before] == id { owners[before] = nil }
    entries[id] = entry
    return .success(Outcome(id: id, isNew: false))
  }

  /// The token is this one's alone from here on; whoever had it is retired.
  private mutating func give(_ token: DeviceToken, to entry: inout Entry) {
    entry.installation.registration.token = token
    entry.isConfirmed = true
    guard let place = entry.installation.livePlace else { return }
    if let owner = owners[place], owner != entry.installation.id { entries[owner]?.retire(as: .replaced) }
    owners[place] = entry.installation.id
  }

  /// A retired installation's token is not trusted again: it lives on only with one that the device names.
  private func revive(_ entry: inout Entry) {
    guard entry.installation.retirement != nil else { return }
    entry.installation.retirement = nil
    entry.installation.registration.token = nil
  }
}

extension RegistryImage.Entry {
  fileprivate func refuseStale(_ knownEpoch: Int32?) throws(StoreRefusal) {
    guard let knownEpoch, knownEpoch < installation.identityEpoch else { return }
    throw .staleIdentity
  }

  /// Whoever said goodbye comes back by registering only.
  fileprivate func refuseDeleted() throws(StoreRefusal) {
    guard installation.retirement?.reason == .deletedByDevice else { return }
    throw .notFound
  }

  fileprivate mutating func take(_ identity: IdentityClaim) {
    guard case .user(let user) = identity, user != installation.userID else { return }
    installation.userID = user
    installation.identityEpoch += 1
  }

  fileprivate mutating func retire(as reason: Reason) {
    installation.registration.token = nil
    guard installation.retirement?.reason != .deletedByDevice else { return }
    installation.retirement = Installation.Retirement(at: installation.retirement?.at ?? .unknown, reason: reason)
  }

  fileprivate mutating func merge(_ report: Registration) {
    var known = installation.registration
    known.anonymousID = report.anonymousID ?? known.anonymousID
    known.platform = report.platform
    known.move(to: report.environment)
    known.permission = report.permission ?? known.permission
    known.locale = report.locale ?? known.locale
    known.timezone = report.timezone ?? known.timezone
    known.appVersion = report.appVersion ?? known.appVersion
    known.osVersion = report.osVersion ?? known.osVersion
    known.sdkVersion = report.sdkVersion ?? known.sdkVersion
    known.deviceModel = report.deviceModel ?? known.deviceModel
    known.tags = report.tags ?? known.tags
    installation.registration = known
  }

  fileprivate mutating func merge(_ change: InstallationChange) {
    var known = installation.registration
    if let environment = change.environment { known.move(to: environment) }
    known.permission = change.permission ?? known.permission
    known.locale = change.locale ?? known.locale
    known.timezone = change.timezone ?? known.timezone
    known.appVersion = change.appVersion ?? known.appVersion
    known.osVersion = change.osVersion ?? known.osVersion
    known.sdkVersion = change.sdkVersion ?? known.sdkVersion
    known.deviceModel = change.deviceModel ?? known.deviceModel
    known.tags = change.tags ?? known.tags
    installation.registration = known
  }
}

extension Registration {
  /// A token belongs to the build that made it: in the other environment it is none.
  fileprivate mutating func move(to environment: PushEnvironment) {
    if environment != self.environment { token = nil }
    self.environment = environment
  }
}

extension Installation {
  /// Where its token is live, if it is.
  var livePlace: TokenPlace? {
    guard retirement == nil, let token = registration.token else { return nil }
    return TokenPlace(environment: registration.environment, token: token)
  }
}

extension Timestamp {
  /// Stands where the database's clock will write.
  static let unknown = Timestamp(microseconds: 0)
}
