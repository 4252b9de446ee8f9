import HTTP
import HTTPServer

/// What a reader made of some bytes, as values that compare.
struct ReaderRun: Equatable {
  struct Request: Equatable {
    let method: HTTPMethod
    let target: String
    let fields: HTTPFields
    let body: [UInt8]
    let keepsAlive: Bool
  }

  enum End: Equatable {
    case idle
    case waiting
    case refused(Refusal)
    /// A request asked to close; bytes behind it are not read.
    case closed
  }

  private(set) var requests: [Request] = []
  private(set) var end = End.idle

  static let bodyLimit = 64

  /// Feeds `bytes` in pieces that end at the given places.
  init(_ bytes: [UInt8], cutAt cuts: [Int] = [], limits: RequestLimits = RequestLimits()) {
    var reader = RequestReader(limits: limits)
    var start = 0
    for cut in cuts + [bytes.count] {
      guard feed(Array(bytes[start..<cut]), &reader) else { return }
      start = cut
    }
    end = reader.isIdle ? .idle : .waiting
  }

  /// False when nothing more may be read.
  private mutating func feed(_ piece: [UInt8], _ reader: inout RequestReader) -> Bool {
    var offset = 0
    do throws(Refusal) {
      while true {
        switch try reader.read(piece.span, from: &offset) {
        case .needsMore:
          return true
        case .head:
          try reader.beginBody(limit: Self.bodyLimit)
        case .request(let head, let body):
          requests.append(
            Request(
              method: head.method, target: head.target.raw, fields: head.fields, body: body,
              keepsAlive: reader.keepsAlive))
          guard reader.keepsAlive else {
            end = .closed
            return false
          }
        }
      }
    } catch {
      end = .refused(error)
      return false
    }
  }
}
