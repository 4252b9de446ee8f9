internal import CLibPQ
package import ServiceKit

/// A libpq URL or key/value string taken apart by libpq itself.
///
/// A value. It holds the password, so it prints nothing of itself.
package struct ConnectionString: Sendable {
  private var parameters: [(key: String, value: Secret<String>)]

  /// Throws `misuse`, without quoting the string, when libpq cannot read it.
  package init(_ conninfo: Secret<String>) throws(PostgresError) {
    guard let options = PQconninfoParse(conninfo.exposed, nil) else {
      throw PostgresError(.misuse, reason: "the database URL cannot be read")
    }
    defer { PQconninfoFree(options) }
    var parameters: [(key: String, value: Secret<String>)] = []
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        parameters.append((String(cString: keyword), Secret(String(cString: value))))
      }
      option += 1
    }
    self.parameters = parameters
  }

  private func value(_ key: String) -> String? { parameters.first { $0.key == key }?.value.exposed }

  /// The hosts it names, addresses and socket directories included; empty when libpq's default is used.
  package var hosts: [String] {
    ["host", "hostaddr"].flatMap { value($0)?.split(separator: ",").map(String.init) ?? [] }
  }

  package var database: String? { value("dbname") }

  /// Whether only this machine is named.
  package var isLocal: Bool {
    hosts.allSatisfy { $0.hasPrefix("/") || ["localhost", "127.0.0.1", "::1"].contains($0) }
  }

  package func with(database: String) -> ConnectionString {
    var copy = self
    copy.parameters.removeAll { $0.key == "dbname" }
    copy.parameters.append(("dbname", Secret(database)))
    return copy
  }

  /// In key/value form.
  package var conninfo: Secret<String> {
    let pairs = parameters.map { "\($0.key)=\(Self.quoted($0.value.exposed))" }
    return Secret(pairs.joined(separator: " "))
  }

  /// In single quotes, with backslashes before quotes and backslashes.
  private static func quoted(_ value: String) -> String {
    "'" + value.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
