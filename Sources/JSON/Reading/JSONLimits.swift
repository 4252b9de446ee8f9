/// What a document may be at most.
package struct JSONLimits: Sendable {
  package var maxBytes: Int
  /// Arrays and objects inside one another; the outermost counts. Reading and freeing a tree go as deep as it does, so this
  /// is never more than ``deepest``.
  package var maxDepth: Int
  /// Characters of one number. Digits are kept as they are written, and someone downstream must be able to read them.
  package var maxNumberLength: Int

  /// A level costs about 2 KiB of stack in a debug build (measured: 256 levels overflowed half a megabyte), less in an
  /// optimised one.
  package static let deepest = 64

  package init(maxBytes: Int = 256 * 1024, maxDepth: Int = 32, maxNumberLength: Int = 128) {
    precondition(maxBytes > 0 && maxBytes <= 1 << 30 && maxNumberLength > 0)
    precondition((1...Self.deepest).contains(maxDepth))
    self.maxBytes = maxBytes
    self.maxDepth = maxDepth
    self.maxNumberLength = maxNumberLength
  }
}
