internal import PushCore

/// A message made ready for APNs: its payload in every language and the headers that all its pushes share.
///
/// Immutable; made by the provider's `compile`, kept by the worker while the message is sent, read on the engine's loops.
final class CompiledPush: CompiledMessage {
  let message: MessageID
  let kind: PushKind
  let priority: Int
  /// `apns-expiration`: seconds since the epoch, 0 for a single attempt.
  let expiration: Int64
  /// Nothing is sent from here on.
  let expiresAt: Timestamp
  let collapseID: String?
  private let variants: [PayloadTemplate]
  private let tags: LocaleTags

  /// How long a message with a time to live of zero is worth its one attempt: it is due and over in the same instant, and still has a
  /// queue to pass.
  static let immediateGrace: Int64 = 60

  init(_ message: Message) throws(FieldProblems) {
    let content = message.content
    let problems = DraftRules.problems(in: content)
    guard problems.isEmpty, let type = content.apns.pushType ?? ContentShape(content).derivedType else {
      throw FieldProblems(problems)
    }
    self.message = message.id
    kind = PushKind(type)
    priority = content.apns.priority ?? kind.defaultPriority
    let isImmediate = message.expiresAt <= message.dueAt
    expiration = isImmediate ? 0 : message.expiresAt.secondsSinceEpoch
    expiresAt = isImmediate ? message.expiresAt.advanced(bySeconds: Self.immediateGrace) : message.expiresAt
    switch content.apns.collapseID {
    case .ofMessage: collapseID = message.id.description
    case .named(let text): collapseID = text.isEmpty ? nil : text
    case .off: collapseID = nil
    }
    let locales = content.localizations.keys.sorted()
    tags = LocaleTags(locales)
    do throws(VariableText.Problem) {
      var variants = [try PayloadTemplate(content, text: content.text)]
      for locale in locales { variants.append(try PayloadTemplate(content, text: content.text(in: locale))) }
      self.variants = variants
    } catch {
      throw FieldProblems([FieldProblem(pointer: "/variables", code: error.code, detail: error.detail)])
    }
  }

  func payload(for locale: String?) -> PayloadTemplate { variants[tags.variant(for: locale)] }
}
