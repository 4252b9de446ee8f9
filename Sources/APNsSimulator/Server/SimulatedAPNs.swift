package import Transport

/// A local APNs: two environments on two ports, real TLS, real HTTP/2, Apple's checks and answers, and faults on demand.
/// `docs/simulator.md` says what it does.
///
/// Started by whoever needs it (`make run`, a test, a benchmark) on that one's loops, usable from any thread, ended by
/// ``stop()``, which closes its sockets and ends all waiting.
package final class SimulatedAPNs: Sendable {
  package let sandbox: SimulatedHost
  package let production: SimulatedHost
  /// The certificate to trust, as PEM.
  package let caPEM: [UInt8]
  let clock: SimulatorClock
  private let authority: TokenAuthority

  private init(
    sandbox: SimulatedHost, production: SimulatedHost, caPEM: [UInt8], clock: SimulatorClock,
    authority: TokenAuthority
  ) {
    self.sandbox = sandbox
    self.production = production
    self.caPEM = caPEM
    self.clock = clock
    self.authority = authority
  }

  /// Listens on loopback when it returns. Connections are spread over the loops, which stay the caller's.
  package static func start(
    _ configuration: SimulatorConfiguration = SimulatorConfiguration(), on loops: [EventLoop]
  ) async throws(SimulatorError) -> SimulatedAPNs {
    let authority = TokenAuthority(policy: configuration.tokenPolicy)
    let devices = DeviceDirectory()
    let certificateAuthority: CertificateAuthority
    do throws(TransportError) {
      certificateAuthority = try CertificateAuthority(name: "Simulated APNs authority")
    } catch {
      throw SimulatorError(.badConfiguration, "cannot make certificates: \(error)")
    }
    let certificates = HostCertificates(authority: certificateAuthority)
    func host(_ environment: SimulatedEnvironment, port: UInt16) async throws(SimulatorError) -> SimulatedHost {
      let core = HostCore(environment, configuration, authority: authority, devices: devices)
      return try await SimulatedHost(core: core, port: port, loops: loops, certificates: certificates)
    }
    let sandbox = try await host(.sandbox, port: configuration.sandboxPort)
    do throws(SimulatorError) {
      let production = try await host(.production, port: configuration.productionPort)
      return SimulatedAPNs(
        sandbox: sandbox, production: production, caPEM: certificateAuthority.certificatePEM,
        clock: configuration.clock, authority: authority)
    } catch {
      await sandbox.stop()
      throw error
    }
  }

  package subscript(_ environment: SimulatedEnvironment) -> SimulatedHost {
    switch environment {
    case .sandbox: sandbox
    case .production: production
    }
  }

  /// Known from now on; connections that hold a token of this key verify it again.
  package func register(_ credential: SimulatedCredential) { authority.register(credential) }

  /// Answers InvalidProviderToken to this key from now on, on open connections too.
  package func revoke(teamID: String, keyID: String) { authority.revoke(teamID: teamID, keyID: keyID) }

  package func stop() async {
    await sandbox.stop()
    await production.stop()
  }
}
