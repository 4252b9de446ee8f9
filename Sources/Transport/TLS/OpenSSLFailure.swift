internal import COpenSSL

/// OpenSSL's per-thread error queue: cleared before a call whose failure will be looked at, drained right after it.
enum OpenSSLFailure {
  static func clear() { ERR_clear_error() }

  /// The oldest error's numeric reason, its text, and the function of OpenSSL that raised it; the queue is empty
  /// afterwards.
  static func drain() -> (reason: Int32, text: String, function: String) {
    var raiser: UnsafePointer<CChar>?
    let code = ERR_get_error_all(nil, nil, &raiser, nil, nil)
    let function = raiser.map { String(cString: $0) } ?? ""
    ERR_clear_error()
    guard code != 0 else { return (0, "no reason given", function) }
    // ERR_GET_REASON is an inline function of OpenSSL 3 that Swift imports.
    let text = ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    return (ERR_GET_REASON(code), text, function)
  }
}
