package import ServiceKit

/// Everything a process is told by its environment, read once. See the table in the README.
package struct ServerSettings: Sendable {
  package enum Database: Sendable {
    /// A private PostgreSQL under the data directory.
    case embedded
    case external(Secret<String>)
  }

  package var database: Database
  package var dataDirectory: String
  package var listen: HostAndPort
  package var tls: TLSFiles?
  package var masterKey: Secret<[UInt8]>?
  package var operatorToken: Secret<String>?
  package var productionAPNs: HostAndPort
  package var sandboxAPNs: HostAndPort
  /// A further trust root for both, PEM.
  package var apnsAuthorityFile: String?
  package var logLevel: LogLevel

  package struct TLSFiles: Sendable, Hashable {
    package let certificate: String
    package let key: String
  }

  /// Reports everything that is wrong at once.
  package init(environment: [String: String]) throws(SettingsError) {
    var reader = SettingsReader(environment: environment, prefix: "BOLRACH_")
    database = reader.secret("BOLRACH_DATABASE_URL").map(Database.external) ?? .embedded
    dataDirectory = reader.string("BOLRACH_DATA_DIR") ?? ".bolrach"
    let address = "an address and a port, such as 127.0.0.1:8080"
    listen =
      reader.value("BOLRACH_LISTEN", expected: address) { HostAndPort($0) }
      ?? HostAndPort(host: "127.0.0.1", port: 8080)
    productionAPNs = Self.endpoint("BOLRACH_APNS_PRODUCTION_URL", "api.push.apple.com", &reader)
    sandboxAPNs = Self.endpoint("BOLRACH_APNS_SANDBOX_URL", "api.sandbox.push.apple.com", &reader)
    apnsAuthorityFile = reader.string("BOLRACH_APNS_CA_FILE")
    logLevel = reader.choice(
      "BOLRACH_LOG_LEVEL", ["debug": LogLevel.debug, "info": .info, "warning": .warning, "error": .error],
      default: .info)
    operatorToken = reader.secret("BOLRACH_OPERATOR_TOKEN")
    if let token = operatorToken, token.exposed.utf8.count < Self.shortestOperatorToken {
      reader.report("BOLRACH_OPERATOR_TOKEN must have at least \(Self.shortestOperatorToken) characters")
    }
    masterKey = MasterKey.read(&reader)
    switch (reader.string("BOLRACH_TLS_CERTIFICATE_FILE"), reader.string("BOLRACH_TLS_KEY_FILE")) {
    case (nil, nil): tls = nil
    case (let certificate?, let key?): tls = TLSFiles(certificate: certificate, key: key)
    case (nil, _?), (_?, nil):
      reader.report("BOLRACH_TLS_CERTIFICATE_FILE and BOLRACH_TLS_KEY_FILE go together")
    }
    if case .external = database, masterKey == nil {
      reader.report("BOLRACH_MASTER_KEY or BOLRACH_MASTER_KEY_FILE must be set beside BOLRACH_DATABASE_URL")
    }
    try reader.finish()
  }

  /// Guessing 16 characters is no attack.
  private static let shortestOperatorToken = 16

  private static func endpoint(_ name: String, _ standard: String, _ reader: inout SettingsReader) -> HostAndPort {
    reader.value(name, expected: "an address such as https://\(standard):443") { HostAndPort(url: $0) }
      ?? HostAndPort(host: standard, port: 443)
  }
}
