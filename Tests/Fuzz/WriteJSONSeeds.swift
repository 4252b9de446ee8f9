import Glibc

// Writes the tests' refused and accepted documents as seed files into the directory that is named.
@main
enum WriteJSONSeeds {
  static func main() {
    let accepted = [
      #"{"a":[{"b":1},{"b":"x"}],"\u00e9":"\ud83d\ude00\n","n":[0,-1.5e+3,1e400,null,true,false]}"#,
      #"[[[[[[]]]]]]"#, #""\"\\\/\b\f\n\r\t""#, " \t\r\n{ } ", "-0", "1.0",
    ]
    let refused = [
      "{\"a\":1,\"a\":2}", "\"\\ud800\"", "\"\\u0000\"", "[1,]", "{\"a\":}", "01", "\"\u{1}\"", "[] []", "\u{feff}{}",
    ]
    for (number, text) in (accepted + refused).enumerated() {
      let file = open("\(CommandLine.arguments[1])/\(number)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      precondition(file >= 0 && write(file, text, text.utf8.count) == text.utf8.count)
      close(file)
    }
  }
}
