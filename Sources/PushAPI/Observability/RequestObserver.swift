internal import HTTP
internal import ServiceKit

/// Counts requests and writes the access log: one line a request, with nothing in it that came from the caller but its request id.
///
/// Owned by the handler; usable from any thread. There are as many series as pairs of a route and a status: a path that fits no
/// route has no label of its own.
final class RequestObserver: Sendable {
  private struct Key: Hashable {
    let method: HTTPMethod
    let route: String
    let status: UInt16
  }

  private let log: Log
  private let metrics: Metrics
  private let series = Lock<[Key: Histogram]>([:])
  private let faults: Counter

  static let unmatched = "(unmatched)"

  init(log: Log, metrics: Metrics) {
    self.log = log
    self.metrics = metrics
    faults = metrics.counter("bolrach_api_faults_total", "Requests that failed because something of ours did.")
  }

  /// From the last byte of the request to the answer.
  func record(_ request: HTTPRequest, route: String?, _ status: HTTPStatus, requestID: String) {
    let seconds = (ContinuousClock.now - request.receivedAt) / .seconds(1)
    let key = Key(method: request.method, route: route ?? Self.unmatched, status: status.code)
    histogram(key).record(seconds)
    log.info(
      "http.request",
      [
        "method": .text(key.method.rawValue), "route": .text(key.route), "status": .integer(Int(key.status)),
        "ms": .number((seconds * 1_000_000).rounded() / 1000), "request_id": .text(requestID),
      ])
  }

  /// What the answer does not say. An error's description names no value of a caller's, by the rule for all of our errors.
  func recordFault(_ error: any Error, route: String, requestID: String) {
    faults.add()
    log.sparse(
      .error, "http.fault",
      [
        "route": .text(route), "request_id": .text(requestID), "kind": .text("\(type(of: error))"),
        "error": .text("\(error)"),
      ])
  }

  /// In the text format of Prometheus: everything that is counted in this process.
  func exposition() -> [UInt8] { Array(metrics.exposition().utf8) }

  private func histogram(_ key: Key) -> Histogram {
    if let known = series.withLock({ $0[key] }) { return known }
    // Two requests may both come here; the registry gives them the same one.
    let new = metrics.histogram(
      "bolrach_http_request_duration_seconds", "Requests by route and status, and how long they took.",
      labels: ["method": key.method.rawValue, "route": key.route, "status": "\(key.status)"])
    series.withLock { $0[key] = new }
    return new
  }
}
