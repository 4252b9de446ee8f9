internal import PushCore

/// Memory for the pushes of one connection: path, id and body of each lie together and do not move until its stream has ended.
///
/// Owned by one connection, on its loop; freed with it. It grows by blocks up to the most streams there ever were at once, and only
/// what is written to becomes real memory.
struct SlotMemory: ~Copyable {
  static let pathPrefix: StaticString = "/3/device/"
  /// A UUID's text.
  static let idLength = 36
  private static let longestPath = 10 + DeviceToken.maximumBytes * 2
  private static let stride = (idLength + longestPath + PushKind.voipPayloadLimit + 15) & ~15
  private static let slotsPerBlock = 16

  private var blocks: [UnsafeMutableRawPointer] = []

  deinit { for block in blocks { block.deallocate() } }

  /// The slot's memory; blocks up to it are made.
  mutating func slot(_ number: Int) -> UnsafeMutableRawBufferPointer {
    while number / Self.slotsPerBlock >= blocks.count {
      blocks.append(.allocate(byteCount: Self.stride * Self.slotsPerBlock, alignment: 64))
    }
    let start = blocks[number / Self.slotsPerBlock] + (number % Self.slotsPerBlock) * Self.stride
    return UnsafeMutableRawBufferPointer(start: start, count: Self.stride)
  }
}

/// Where the parts of one rendered push lie in its slot.
struct RenderedPush {
  let id: UnsafeRawBufferPointer
  let path: UnsafeRawBufferPointer
  let body: UnsafeRawBufferPointer

  /// Writes a push into a slot, its parts close together: id, path, body.
  init(_ push: PushRequest, into slot: UnsafeMutableRawBufferPointer) {
    let id = UnsafeMutableRawBufferPointer(rebasing: slot[..<SlotMemory.idLength])
    Self.write(uuid: push.apnsID, into: id)
    let prefix = SlotMemory.pathPrefix
    let pathStart = SlotMemory.idLength
    let bodyStart = pathStart + prefix.utf8CodeUnitCount + push.token.bytes.count * 2
    let path = UnsafeMutableRawBufferPointer(rebasing: slot[pathStart..<bodyStart])
    path.copyMemory(from: UnsafeRawBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
    Self.write(
      hex: push.token.bytes, into: UnsafeMutableRawBufferPointer(rebasing: path[prefix.utf8CodeUnitCount...]))
    let body = UnsafeMutableRawBufferPointer(rebasing: slot[bodyStart..<(bodyStart + push.payload.count)])
    push.payload.render(message: push.message, proof: push.proof, into: body)
    self.id = UnsafeRawBufferPointer(id)
    self.path = UnsafeRawBufferPointer(path)
    self.body = UnsafeRawBufferPointer(body)
  }

  private static let digits: StaticString = "0123456789abcdef"

  private static func write(hex bytes: [UInt8], into buffer: UnsafeMutableRawBufferPointer) {
    let digits = digits.utf8Start
    var position = 0
    for byte in bytes {
      buffer[position] = digits[Int(byte >> 4)]
      buffer[position + 1] = digits[Int(byte & 15)]
      position += 2
    }
  }

  /// 8-4-4-4-12, lower case, as Apple wants it.
  private static func write(uuid: UInt128, into buffer: UnsafeMutableRawBufferPointer) {
    let digits = digits.utf8Start
    var rest = uuid
    for position in stride(from: SlotMemory.idLength - 1, through: 0, by: -1) {
      switch position {
      case 8, 13, 18, 23: buffer[position] = UInt8(ascii: "-")
      default:
        buffer[position] = digits[Int(truncatingIfNeeded: rest & 15)]
        rest >>= 4
      }
    }
  }
}
