internal import Crypto
package import PushCore
internal import ServiceKit

/// Reads what an app's owner uploads: the ids from Apple's pages and the `.p8` file, and says in words what is wrong with it.
///
/// A plain value; usable from any thread. The key is checked with a test signature and is never part of a problem.
package struct APNsCredentialInspector: CredentialInspector {
  package init() {}

  package func inspect(
    teamID: String, keyID: String, bundleID: String, p8: [UInt8]
  ) throws(FieldProblems) -> APNsCredential {
    let team = Self.trimmed(teamID)
    let key = Self.trimmed(keyID)
    let bundle = Self.trimmed(bundleID)
    var problems = [
      Self.problem(ofID: team, at: "/team_id", named: "team id"),
      Self.problem(ofID: key, at: "/key_id", named: "key id"),
      Self.problem(ofBundleID: bundle),
    ].compactMap(\.self)
    if problems.isEmpty, team == key {
      problems.append(
        FieldProblem(
          pointer: "/key_id", code: "contradiction",
          detail: "The key id and the team id are the same. The key id is beside the key, the team id under Membership."
        ))
    }
    let parsed: P8Parser.Key
    do throws(P8Refusal) {
      parsed = try P8Parser.parse(p8)
    } catch {
      problems.append(FieldProblem(pointer: "/p8", code: error.rawValue, detail: Self.sentence(error.description)))
      throw FieldProblems(problems)
    }
    guard problems.isEmpty else { throw FieldProblems(problems) }
    return APNsCredential(
      teamID: team, keyID: key, bundleID: bundle, key: SigningKey(pem: parsed.pem.exposed),
      fingerprint: parsed.fingerprint)
  }

  /// Apple's ids: ten capital letters and digits.
  private static let idLength = 10

  private static func problem(ofID id: String, at pointer: String, named name: String) -> FieldProblem? {
    guard !id.isEmpty else {
      return FieldProblem(pointer: pointer, code: "required", detail: "The \(name) is missing.")
    }
    guard !id.contains(".") else {
      return FieldProblem(
        pointer: pointer, code: "invalid",
        detail: "This looks like a bundle id; the \(name) has \(idLength) characters.")
    }
    guard id.utf8.allSatisfy(isLetterOrDigit), id.utf8.count == idLength else {
      return FieldProblem(
        pointer: pointer, code: "invalid",
        detail: "The \(name) is \(idLength) letters and digits; this has \(id.count) characters.")
    }
    return nil
  }

  private static func problem(ofBundleID id: String) -> FieldProblem? {
    let pointer = "/bundle_id"
    guard !id.isEmpty else {
      return FieldProblem(pointer: pointer, code: "required", detail: "The bundle id is missing.")
    }
    guard id.contains(".") else {
      let hint = id.utf8.count == idLength ? " This looks like a team id or a key id." : ""
      return FieldProblem(
        pointer: pointer, code: "invalid", detail: "A bundle id has parts with dots between, com.example.shop.\(hint)")
    }
    let parts = id.split(separator: ".", omittingEmptySubsequences: false)
    let isWell = parts.allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
    }
    guard isWell, id.utf8.count <= 155 else {
      return FieldProblem(
        pointer: pointer, code: "invalid",
        detail: "A bundle id has letters, digits, hyphens and dots, such as com.example.shop; no * and no blanks.")
    }
    if let suffix = PushKind.all.compactMap(\.topicSuffix).first(where: { !$0.isEmpty && id.hasSuffix($0) }) {
      return FieldProblem(
        pointer: pointer, code: "invalid",
        detail: "Give the bundle id without \(suffix): each kind of push adds its own.")
    }
    return nil
  }

  private static func trimmed(_ text: String) -> String {
    let blank: (Character) -> Bool = { $0.isWhitespace || $0.isNewline }
    return String(text.drop(while: blank).reversed().drop(while: blank).reversed())
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }
}
