internal import PushCore
internal import ServiceKit

/// Answers of one group on their way from the provider's thread to the settling task. Bounded by the group: one result a recipient.
final class ResultBox: Sendable {
  private let results = Lock<[SendResult]>([])

  func append(_ more: [SendResult]) {
    results.withLock { $0.append(contentsOf: more) }
  }

  func take() -> [SendResult] {
    results.withLock { results in
      let taken = results
      results = []
      return taken
    }
  }
}
