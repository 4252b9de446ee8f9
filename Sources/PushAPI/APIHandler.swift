package import HTTP
internal import PushCore
package import ServiceKit

/// The whole HTTP API behind one function: a request in, an answer out, whatever happens in between.
///
/// Owned by the composition root; a value that is safe on any thread. It has no life of its own: it ends with the server that
/// calls it.
package struct APIHandler: Sendable {
  let table = Endpoint.table()
  private let authenticator: Authenticator
  private let limiter: RateLimiter
  private let observer: RequestObserver
  private let resources: Resources

  package init(ports: APIPorts, configuration: APIConfiguration, log: Log, metrics: Metrics) {
    authenticator = Authenticator(
      tenancy: ports.tenancy, keyring: ports.keyring, operatorToken: configuration.operatorToken)
    limiter = RateLimiter(configuration.limits)
    let observer = RequestObserver(log: log, metrics: metrics)
    self.observer = observer
    resources = Resources(ports: ports, configuration: configuration, metrics: { observer.exposition() })
  }

  /// Never throws and never hangs longer than its ports do.
  package func respond(to request: HTTPRequest) async -> HTTPResponse {
    let requestID = RequestID.of(request.fields)
    let outcome: Outcome
    switch table.match(request.method, request.path) {
    case .found(let endpoint, let template, let parameters):
      outcome = await perform(endpoint, template, Call(request: request, parameters: parameters), requestID)
    case .options(let allow):
      outcome = Outcome(allowance: limiter.look(.address(request.remoteAddress)), result: .success(.options(allow)))
    case .methodNotAllowed(let allow):
      outcome = refuse(.methodNotAllowed(allow: allow), request.remoteAddress)
    case .notFound:
      outcome = refuse(.unknownRoute, request.remoteAddress)
    }
    let response = outcome.response(requestID: requestID)
    observer.record(request, route: outcome.template, response.status, requestID: requestID)
    return response
  }

  /// Authentication, permission, limit, then the call itself.
  private func perform(_ endpoint: Endpoint, _ template: String, _ call: Call, _ requestID: String) async -> Outcome {
    var outcome: Outcome
    do {
      let admission = try await authenticator.admit(endpoint, call.request.fields)
      let allowance = allowance(for: admission, call.request.remoteAddress)
      outcome = Outcome(allowance: allowance, result: await result(of: admission, allowance, call, template, requestID))
    } catch {
      outcome = refuse(problem(error, template, requestID), call.request.remoteAddress)
    }
    outcome.template = template
    return outcome
  }

  private func allowance(for admission: Admission, _ address: String) -> Allowance {
    let subject = admission.limitSubject(address: address)
    guard case .system = admission else { return limiter.take(subject) }
    return limiter.look(subject)
  }

  private func result(
    of admission: Admission, _ allowance: Allowance, _ call: Call, _ template: String, _ requestID: String
  ) async -> Result<Answer, APIProblem> {
    if let seconds = allowance.retryAfter { return .failure(.rateLimited(retryAfter: seconds)) }
    do {
      try admission.checkPermission()
      return .success(try await resources.respond(to: admission, call))
    } catch {
      return .failure(problem(error, template, requestID))
    }
  }

  /// A caller without a good credential is counted by its address, and stopped when it goes on.
  private func refuse(_ problem: APIProblem, _ address: String) -> Outcome {
    let allowance = limiter.take(.address(address))
    let final = allowance.retryAfter.map { APIProblem.rateLimited(retryAfter: $0) } ?? problem
    return Outcome(allowance: allowance, result: .failure(final))
  }

  private func problem(_ error: any Error, _ template: String, _ requestID: String) -> APIProblem {
    if APIProblem.isFault(error) { observer.recordFault(error, route: template, requestID: requestID) }
    return APIProblem(thrown: error)
  }
}
