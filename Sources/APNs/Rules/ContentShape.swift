internal import PushCore

/// What a message's content says about the kind of push it is.
///
/// A plain value, read off a content once.
struct ContentShape: Sendable, Hashable {
  /// Fields given that put something on the screen, in the speaker or on the icon.
  let visibleFields: [String]
  /// Further fields that mean something only for what is visible.
  let presentationFields: [String]
  let wakesApp: Bool

  init(_ content: MessageContent) {
    let texts = [content.text] + content.localizations.values
    let options = content.apns
    let visible: [(String, Bool)] = [
      ("/title", texts.contains { $0.title != nil }),
      ("/subtitle", texts.contains { $0.subtitle != nil }),
      ("/body", texts.contains { $0.body != nil }),
      ("/badge", content.badge != nil),
      ("/sound", content.sound != nil),
      ("/apns/title_loc_key", options.titleLocKey != nil),
      ("/apns/subtitle_loc_key", options.subtitleLocKey != nil),
      ("/apns/loc_key", options.locKey != nil),
    ]
    let presentation: [(String, Bool)] = [
      ("/image_url", content.imageURL != nil),
      ("/category", content.category != nil),
      ("/apns/thread_id", options.threadID != nil),
      ("/apns/interruption_level", options.interruptionLevel != nil),
      ("/apns/relevance_score", options.relevanceScore != nil),
      ("/apns/mutable_content", options.mutableContent == true),
      ("/apns/target_content_id", options.targetContentID != nil),
      ("/apns/filter_criteria", options.filterCriteria != nil),
      ("/apns/launch_image", options.launchImage != nil),
    ]
    visibleFields = visible.filter(\.1).map(\.0)
    presentationFields = presentation.filter(\.1).map(\.0)
    wakesApp = options.contentAvailable == true
  }

  /// The type of a message that names none: whatever is seen or heard makes an alert, and only a bare `content_available` a background push.
  /// `nil` when there is nothing to send.
  var derivedType: PushType? {
    if !visibleFields.isEmpty { return .alert }
    return wakesApp ? .background : nil
  }
}
