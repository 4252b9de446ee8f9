internal import PushCore

/// A payload made once for a message and language: constant bytes with a gap for the delivery id. Rendering a push copies memory.
///
/// A plain value, read from any thread.
struct PayloadTemplate: Sendable, Hashable {
  private let bytes: [UInt8]
  private let deliveryIDOffset: Int

  /// `text` is the content's in one language; its variables are put in here.
  init(_ content: MessageContent, text: LocalizedText) throws(VariableText.Problem) {
    let words = try LocalizedText(
      title: Self.filled(text.title, content.variables), subtitle: Self.filled(text.subtitle, content.variables),
      body: Self.filled(text.body, content.variables))
    var writer = PayloadWriter()
    var offset = 0
    writer.object { root in
      root.object(ReservedNames.aps) { aps in Self.writeAPS(content, words, into: &aps) }
      offset = root.slot(ReservedNames.deliveryID, length: DeliveryID.length)
      root.member(ReservedNames.imageURL, content.imageURL)
      root.member(ReservedNames.url, content.url)
      for member in content.data { root.member(member.name, member.value) }
    }
    bytes = writer.bytes
    deliveryIDOffset = offset
  }

  /// The same for every recipient: a delivery id has one length.
  var count: Int { bytes.count }

  /// Writes ``count`` bytes at the start of `buffer`.
  func render(message: MessageID, proof: UInt128, into buffer: UnsafeMutableRawBufferPointer) {
    precondition(buffer.count >= bytes.count)
    bytes.withUnsafeBytes { buffer.copyMemory(from: $0) }
    DeliveryID.write(
      message: message, proof: proof, into: UnsafeMutableRawBufferPointer(rebasing: buffer[deliveryIDOffset...]))
  }

  private static func filled(_ text: String?, _ variables: [String: String]) throws(VariableText.Problem) -> String? {
    guard let text else { return nil }
    return try VariableText.substitute(variables, in: text)
  }

  private static func writeAPS(_ content: MessageContent, _ words: LocalizedText, into aps: inout PayloadWriter) {
    let options = content.apns
    let hasAlert =
      !words.isEmpty || options.titleLocKey != nil || options.subtitleLocKey != nil || options.locKey != nil
    if hasAlert { aps.object("alert") { alert in writeAlert(options, words, into: &alert) } }
    aps.member("badge", content.badge.map(Int.init))
    writeSound(content.sound, into: &aps)
    aps.member("thread-id", options.threadID)
    aps.member("category", content.category)
    aps.member("content-available", wakesApp(options) ? 1 : nil)
    // An image is fetched by the app's notification service extension, which runs only when asked for here.
    aps.member("mutable-content", options.mutableContent ?? (content.imageURL != nil) ? 1 : nil)
    aps.member("target-content-id", options.targetContentID)
    aps.member("interruption-level", options.interruptionLevel)
    aps.member("relevance-score", options.relevanceScore)
    aps.member("filter-criteria", options.filterCriteria)
    for member in options.aps { aps.member(member.name, member.value) }
  }

  private static func wakesApp(_ options: APNsOptions) -> Bool {
    options.contentAvailable ?? (options.pushType == .background)
  }

  private static func writeAlert(_ options: APNsOptions, _ words: LocalizedText, into alert: inout PayloadWriter) {
    alert.member("title", words.title)
    alert.member("subtitle", words.subtitle)
    alert.member("body", words.body)
    alert.member("title-loc-key", options.titleLocKey)
    alert.member("title-loc-args", options.titleLocArgs)
    alert.member("subtitle-loc-key", options.subtitleLocKey)
    alert.member("subtitle-loc-args", options.subtitleLocArgs)
    alert.member("loc-key", options.locKey)
    alert.member("loc-args", options.locArgs)
    alert.member("launch-image", options.launchImage)
  }

  private static func writeSound(_ sound: Sound?, into aps: inout PayloadWriter) {
    switch sound {
    case nil: return
    case .named(let name): aps.member("sound", name)
    case .critical(let name, let volume):
      aps.object("sound") { sound in
        sound.member("critical", 1)
        sound.member("name", name)
        sound.member("volume", volume)
      }
    }
  }
}

extension MessageContent {
  /// The words in one language; a part that a localization leaves out is the message's own.
  func text(in locale: String?) -> LocalizedText {
    guard let locale, let words = localizations[locale] else { return text }
    return LocalizedText(
      title: words.title ?? text.title, subtitle: words.subtitle ?? text.subtitle, body: words.body ?? text.body)
  }
}
