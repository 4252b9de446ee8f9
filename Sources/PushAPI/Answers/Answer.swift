internal import HTTP
internal import JSON
internal import PushCore

/// A successful outcome of a call, before it becomes a response.
struct Answer: Sendable {
  let success: Success
  let contentType: String?
  let body: [UInt8]
  var fields = HTTPFields()

  static let noContent = Answer(success: .noContent, contentType: nil, body: [])

  /// What a path can be asked with.
  static func options(_ allow: [HTTPMethod]) -> Answer {
    var answer = Answer.noContent
    answer.fields.append("Allow", allow.allowField)
    return answer
  }

  /// Bytes that are made already.
  init(_ contentType: String, _ body: [UInt8]) {
    self.init(success: .ok, contentType: contentType, body: body)
  }

  /// One JSON object.
  static func json(_ success: Success, _ members: (inout JSONWriter) -> Void) -> Answer {
    var writer = JSONWriter()
    writer.object(members)
    return Answer(success: success, contentType: "application/json", body: writer.bytes)
  }

  /// A page of a list, with the cursor of the next.
  static func list<Element>(
    _ page: Page<Element>, _ query: ListQuery, _ cursors: CursorCodec,
    members: (inout JSONWriter, Element) -> Void
  ) -> Answer {
    json(.ok) { body in
      body.name("data")
      body.array { list in
        for element in page.elements { list.object { members(&$0, element) } }
      }
      body.member("next_cursor", page.next.map { cursors.encode($0, for: query.context) })
    }
  }

  private init(success: Success, contentType: String?, body: [UInt8]) {
    self.success = success
    self.contentType = contentType
    self.body = body
  }
}
