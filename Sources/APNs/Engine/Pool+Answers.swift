internal import PushCore
internal import Transport

extension Pool: PushConnectionOwner {
  func connection(_ number: Int, answered tag: Int32, with answer: PushAnswer) {
    guard let flight = flights.remove(tag) else { return }
    prove(number)
    answerTimes.append(host.now.seconds(since: flight.submittedAt))
    guard answer.status != 200 else {
      if let index = index(of: number) { connections[index].health.answered() }
      landed(on: number)
      return settle(flight, .accepted)
    }
    let verdict = ReasonTable.verdict(
      status: answer.status, error: ErrorBody(answer.body), retryAfter: answer.retryAfter, answeredAt: host.wallClock)
    affect(number, verdict.connection)
    landed(on: number)
    switch verdict.token {
    case .none: settle(flight, verdict.answer)
    case .renew: renew(flight, verdict.answer)
    case .stopRenewing:
      tokens.updatedTooOften(generation: flight.tokenGeneration, at: host.now)
      settle(flight, verdict.answer)
    }
  }

  func connection(_ number: Int, refused tag: Int32) {
    guard var flight = flights.remove(tag) else { return }
    landed(on: number)
    flight.resends += 1
    guard flight.resends <= limits.resends, !isStopping else { return settle(flight, .unsent(.streamRefused)) }
    again.append(flight)
    metrics.resent()
  }

  func connection(_ number: Int, resetByServer tag: Int32) {
    guard let flight = flights.remove(tag) else { return }
    landed(on: number)
    settle(flight, .unanswered(.streamReset))
  }

  func connection(_ number: Int, lost tag: Int32) {
    guard let flight = flights.remove(tag) else { return }
    landed(on: number)
    settle(flight, .unanswered(.connectionLost))
  }

  func connectionIsDraining(_ number: Int) { retire(number) }

  func connectionHasCapacity(_ number: Int) { host.wantsTurn(self) }

  func connectionEnded(_ number: Int) {
    state.closed(number, at: host.now, random: host.random())
    guard let index = index(of: number) else { return }
    connections.remove(at: index)
    metrics.connectionClosed()
    host.wantsTurn(self)
  }

  func retire(_ number: Int) {
    if let order = state.retire(number, at: host.now, random: host.random()) { carryOut([order]) }
    host.wantsTurn(self)
  }

  private func prove(_ number: Int) {
    guard let index = index(of: number), !connections[index].isProved else { return }
    connections[index].isProved = true
    state.proved(number)
  }

  private func affect(_ number: Int, _ effect: Verdict.ConnectionEffect) {
    guard let index = index(of: number) else { return }
    switch effect {
    case .none: connections[index].health.answered()
    case .fault: if connections[index].health.faulted() { retire(number) }
    case .replace: retire(number)
    case .closeAll:
      guard connections[index].health.refused() else { return }
      carryOut(state.retireAll())
    }
  }

  private func renew(_ flight: Flight, _ answer: ProviderAnswer) {
    guard !flight.isRenewed, !isStopping else { return settle(flight, answer) }
    switch tokens.expired(generation: flight.tokenGeneration, at: host.now) {
    case .hopeless: settle(flight, answer)
    case .renewed, .renewing:
      var flight = flight
      flight.isRenewed = true
      again.append(flight)
      metrics.resent()
      host.wantsTurn(self)
    }
  }

  func landed(on number: Int) {
    host.wantsTurn(self)
    guard let index = index(of: number) else { return }
    connections[index].inFlight -= 1
    guard connections[index].inFlight == 0 else { return }
    state.becameIdle(number, at: host.now)
    // Apple ties a connection to what it knew of the key when it was opened: one that ended in refusals is not kept for later.
    if connections[index].health.refusals > 0, queue.isEmpty, again.isEmpty { retire(number) }
  }

  func settle(_ flight: Flight, _ answer: ProviderAnswer) {
    let run = flight.group
    metrics.answered(answer, count: 1)
    if case .held(let reason, let cause) = answer, run.refused(with: .held(reason, cause)) {
      // Connections that know too little of the app's topics are of no more use either.
      if cause == .configuration { carryOut(state.retireAll()) }
      giveBack(answer) { $0 === run }
    }
    let hadResults = run.hasResults
    run.settle(flight.recipient, answer, at: host.wallClock)
    guard !hadResults, run.hasResults else { return }
    unreported.append(run)
    if reportAt == nil { reportAt = host.now + limits.reportDelay }
  }

  func flushAll() {
    reportAt = nil
    let runs = unreported
    unreported = []
    for run in runs where run.hasResults { run.flush() }
  }
}
