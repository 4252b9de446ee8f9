import PushCore
import Testing

@testable import PushStore

@Suite struct RegistryImageTests {
  private let a = InstallationID.make()
  private let b = InstallationID.make()

  private func known(_ id: InstallationID, _ number: Int, user: String? = nil) -> Installation {
    Installation(
      id: id, registration: .test(number), userID: user, identityEpoch: 3, createdAt: Timestamp(seconds: 1),
      registeredAt: Timestamp(seconds: 1), retirement: nil)
  }

  private func register(
    _ image: inout RegistryImage, _ registration: Registration, identity: IdentityClaim = .unchanged,
    knownEpoch: Int32? = nil
  ) -> Result<RegistryImage.Outcome, StoreRefusal> {
    image.apply(.register(registration, identity, knownEpoch: knownEpoch), newID: .make())
  }

  @Test func aTakenTokenRetiresWhoHadIt() throws {
    var image = RegistryImage([known(a, 1), known(b, 2)])
    _ = try register(&image, .test(1, token: 2)).get()
    #expect(image.entries[a]?.installation.registration.token == .test(2))
    #expect(image.entries[b]?.installation.retirement?.reason == .replaced)
    #expect(image.entries[b]?.installation.registration.token == nil)
  }

  @Test func twoDevicesMaySwapTheirTokensInOneGroup() throws {
    var image = RegistryImage([known(a, 1), known(b, 2)])
    _ = try register(&image, .test(1, token: 2)).get()
    _ = try register(&image, .test(2, token: 1)).get()
    #expect(image.entries[a]?.installation.livePlace?.token == .test(2))
    #expect(image.entries[b]?.installation.livePlace?.token == .test(1))
  }

  @Test func aDeviceThatRegistersTwiceInOneGroupIsMadeOnce() throws {
    var image = RegistryImage([])
    let first = try register(&image, .test(1)).get()
    let second = try register(&image, .test(1)).get()
    #expect(first.isNew && !second.isNew && first.id == second.id)
    #expect(image.entries.count == 1)
  }

  @Test func theEpochGrowsOnlyWhenTheUserReallyChanges() throws {
    var image = RegistryImage([known(a, 1, user: "ann")])
    _ = try register(&image, .test(1), identity: .user("ann")).get()
    _ = try register(&image, .test(1), identity: .unchanged).get()
    #expect(image.entries[a]?.installation.identityEpoch == 3)
    _ = try register(&image, .test(1), identity: .user(nil)).get()
    #expect(image.entries[a]?.installation.identityEpoch == 4)
    #expect(image.entries[a]?.installation.userID == nil)
  }

  @Test func aStaleReportChangesNothing() {
    var image = RegistryImage([known(a, 1, user: "ann")])
    #expect(
      throws: StoreRefusal.staleIdentity,
      performing: { try register(&image, .test(1, token: 9), identity: .user("old"), knownEpoch: 2).get() })
    #expect(image.entries[a]?.isChanged == false)
  }

  @Test func theOtherEnvironmentHasNoTokenUntilItIsGivenOne() throws {
    var image = RegistryImage([known(a, 1)])
    var change = InstallationChange()
    change.environment = .development
    _ = try image.apply(.update(change, a), newID: .make()).get()
    #expect(image.entries[a]?.installation.registration.token == nil)
  }

  @Test func whoSaidGoodbyeComesBackByRegisteringOnly() throws {
    var image = RegistryImage([known(a, 1)])
    _ = try image.apply(.delete(a), newID: .make()).get()
    _ = try image.apply(.delete(a), newID: .make()).get()
    #expect(throws: StoreRefusal.notFound) { try image.apply(.setUser("x", knownEpoch: nil, a), newID: .make()).get() }
    var change = InstallationChange()
    change.token = .test(5)
    #expect(throws: StoreRefusal.notFound) { try image.apply(.update(change, a), newID: .make()).get() }
    _ = try register(&image, .test(1)).get()
    #expect(image.entries[a]?.installation.livePlace?.token == .test(1))
  }

  @Test func anUnknownInstallationIsNotFound() {
    var image = RegistryImage([])
    #expect(throws: StoreRefusal.notFound) { try image.apply(.delete(a), newID: .make()).get() }
  }

  @Test func fieldsLeftOutKeepWhatWasKnown() throws {
    var known = known(a, 1)
    known.registration.locale = "fr"
    var image = RegistryImage([known])
    var registration = Registration.test(1)
    registration.appVersion = "2"
    _ = try register(&image, registration).get()
    #expect(image.entries[a]?.installation.registration.locale == "fr")
    #expect(image.entries[a]?.installation.registration.appVersion == "2")
  }
}
