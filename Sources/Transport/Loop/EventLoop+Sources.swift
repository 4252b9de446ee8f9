extension EventLoop {
  /// Nil if epoll refuses the descriptor or the loop has ended.
  func register(_ source: any EventSource, descriptor: Int32, _ interest: Poller.Interest) -> ChannelID? {
    preconditionIsCurrent()
    guard isAcceptingSources else { return nil }
    let id = sources.add(source, descriptor: descriptor)
    guard poller.add(descriptor, interest, token: id.token) else {
      sources.remove(id)
      return nil
    }
    return id
  }

  func change(_ id: ChannelID, _ interest: Poller.Interest) {
    poller.change(id.descriptor, interest, token: id.token)
  }

  /// Before the descriptor is closed.
  func deregister(_ id: ChannelID) {
    preconditionIsCurrent()
    guard sources.find(id) != nil else { return }
    sources.remove(id)
    poller.remove(id.descriptor)
  }

  /// The channel of this name if it is still open on this loop. Loop thread only.
  package func channel(_ id: ChannelID) -> Channel? {
    preconditionIsCurrent()
    return sources.find(id) as? Channel
  }
}
