/// What a channel tells its user, always on the loop's thread and never from inside a call into the channel.
///
/// The channel keeps its handler from `start` until it has said `channelClosed`, which it says exactly once.
package protocol ChannelHandler: AnyObject {
  /// `bytes` are valid during the call. The handler may write to and close the channel.
  func channel(_ channel: Channel, received bytes: UnsafeRawBufferPointer)
  /// The peer will send no more but may still read. By default the channel is closed once everything is written.
  func channelInputEnded(_ channel: Channel)
  /// All output has been handed to the kernel after some of it had to wait.
  func channelDrained(_ channel: Channel)
  /// - Parameter error: nil if we closed, or both sides ended properly.
  func channelClosed(_ channel: Channel, error: TransportError?)
}

extension ChannelHandler {
  package func channelInputEnded(_ channel: Channel) { channel.closeAfterFlush() }
  package func channelDrained(_ channel: Channel) {}
}
