internal import Glibc

extension TransportError {
  /// The error of a failed system call, from `errno` as the call left it.
  static func system(_ call: StaticString, _ number: Int32 = errno) -> TransportError {
    TransportError(code(of: number), "\(call): \(String(cString: strerror(number)))")
  }

  private static func code(of number: Int32) -> Code {
    switch number {
    case ECONNREFUSED: .connectionRefused
    case EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN, EADDRNOTAVAIL: .hostUnreachable
    // ETIMEDOUT is TCP_USER_TIMEOUT or keepalive giving up on a silent peer.
    case ECONNRESET, EPIPE, ECONNABORTED, ETIMEDOUT: .connectionReset
    default: .system
    }
  }
}
