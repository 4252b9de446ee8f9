internal import CLinux
internal import Glibc

enum ReadOutcome {
  case bytes(Int)
  case wouldBlock
  /// The peer has said that no more will come.
  case ended
  case failed(TransportError)
}

enum WriteOutcome {
  case bytes(Int)
  case wouldBlock
  case failed(TransportError)
}

/// A connected socket, in clear or under TLS. Owned by one channel; replaced by `closed` to close it.
enum ByteStream: ~Copyable {
  case plain(Socket)
  case secured(TLSSession)
  case closed

  func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    switch self {
    case .plain(let socket): Self.receive(socket.descriptor, buffer)
    case .secured(let session): session.read(into: buffer)
    case .closed: .ended
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
    switch self {
    case .plain(let socket): Self.transmit(socket.descriptor, bytes)
    case .secured(let session): session.write(bytes)
    case .closed: .failed(TransportError(.cancelled))
    }
  }

  /// Says goodbye without waiting for an answer.
  func endOutput() {
    switch self {
    case .plain(let socket): socket.endOutput()
    case .secured(let session): session.endOutput()
    case .closed: break
    }
  }

  private static func receive(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .ended }
      if errno == EAGAIN { return .wouldBlock }
      if errno != EINTR { return .failed(.system("recv")) }
    }
  }

  private static func transmit(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
    while true {
      // MSG_NOSIGNAL: a peer that went away is an error of this channel, not a SIGPIPE for the process.
      let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      if count >= 0 { return .bytes(count) }
      if errno == EAGAIN { return .wouldBlock }
      if errno != EINTR { return .failed(.system("send")) }
    }
  }
}
