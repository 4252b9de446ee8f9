internal import JSON
internal import PushCore

extension ContentCodec {
  /// The API bounds a body; our own member names add little. Twice the bound, and one level more than it lets in.
  private static let limits = JSONLimits(maxBytes: 512 * 1024, maxDepth: 40)

  /// Throws `unreadable` for what ``encode(_:)`` has not written.
  static func decode(_ bytes: [UInt8]) throws(StoreError) -> MessageContent {
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONValue(parsing: bytes, limits: limits)
    } catch {
      throw StoreError(.unreadable)
    }
    guard let apns = root["apns"] else { throw StoreError(.unreadable) }
    var content = MessageContent()
    content.text = text(root)
    content.imageURL = root["image_url"]?.string
    content.url = root["url"]?.string
    content.data = members(root["data"])
    content.badge = root["badge"]?.number?.int64.flatMap(Int32.init(exactly:))
    content.sound = sound(root)
    content.category = root["category"]?.string
    content.apns = try options(apns)
    for member in root["localizations"]?.object?.members ?? [] {
      content.localizations[member.name] = text(member.value)
    }
    for member in root["variables"]?.object?.members ?? [] {
      content.variables[member.name] = member.value.string
    }
    return content
  }

  private static func text(_ value: JSONValue) -> LocalizedText {
    LocalizedText(
      title: value["title"]?.string, subtitle: value["subtitle"]?.string, body: value["body"]?.string)
  }

  private static func members(_ value: JSONValue?) -> [JSONMember] {
    (value?.object?.members ?? []).map { JSONMember(name: $0.name, value: JSONText(checked: $0.value.encoded())) }
  }

  private static func sound(_ root: JSONValue) -> Sound? {
    if let name = root["sound"]?.string { return .named(name) }
    guard let critical = root["critical_sound"], let name = critical["name"]?.string else { return nil }
    return .critical(name: name, volume: critical["volume"].map { JSONText(checked: $0.encoded()) })
  }

  private static func options(_ value: JSONValue) throws(StoreError) -> APNsOptions {
    var options = APNsOptions()
    if let word = value["push_type"]?.string {
      // Sent as something else than was asked for, it could wake nobody: rather not at all.
      guard let type = PushType(rawValue: word) else { throw StoreError(.unreadable) }
      options.pushType = type
    }
    options.priority = value["priority"]?.number?.int64.map { Int($0) }
    options.collapseID =
      if let id = value["collapse_id"]?.string { .named(id) } else if value["collapse"] != nil { .off } else {
        .ofMessage
      }
    options.threadID = value["thread_id"]?.string
    options.interruptionLevel = value["interruption_level"]?.string
    options.relevanceScore = value["relevance_score"].map { JSONText(checked: $0.encoded()) }
    options.mutableContent = value["mutable_content"]?.bool
    options.contentAvailable = value["content_available"]?.bool
    options.targetContentID = value["target_content_id"]?.string
    options.filterCriteria = value["filter_criteria"]?.string
    options.titleLocKey = value["title_loc_key"]?.string
    options.titleLocArgs = texts(value["title_loc_args"])
    options.subtitleLocKey = value["subtitle_loc_key"]?.string
    options.subtitleLocArgs = texts(value["subtitle_loc_args"])
    options.locKey = value["loc_key"]?.string
    options.locArgs = texts(value["loc_args"])
    options.launchImage = value["launch_image"]?.string
    options.aps = members(value["aps"])
    return options
  }

  private static func texts(_ value: JSONValue?) -> [String] { (value?.array ?? []).compactMap(\.string) }
}
