/// Names one connection of one event loop: the descriptor and how many registrations preceded it.
///
/// Unlike the channel it may travel anywhere; `EventLoop.channel(_:)` finds the channel again, or nothing once it is gone.
package struct ChannelID: Sendable, Hashable {
  let descriptor: Int32
  let generation: UInt32

  init(descriptor: Int32, generation: UInt32) {
    self.descriptor = descriptor
    self.generation = generation
  }

  init(token: UInt64) {
    descriptor = Int32(truncatingIfNeeded: token)
    generation = UInt32(truncatingIfNeeded: token >> 32)
  }

  var token: UInt64 { UInt64(UInt32(bitPattern: descriptor)) | UInt64(generation) << 32 }
}
