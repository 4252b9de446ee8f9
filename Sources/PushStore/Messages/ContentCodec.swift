internal import JSON
internal import PushCore

/// A message's content as the JSON that is kept of it: short, readable with psql, and exact. Digits, member order and types of what
/// the sender wrote come back as they were; what is absent is not written.
enum ContentCodec {
  static func encode(_ content: MessageContent) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      write(content.text, to: &writer)
      writer.member("image_url", ifPresent: content.imageURL)
      writer.member("url", ifPresent: content.url)
      write("data", content.data, to: &writer)
      writer.member("badge", ifPresent: content.badge)
      write(content.sound, to: &writer)
      writer.member("category", ifPresent: content.category)
      writer.name("apns")
      writer.object { write(content.apns, to: &$0) }
      write(content.localizations, to: &writer)
      write(variables: content.variables, to: &writer)
    }
    return writer.bytes
  }

  private static func write(_ text: LocalizedText, to writer: inout JSONWriter) {
    writer.member("title", ifPresent: text.title)
    writer.member("subtitle", ifPresent: text.subtitle)
    writer.member("body", ifPresent: text.body)
  }

  private static func write(_ name: StaticString, _ members: [JSONMember], to writer: inout JSONWriter) {
    guard !members.isEmpty else { return }
    writer.name(name)
    writer.object { writer in
      for member in members {
        writer.name(text: member.name)
        writer.raw(member.value.bytes)
      }
    }
  }

  private static func write(_ sound: Sound?, to writer: inout JSONWriter) {
    switch sound {
    case nil: return
    case .named(let name): writer.member("sound", name)
    case .critical(let name, let volume):
      writer.name("critical_sound")
      writer.object { writer in
        writer.member("name", name)
        write("volume", volume, to: &writer)
      }
    }
  }

  private static func write(_ name: StaticString, _ json: JSONText?, to writer: inout JSONWriter) {
    guard let json else { return }
    writer.name(name)
    writer.raw(json.bytes)
  }

  private static func write(_ options: APNsOptions, to writer: inout JSONWriter) {
    writer.member("push_type", ifPresent: options.pushType?.rawValue)
    writer.member("priority", ifPresent: options.priority)
    switch options.collapseID {
    case .ofMessage: break
    case .named(let id): writer.member("collapse_id", id)
    case .off: writer.member("collapse", false)
    }
    writer.member("thread_id", ifPresent: options.threadID)
    writer.member("interruption_level", ifPresent: options.interruptionLevel)
    write("relevance_score", options.relevanceScore, to: &writer)
    writer.member("mutable_content", ifPresent: options.mutableContent)
    writer.member("content_available", ifPresent: options.contentAvailable)
    writer.member("target_content_id", ifPresent: options.targetContentID)
    writer.member("filter_criteria", ifPresent: options.filterCriteria)
    writer.member("title_loc_key", ifPresent: options.titleLocKey)
    writer.member("title_loc_args", ifPresent: options.titleLocArgs.nonEmpty)
    writer.member("subtitle_loc_key", ifPresent: options.subtitleLocKey)
    writer.member("subtitle_loc_args", ifPresent: options.subtitleLocArgs.nonEmpty)
    writer.member("loc_key", ifPresent: options.locKey)
    writer.member("loc_args", ifPresent: options.locArgs.nonEmpty)
    writer.member("launch_image", ifPresent: options.launchImage)
    write("aps", options.aps, to: &writer)
  }

  private static func write(_ localizations: [String: LocalizedText], to writer: inout JSONWriter) {
    guard !localizations.isEmpty else { return }
    writer.name("localizations")
    writer.object { writer in
      for (tag, text) in localizations.sorted(by: { $0.key < $1.key }) {
        writer.name(text: tag)
        writer.object { write(text, to: &$0) }
      }
    }
  }

  private static func write(variables: [String: String], to writer: inout JSONWriter) {
    guard !variables.isEmpty else { return }
    writer.name("variables")
    writer.object { writer in
      for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
        writer.name(text: name)
        writer.value(value)
      }
    }
  }
}

extension Array {
  fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
