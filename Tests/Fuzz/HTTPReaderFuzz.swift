import Glibc
import HTTP
import HTTPServer

/// What libFuzzer calls with every input: the first two bytes say where to cut, the rest is what a client sent.
///
/// A trap or an address error is found by the sanitizers; on top of that, the answer must not depend on the cut, and no
/// body may be larger than its limit.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzHTTPReader(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 2 else { return 0 }
  let cut = Int(start[0]) << 8 | Int(start[1])
  let bytes = Array(UnsafeBufferPointer(start: start + 2, count: count - 2))
  let whole = ReaderRun(bytes)
  guard ReaderRun(bytes, cutAt: [cut % (bytes.count + 1)]) == whole,
    whole.requests.allSatisfy({ $0.body.count <= ReaderRun.bodyLimit })
  else { abort() }
  return 0
}
