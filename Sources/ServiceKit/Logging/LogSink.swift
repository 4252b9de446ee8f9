internal import Glibc

/// Takes whole lines, from any thread.
package protocol LogSink: Sendable {
  func write(_ line: [UInt8])
}

/// Writes to a descriptor that somebody else owns (standard output, standard error), one `write` a line, under a lock, so that lines
/// do not mix. A reader that does not read holds the writer up, as it does every program that logs to a pipe; a line that cannot be
/// written is counted and dropped.
package final class DescriptorSink: LogSink {
  private let descriptor: Int32
  private let dropped = Lock(0)

  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Lines that could not be written.
  package var droppedLines: Int { dropped.withLock { $0 } }

  package func write(_ line: [UInt8]) {
    dropped.withLock { dropped in
      var start = 0
      while start < line.count {
        let count = line.withUnsafeBytes { bytes in
          Glibc.write(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
        }
        if count > 0 {
          start += count
        } else if errno != EINTR {
          dropped += 1
          return
        }
      }
    }
  }
}

/// Keeps lines in memory, for tests. Any thread.
package final class MemorySink: LogSink {
  private let kept = Lock<[String]>([])

  package init() {}

  package var lines: [String] { kept.withLock { $0 } }

  package func write(_ line: [UInt8]) {
    kept.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
  }
}
