/// Names in a payload that are this product's, so that a sender's own members cannot make two of one name.
enum ReservedNames {
  static let aps = "aps"
  static let deliveryID = "delivery_id"
  static let imageURL = "image_url"
  static let url = "url"

  /// Members of the payload's root, in the order they are written; the sender's `data` follows.
  static let root = [aps, deliveryID, imageURL, url]

  /// Members of `aps` that have a field of their own in a message.
  static let inAPS = [
    "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content", "target-content-id",
    "interruption-level", "relevance-score", "filter-criteria",
  ]
}
