import Crypto
import JSON
import ServiceKit
import Testing

@testable import APNsSimulator

/// Clients that share no code with ours, so that our two halves do not merely agree with each other.
@Suite("Clients of other people")
struct IndependentClientTests {
  private static let root = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }

  /// With the authority's certificate in a file, for programs that want one.
  private func withAuthority(_ apns: TestAPNs, _ body: (String) async throws -> Void) async throws {
    let directory = TestFiles.makeDirectory()
    defer { TestFiles.remove(directory, files: ["ca.pem"]) }
    TestFiles.write(apns.simulator.caPEM, to: directory + "/ca.pem")
    try await body(directory + "/ca.pem")
  }

  @Test("curl sees h2, the status, exactly the fields we mean to send, and the body")
  func curl() async throws {
    try await TestAPNs.run { apns in
      try await withAuthority(apns) { file in
        let common = ["--silent", "--http2", "--cacert", file, "--include", "--max-time", "10", "--data-binary", "{}"]
        let url = "https://localhost:\(apns.sandbox.port)/3/device/"
        let refused = await Program(path: "/usr/bin/curl", arguments: common + [url + "ab"]).run()
        #expect(refused.status == 0)
        let lines = refused.text.split(separator: "\r\n").map(String.init)
        #expect(lines.count == 3, "\(lines)")
        #expect(lines.first?.hasPrefix("HTTP/2 403") == true)
        #expect(lines.dropFirst().first?.hasPrefix("apns-id: ") == true)
        #expect(lines.last == #"{"reason":"MissingProviderToken"}"#)
        let fields = [
          "--header", "authorization: " + apns.token, "--header", "apns-topic: com.example.app",
          "--header", "apns-id: 123e4567-e89b-12d3-a456-426614174000",
        ]
        let accepted = await Program(path: "/usr/bin/curl", arguments: common + fields + [url + "ab"]).run()
        #expect(accepted.text.hasPrefix("HTTP/2 200"))
        #expect(accepted.text.contains("apns-id: 123e4567-e89b-12d3-a456-426614174000\r\n"))
        #expect(accepted.text.contains("apns-unique-id: "))
        #expect(accepted.text.hasSuffix("\r\n\r\n"))
      }
    }
  }

  @Test("curl without h2 gets no HTTP at all")
  func curlWithoutHTTP2() async throws {
    try await TestAPNs.run { apns in
      try await withAuthority(apns) { file in
        let arguments = [
          "--silent", "--http1.1", "--cacert", file, "--include", "--max-time", "10",
          "https://localhost:\(apns.sandbox.port)/3/device/ab",
        ]
        let output = await Program(path: "/usr/bin/curl", arguments: arguments).run()
        #expect(output.status != 0)
        #expect(output.text.isEmpty)
      }
    }
  }

  /// The interpreter with the clients, or nil, said loudly, where they cannot be installed.
  private static let interpreter = Task<String?, Never> {
    let setup = await Program(path: root + "/Tests/Independent/setup").run()
    guard setup.status == 0 else {
      print("SKIPPED: clients written in Python cannot be installed here:\n\(setup.errors)")
      return nil
    }
    return setup.text.split(separator: "\n").last.map(String.init)
  }

  private func order(_ apns: TestAPNs, _ file: String, _ extra: (inout JSONWriter) -> Void) throws -> String {
    var writer = JSONWriter()
    let pem = try apns.key.signer.pem().exposed
    writer.object { writer in
      writer.member("port", Int(apns.sandbox.port))
      writer.member("ca", file)
      writer.member("team", apns.key.teamID)
      writer.member("key_id", apns.key.keyID)
      writer.member("key_pem", String(decoding: pem, as: UTF8.self))
      extra(&writer)
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("httpx with tokens by PyJWT: every reason, as its own client reads it")
  func httpx() async throws {
    guard let python = await Self.interpreter.value else { return }
    try await TestAPNs.run { apns in
      try await withAuthority(apns) { file in
        let input = try order(apns, file) { writer in
          writer.name("requests")
          writer.array { writer in
            for reason in RefusalReason.allCases {
              writer.object { $0.member("path", "/3/device/" + (ScriptedTokens.token(refusedWith: reason) ?? "")) }
            }
            writer.object { $0.member("path", "/3/device/" + TestPush.token(1)) }
          }
        }
        let script = Self.root + "/Tests/Independent/httpx_client.py"
        let output = await Program(path: python, arguments: [script], input: input).run()
        let answers = try #require(try JSONValue(parsing: Array(output.text.utf8)).array, "\(output.errors)")
        #expect(answers.count == RefusalReason.allCases.count + 1)
        for (reason, answer) in zip(RefusalReason.allCases, answers) {
          #expect(answer["version"]?.string == "HTTP/2")
          #expect(answer["status"]?.number?.int64 == Int64(reason.status))
          #expect(answer["body"]?.string?.hasPrefix(#"{"reason":"\#(reason.rawValue)""#) == true)
        }
        #expect(answers.last?["status"]?.number?.int64 == 200)
        #expect(answers.last?["body"]?.string == "")
        #expect(apns.sandbox.statistics.connectionsAccepted == 1)
      }
    }
  }

  @Test("aioapns: a hundred pushes at once over the one-stream start, and a dead token among them")
  func aioapns() async throws {
    guard let python = await Self.interpreter.value else { return }
    try await TestAPNs.run { apns in
      try await withAuthority(apns) { file in
        let dead = ScriptedTokens.token(code: "dead")
        let tokens = (0..<99).map { TestPush.token($0) } + [dead]
        let input = try order(apns, file) { $0.member("tokens", tokens) }
        let script = Self.root + "/Tests/Independent/aioapns_client.py"
        let output = await Program(path: python, arguments: [script], input: input).run()
        let answers = try #require(try JSONValue(parsing: Array(output.text.utf8)).array, "\(output.errors)")
        #expect(answers.count { $0["status"]?.string == "200" } == 99, "\(output.errors)")
        #expect(answers.last?["status"]?.string == "410")
        #expect(answers.last?["reason"]?.string == "Unregistered")
        // It makes a token for each of its connections.
        #expect(apns.sandbox.statistics.distinctAuthorizations <= apns.sandbox.statistics.connectionsAccepted)
      }
    }
  }
}
