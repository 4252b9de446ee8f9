internal import HTTP

/// What a request brings to prove who is asking.
///
/// A plain value of one request; printing it shows nothing of the credential because it is only ever taken apart here.
struct PresentedCredentials {
  /// The one bearer token; `nil` when there is none, or two, or another scheme.
  let bearer: String?
  /// `X-Bolrach-App-ID`.
  let appID: String?

  /// Longer than any credential of ours by far.
  private static let longestBearer = 512

  init(_ fields: HTTPFields) {
    let authorizations = fields.values(of: "Authorization")
    bearer = authorizations.count == 1 ? Self.bearer(authorizations[0]) : nil
    let apps = fields.values(of: "X-Bolrach-App-ID")
    appID = apps.count == 1 ? apps[0] : nil
  }

  private static func bearer(_ value: String) -> String? {
    let parts = value.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bearer", parts[1].utf8.count <= longestBearer else { return nil }
    return String(parts[1])
  }
}
