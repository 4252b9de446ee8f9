import PushCore

@testable import APNs

/// Contents, messages and recipients as the tests of this module need them.
enum Fixture {
  static let message = MessageID(0x0190_0000_0000_7000_8000_0000_0000_0001)
  static let app = AppID(0x0190_0000_0000_7000_8000_0000_0000_00aa)
  /// 2026-01-01T00:00:00Z.
  static let now = Timestamp(seconds: 1_767_225_600)

  static func content(_ change: (inout MessageContent) -> Void = { $0.text.title = "Hello" }) -> MessageContent {
    var content = MessageContent()
    change(&content)
    return content
  }

  static func json(_ text: String) -> JSONText { JSONText(checked: Array(text.utf8)) }

  static func message(
    _ content: MessageContent, dueAt: Timestamp = now, timeToLive: Int64 = 86_400, id: MessageID = message
  ) -> Message {
    Message(
      id: id, app: app, content: content, lane: .transactional, name: nil, createdAt: dueAt, dueAt: dueAt,
      expiresAt: dueAt.advanced(bySeconds: timeToLive))
  }

  static func render(_ template: PayloadTemplate, proof: UInt128 = 1) -> String {
    let bytes = [UInt8](unsafeUninitializedCapacity: template.count) { buffer, count in
      template.render(message: message, proof: proof, into: UnsafeMutableRawBufferPointer(buffer))
      count = template.count
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func payload(_ content: MessageContent) throws -> String {
    render(try PayloadTemplate(content, text: content.text))
  }
}
