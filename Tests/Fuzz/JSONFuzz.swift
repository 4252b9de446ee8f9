import Glibc
import JSON

// What libFuzzer calls with each input. A document that is read must be UTF-8, come back from its own compact form as the
// same value and the same bytes, and obey the limits; one that is refused must say so within it. Anything else traps.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  do throws(JSONError) {
    let value = try JSONValue(parsing: input)
    precondition(String(validating: input, as: UTF8.self) != nil, "accepted what is not UTF-8")
    precondition(!input.contains(0), "accepted a raw NUL")
    let compact = value.encoded()
    precondition(compact.count <= input.count, "the compact form is longer")
    let again = try JSONValue(parsing: compact)
    precondition(again == value && again.encoded() == compact, "the compact form is another value")
    precondition(depth(of: value) <= 32, "deeper than allowed")
    // The decoder walks over whatever was read.
    _ = try? FieldDecoder.decode(value) { fields in
      fields.optional("a", .array(of: .fields { $0.required("b", .integer(in: 0...9)) }, count: 0...3), default: [])
    }
  } catch {
    precondition((0...input.count).contains(error.offset), "the place lies outside")
    precondition((error.pointer?.text.utf8.count ?? 0) <= 256, "a long pointer")
  }
  return 0
}

private func depth(of value: JSONValue) -> Int {
  switch value {
  case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
  case .object(let object): 1 + (object.members.map { depth(of: $0.value) }.max() ?? 0)
  case .null, .bool, .number, .string: 0
  }
}
