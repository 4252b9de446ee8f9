internal import HTTP2

/// The answers of the raw mode: 200 and the request's `apns-id`, from a head prepared once, counted in bulk.
///
/// A value of its connection's, on its loop.
struct RawAnswers {
  /// Not reported yet.
  private(set) var count = 0
  private let head = HeaderTemplate([
    HeaderTemplate.Field(":status", .fixed(Array("200".utf8))),
    HeaderTemplate.Field("apns-id", .variable, .notRemembered),
  ])

  mutating func answer(_ request: HTTP2ServerRequest, on connection: HTTP2ServerConnection) {
    count += 1
    for index in 0..<request.fieldCount {
      let isAnswered = request.withField(index) { name, value in
        guard name.count == 7, name.elementsEqual("apns-id".utf8) else { return false }
        connection.respond(to: request.stream, head, value: value)
        return true
      }
      if isAnswered { return }
    }
    connection.respond(
      to: request.stream, status: 200, fields: [(Array("apns-id".utf8), MessageID.random())])
  }

  mutating func report(to book: HostBook) {
    guard count > 0 else { return }
    let total = count
    count = 0
    book.change { $0.countAccepted(total) }
  }
}
