package import Postgres
package import PushCore

/// A word of the domain that is kept as a `smallint`: two bytes in an index where the word has ten. The migrations' comments
/// list the codes; a code never changes its meaning.
package protocol StoredAsCode: CaseIterable, PostgresEncodable, PostgresDecodable {
  var code: Int16 { get }
}

extension StoredAsCode {
  package static var postgresType: PostgresType { .int2 }
  // Said again here, or what holds for every type with a raw value would read these as their words.
  package static func accepts(oid: UInt32) -> Bool { Int16.accepts(oid: oid) }
  package func encode(into buffer: inout WireBuffer) { code.encode(into: &buffer) }
  package init?(postgresBytes bytes: UnsafeRawBufferPointer) {
    guard let code = Int16(postgresBytes: bytes), let value = Self.allCases.first(where: { $0.code == code }) else {
      return nil
    }
    self = value
  }
}

extension PushEnvironment: StoredAsCode {
  package var code: Int16 {
    switch self {
    case .development: 1
    case .production: 2
    }
  }
}

extension Lane: StoredAsCode {
  package var code: Int16 {
    switch self {
    case .transactional: 1
    case .bulk: 2
    }
  }
}

extension Platform: StoredAsCode {
  package var code: Int16 {
    switch self {
    case .ios: 1
    case .ipados: 2
    case .macos: 3
    case .tvos: 4
    case .watchos: 5
    case .visionos: 6
    }
  }
}

extension PermissionState: StoredAsCode {
  package var code: Int16 {
    switch self {
    case .granted: 1
    case .provisional: 2
    case .ephemeral: 3
    case .denied: 4
    case .notDetermined: 5
    }
  }
}

extension CredentialStatus: StoredAsCode {
  package var code: Int16 {
    switch self {
    case .unverified: 1
    case .verified: 2
    case .rejected: 3
    case .paused: 4
    }
  }
}

extension HoldCause {
  var code: Int16 {
    switch self {
    case .credential: 1
    case .configuration: 2
    }
  }
}
