internal import PushCore

extension APNsOptions {
  static let fields = [
    "thread_id", "interruption_level", "relevance_score", "collapse_id", "priority", "push_type", "mutable_content",
    "content_available", "target_content_id", "filter_criteria", "title_loc_key", "title_loc_args",
    "subtitle_loc_key", "subtitle_loc_args", "loc_key", "loc_args", "launch_image", "aps",
  ]

  init(_ fields: FieldReader) {
    self.init()
    threadID = fields.optionalText("thread_id", FieldLimit.identifier)
    interruptionLevel = fields.optionalText("interruption_level", FieldLimit.shortWord)
    relevanceScore = fields.number("relevance_score")
    collapseID = CollapseID(fields)
    priority = fields.integer("priority", 0...1000).map { Int($0) }
    pushType = fields.optionalChoice("push_type")
    mutableContent = fields.flag("mutable_content")
    contentAvailable = fields.flag("content_available")
    targetContentID = fields.optionalText("target_content_id", FieldLimit.identifier)
    filterCriteria = fields.optionalText("filter_criteria", FieldLimit.identifier)
    titleLocKey = fields.optionalText("title_loc_key", FieldLimit.identifier)
    titleLocArgs = fields.texts("title_loc_args", 0...FieldLimit.arguments, FieldLimit.argument)
    subtitleLocKey = fields.optionalText("subtitle_loc_key", FieldLimit.identifier)
    subtitleLocArgs = fields.texts("subtitle_loc_args", 0...FieldLimit.arguments, FieldLimit.argument)
    locKey = fields.optionalText("loc_key", FieldLimit.identifier)
    locArgs = fields.texts("loc_args", 0...FieldLimit.arguments, FieldLimit.argument)
    launchImage = fields.optionalText("launch_image", FieldLimit.identifier)
    aps = fields.anyMembers("aps")
  }
}

extension CollapseID {
  /// Left out: made from the message. `null` or an empty text: the sender wants none. The provider judges the length.
  fileprivate init(_ fields: FieldReader) {
    guard fields.isPresent("collapse_id") else {
      self = .ofMessage
      return
    }
    let text = fields.optionalText("collapse_id", 0...1024) ?? ""
    self = text.isEmpty ? .off : .named(text)
  }
}
