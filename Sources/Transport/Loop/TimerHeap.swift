/// Pending timers as a binary heap, the earliest on top; each timer knows its place, so that cancelling removes it.
///
/// Owned by one event loop, on its thread only.
struct TimerHeap {
  private var timers: [LoopTimer] = []

  var count: Int { timers.count }
  var earliest: LoopTimer? { timers.first }

  mutating func insert(_ timer: LoopTimer) {
    timers.append(timer)
    timer.place = timers.count - 1
    moveUp(timer.place)
  }

  mutating func remove(_ timer: LoopTimer) {
    let place = timer.place
    guard place >= 0 else { return }
    timer.place = -1
    let last = timers.removeLast()
    guard last !== timer else { return }
    timers[place] = last
    last.place = place
    moveUp(place)
    moveDown(last.place)
  }

  /// Empties the heap and forgets every closure.
  mutating func removeAll() {
    for timer in timers {
      timer.place = -1
      timer.body = nil
    }
    timers = []
  }

  private func precedes(_ left: LoopTimer, _ right: LoopTimer) -> Bool {
    left.deadline == right.deadline ? left.sequence < right.sequence : left.deadline < right.deadline
  }

  private mutating func moveUp(_ start: Int) {
    var place = start
    while place > 0 {
      let parent = (place - 1) / 2
      guard precedes(timers[place], timers[parent]) else { return }
      exchange(place, parent)
      place = parent
    }
  }

  private mutating func moveDown(_ start: Int) {
    var place = start
    while true {
      var least = 2 * place + 1
      guard least < timers.count else { return }
      if least + 1 < timers.count, precedes(timers[least + 1], timers[least]) { least += 1 }
      guard precedes(timers[least], timers[place]) else { return }
      exchange(place, least)
      place = least
    }
  }

  private mutating func exchange(_ left: Int, _ right: Int) {
    timers.swapAt(left, right)
    timers[left].place = left
    timers[right].place = right
  }
}
