extension EventLoop: SerialExecutor, TaskExecutor {
  package func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  package func checkIsolated() { preconditionIsCurrent() }

  func run(_ work: LoopInbox.Work) {
    switch work {
    case .body(let body): body()
    case .job(let job):
      job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
  }
}
