internal import PushCore
internal import Transport

extension Pool {
  private static let watch: Duration = .seconds(1)

  /// Does whatever can be done now. Called by the host after something has happened, and at the time it was asked for.
  func turn() {
    let now = host.now
    if !answerTimes.isEmpty {
      metrics.answersTook(answerTimes)
      answerTimes.removeAll(keepingCapacity: true)
    }
    endOverdue(at: now)
    probeSilent(at: now)
    carryOut(state.tick(at: now))
    var isWaiting = !queue.isEmpty || !again.isEmpty
    if isWaiting {
      lastUsed = now
      fetchToken(at: now)
      if let token = tokens.usable(at: now) { fill(with: token, at: now) }
      giveUp(at: now)
      isWaiting = !queue.isEmpty || !again.isEmpty
    } else {
      stalledSince = nil
    }
    let pushes = queue.waiting + again.count + flights.count
    if !isStopping, let order = state.demand(pushes: pushes, at: now) { carryOut([order]) }
    if let reportAt, reportAt <= now { flushAll() }
    host.wake(self, at: nextWake(isWaiting: isWaiting))
  }

  private func fetchToken(at now: MonotonicTime) {
    switch tokens.order(at: now) {
    case .none: break
    case .fetch(let maximumAge, let mayMint): host.fetchToken(for: self, maximumAge: maximumAge, mayMint: mayMint)
    }
  }

  /// Fills the connections, beginning with another one each time.
  private func fill(with token: ProviderTokenState.Held, at now: MonotonicTime) {
    guard !connections.isEmpty else { return }
    let wallClock = host.wallClock
    let deadline = now + limits.answerDeadline
    rotation += 1
    var sent = 0
    for offset in connections.indices {
      let index = (rotation + offset) % connections.count
      let connection = connections[index].connection
      while connection.capacity > 0, var flight = nextFlight() {
        let recipient = flight.group.recipient(flight.recipient)
        guard let request = request(for: flight, recipient, token, wallClock) else { continue }
        flight.connection = connections[index].number
        flight.tokenGeneration = token.generation
        flight.submittedAt = now
        let tag = flights.insert(flight, deadline: deadline)
        if connections[index].inFlight == 0 { state.becameBusy(connections[index].number) }
        connections[index].inFlight += 1
        connection.submit(request, tag: tag)
        sent += 1
      }
    }
    if sent > 0 { stalledSince = nil } else if stalledSince == nil { stalledSince = now }
  }

  private func nextFlight() -> Flight? {
    if !again.isEmpty { return again.removeFirst() }
    return queue.next().map { Flight(group: $0.0, recipient: $0.1) }
  }

  /// `nil` when there is nothing to send after all, which is then reported.
  private func request(
    for flight: Flight, _ recipient: Recipient, _ token: ProviderTokenState.Held, _ wallClock: Timestamp
  ) -> PushRequest? {
    if let hold = flight.group.hold {
      settle(flight, hold)
      return nil
    }
    guard let push = flight.group.push(for: recipient),
      let headers = flight.group.headers(for: recipient, push, token: token)
    else {
      settle(flight, .rejected(.notRenderable, .keep))
      return nil
    }
    guard wallClock < push.expiresAt else {
      settle(flight, .expired)
      return nil
    }
    return PushRequest(
      headers: headers, token: recipient.token, apnsID: recipient.signature.apnsID,
      payload: push.payload(for: recipient.locale), message: push.message, proof: recipient.signature.proof)
  }

  private func endOverdue(at now: MonotonicTime) {
    while let tag = flights.overdue(at: now) {
      let number = endUnanswered(tag)
      if let number, let index = index(of: number), connections[index].health.wasSilent() { retire(number) }
    }
  }

  /// Returns the connection it was on.
  @discardableResult
  func endUnanswered(_ tag: Int32) -> Int? {
    guard let flight = flights.remove(tag) else { return nil }
    connection(flight.connection)?.reset(tag: tag)
    landed(on: flight.connection)
    settle(flight, .unanswered(.noAnswer))
    return flight.connection
  }

  private func probeSilent(at now: MonotonicTime) {
    for connected in connections
    where connected.inFlight > 0 && now.since(connected.connection.lastHeard) >= limits.silence {
      connected.connection.probe(deadline: limits.probeDeadline)
    }
  }

  /// Gives back what has waited too long: for a connection, for a provider token, or for connections to take it.
  private func giveUp(at now: MonotonicTime) {
    if let stalledSince, now.since(stalledSince) >= limits.stallDeadline {
      giveBack(.unsent(.noCapacity)) { _ in true }
      for connected in connections { retire(connected.number) }
      self.stalledSince = nil
      return
    }
    let hasToken = tokens.usable(at: now) != nil
    giveBack(.unsent(hasToken ? .notConnected : .noProviderToken)) { run in
      hasToken
        ? state.givesUp(waitingSince: run.startedAt, at: now)
        : now.since(run.startedAt) >= limits.state.patience
    }
  }

  func giveBack(_ answer: ProviderAnswer, where isChosen: (GroupRun) -> Bool) {
    let wallClock = host.wallClock
    for run in queue.remove(where: isChosen) {
      metrics.answered(answer, count: run.waiting)
      run.settleWaiting(answer, at: wallClock)
    }
    let returned = again.filter { isChosen($0.group) }
    guard !returned.isEmpty else { return }
    again.removeAll { isChosen($0.group) }
    for flight in returned { settle(flight, answer) }
  }

  private func nextWake(isWaiting: Bool) -> MonotonicTime? {
    let now = host.now
    var times = [state.wakeAt(isWaiting: isWaiting, at: now), flights.earliestDeadline, reportAt].compactMap(\.self)
    // What waits or is under way is looked after once a second: silence, patience, a token that could not be had.
    if isWaiting || flights.count > 0 { times.append(now + Self.watch) }
    return times.min().map { max($0, now) }
  }
}
