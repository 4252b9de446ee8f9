import Testing
@testable import Transport

@Suite(.timeLimit(.minutes(1)))
struct OutputBufferTests {
  @Test func bytesLeaveInTheOrderTheyCameWhateverTheSteps() {
    var buffer = OutputBuffer(maximum: 100_000)
    var written: [UInt8] = []
    var read: [UInt8] = []
    for step in 0..<400 {
      let piece = (0..<(step % 97)).map { UInt8(truncatingIfNeeded: step &* 7 &+ $0) }
      #expect(piece.withUnsafeBytes { buffer.append($0) })
      written += piece
      let count = buffer.withFront(atMost: step % 61) { front in
        read += front
        return front.count
      }
      buffer.consume(count)
    }
    buffer.withFront(atMost: .max) { read += $0 }
    #expect(read == written)
  }

  @Test func whatWouldExceedTheMaximumIsNotTakenAtAll() {
    var buffer = OutputBuffer(maximum: 10)
    #expect([UInt8](repeating: 1, count: 10).withUnsafeBytes { buffer.append($0) })
    #expect(![UInt8](repeating: 2, count: 1).withUnsafeBytes { buffer.append($0) })
    #expect(buffer.count == 10)
    buffer.consume(4)
    #expect([UInt8](repeating: 3, count: 4).withUnsafeBytes { buffer.append($0) })
    #expect(buffer.withFront(atMost: .max) { Array($0) } == [1, 1, 1, 1, 1, 1, 3, 3, 3, 3])
  }
}
