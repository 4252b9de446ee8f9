import JSON
import Testing

/// What `{"title":…}`-like bodies of the tests become.
private struct Note: Equatable {
  enum Priority: String, CaseIterable { case low, high }

  var title: String
  var count: Int
  var isUrgent: Bool
  var priority: Priority?
  var score: Double?
  var labels: [String]
  var author: String?

  static func decode(_ fields: FieldDecoder) -> Note? {
    let title = fields.required("title", .string(bytes: 1...20))
    let count = fields.optional("count", .integer(in: 1...10), default: 1)
    let isUrgent = fields.optional("is_urgent", .bool, default: false)
    let priority = fields.optional("priority", FieldKind<Priority>.choice)
    let score = fields.optional("score", .number(in: 0...1))
    let labels = fields.optional("labels", .array(of: .string(characters: 1...5), count: 0...3), default: [])
    let author = fields.optional("author", .fields { $0.required("name", .string(bytes: 1...20)) })
    guard let title else { return nil }
    return Note(
      title: title, count: count, isUrgent: isUrgent, priority: priority, score: score, labels: labels, author: author)
  }
}

@Suite("Decoding fields")
struct FieldDecoderTests {
  private func decode(_ text: String) throws -> Note {
    try FieldDecoder.decode(try JSONValue(parsing: Array(text.utf8)), Note.decode)
  }

  private func errors(_ text: String) throws -> [FieldError] {
    let document = try JSONValue(parsing: Array(text.utf8))
    let errors = #expect(throws: FieldErrors.self) { try FieldDecoder.decode(document, Note.decode) }
    return errors?.errors ?? []
  }

  @Test("A full document becomes the value")
  func full() throws {
    let note = try decode(
      """
      {"title":"a","count":10,"is_urgent":true,"priority":"high","score":0.5,"labels":["x","ééééé"],"author":{"name":"n"}}
      """)
    #expect(
      note
        == Note(
          title: "a", count: 10, isUrgent: true, priority: .high, score: 0.5, labels: ["x", "ééééé"], author: "n"))
  }

  @Test("What is optional may be left out or null")
  func optional() throws {
    let least = Note(title: "a", count: 1, isUrgent: false, priority: nil, score: nil, labels: [], author: nil)
    #expect(try decode(#"{"title":"a"}"#) == least)
    #expect(
      try decode(
        #"{"title":"a","count":null,"is_urgent":null,"priority":null,"score":null,"labels":null,"author":null}"#)
        == least)
  }

  /// One wrong member beside a good title, and what is said of it.
  struct WrongMember: Sendable, CustomTestStringConvertible {
    let member: String
    let pointer: String
    let code: FieldError.Code
    let detail: String
    init(_ member: String, _ pointer: String, _ code: FieldError.Code, _ detail: String) {
      self.member = member
      self.pointer = pointer
      self.code = code
      self.detail = detail
    }
    var testDescription: String { member }
  }

  static let wrongMembers: [WrongMember] = [
    .init(#""count":"5""#, "/count", .wrongType, "must be a number, not a string"),
    .init(#""count":true"#, "/count", .wrongType, "must be a number, not a boolean"),
    .init(#""count":[5]"#, "/count", .wrongType, "must be a number, not an array"),
    .init(#""count":5.0"#, "/count", .notAnInteger, "must be a whole number, written without fraction and exponent"),
    .init(#""count":5e0"#, "/count", .notAnInteger, "must be a whole number, written without fraction and exponent"),
    .init(#""count":0"#, "/count", .outOfRange, "must be from 1 to 10"),
    .init(#""count":11"#, "/count", .outOfRange, "must be from 1 to 10"),
    .init(#""count":99999999999999999999"#, "/count", .outOfRange, "must be from 1 to 10"),
    .init(#""is_urgent":1"#, "/is_urgent", .wrongType, "must be true or false, not a number"),
    .init(#""is_urgent":"true""#, "/is_urgent", .wrongType, "must be true or false, not a string"),
    .init(#""priority":"High""#, "/priority", .unknownValue, "must be one of low, high"),
    .init(#""priority":1"#, "/priority", .wrongType, "must be a string, not a number"),
    .init(#""score":1.5"#, "/score", .outOfRange, "must be from 0.0 to 1.0"),
    .init(#""score":1e400"#, "/score", .outOfRange, "must be from 0.0 to 1.0"),
    .init(#""score":"0.5""#, "/score", .wrongType, "must be a number, not a string"),
    .init(#""labels":"x""#, "/labels", .wrongType, "must be an array, not a string"),
    .init(#""labels":["a","b","c","d"]"#, "/labels", .tooMany, "must have at most 3 entries"),
    .init(#""labels":["a",""]"#, "/labels/1", .tooShort, "must not be empty"),
    .init(#""labels":["a",null]"#, "/labels/1", .wrongType, "must be a string, not null"),
    .init(#""labels":["éééééé"]"#, "/labels/0", .tooLong, "must have at most 5 characters"),
    .init(#""author":"n""#, "/author", .wrongType, "must be an object, not a string"),
    .init(#""author":{}"#, "/author/name", .required, "is required"),
    .init(#""author":{"name":null}"#, "/author/name", .required, "is required"),
    .init(#""author":{"name":"n","nam":1}"#, "/author/nam", .unknownField, "is not known; did you mean name?"),
    .init(#""titel":"x""#, "/titel", .unknownField, "is not known; did you mean title?"),
    .init(#""isUrgent":true"#, "/isUrgent", .unknownField, "is not known; did you mean is_urgent?"),
    .init(#""COUNT":1"#, "/COUNT", .unknownField, "is not known; did you mean count?"),
    .init(#""xyz":1"#, "/xyz", .unknownField, "is not known"),
    .init(#""":1"#, "/", .unknownField, "is not known"),
    .init(#""a/b~c":1"#, "/a~1b~0c", .unknownField, "is not known"),
  ]

  @Test("A wrong member is told by its place, code and words", arguments: wrongMembers)
  func wrong(member: WrongMember) throws {
    let expected = FieldError(pointer: member.pointer, code: member.code, detail: member.detail)
    #expect(try errors(#"{"title":"a",\#(member.member)}"#) == [expected])
  }

  @Test("Everything wrong is told at once, at every depth")
  func allAtOnce() throws {
    let errors = try errors(
      #"{"title":"","count":"1","is_urgent":0,"priority":"x","labels":[1,"toolong","ok"],"author":{"nane":2},"other":1}"#
    )
    #expect(
      errors.map { "\($0.pointer) \($0.code.rawValue)" } == [
        "/title too_short", "/count wrong_type", "/is_urgent wrong_type", "/priority unknown_value",
        "/labels/0 wrong_type", "/labels/1 too_long", "/author/name required", "/author/nane unknown_field",
        "/other unknown_field",
      ])
  }

  @Test("A document that is no object is told so", arguments: ["null", "[]", "1", "\"x\"", "true"])
  func noObject(text: String) throws {
    let errors = try errors(text)
    #expect(errors.map(\.pointer) == [""])
    #expect(errors.first?.code == .wrongType)
    #expect(errors.first?.detail.hasPrefix("must be an object, not ") == true)
  }

  @Test("An answer lists a hundred errors at most and says that there are more")
  func manyErrors() throws {
    for (count, isTruncated) in [(99, false), (100, false), (101, true), (5000, true)] {
      let members = (0..<count).map { ",\"unknown\($0)\":1" }.joined()
      let document = try JSONValue(parsing: Array("{\"title\":\"a\"\(members)}".utf8))
      let errors = #expect(throws: FieldErrors.self) { try FieldDecoder.decode(document, Note.decode) }
      #expect(errors?.errors.count == min(count, 100))
      #expect(errors?.isTruncated == isTruncated)
    }
  }

  @Test("Neither long names nor values come back")
  func quietErrors() throws {
    let name = String(repeating: "é", count: 1000)
    let errors = try errors(#"{"title":"\#(String(repeating: "secret", count: 10))","\#(name)":"secret"}"#)
    #expect(errors.count == 2)
    #expect(errors[1].pointer == "/éééééééééééééééé…")
    #expect(!errors.contains { $0.detail.contains("secret") })
  }

  @Test("A partial update tells null from nothing")
  func changes() throws {
    func change(_ text: String) throws -> FieldChange<Int> {
      try FieldDecoder.decode(try JSONValue(parsing: Array(text.utf8))) { $0.change("n", .integer(in: 1...9)) }
    }
    #expect(try change("{}") == .keep)
    #expect(try change(#"{"n":null}"#) == .clear)
    #expect(try change(#"{"n":3}"#) == .set(3))
    #expect(throws: FieldErrors.self) { try change(#"{"n":0}"#) }
  }

  @Test("A map keeps the sender's names in their order and tells each wrong member")
  func maps() throws {
    func map(_ text: String) throws -> [String] {
      try FieldDecoder.decode(try JSONValue(parsing: Array(text.utf8))) { fields in
        fields.required("tags", .map(of: .string(bytes: 0...3), count: 1...3, nameBytes: 1...4))?.map {
          "\($0.name)=\($0.value)"
        }
      }
    }
    #expect(try map(#"{"tags":{"b":"1","a":"2"}}"#) == ["b=1", "a=2"])
    let errors = #expect(throws: FieldErrors.self) { try map(#"{"tags":{"":"1","toolong":"2","a":3}}"#) }
    #expect(
      errors?.errors.map { "\($0.pointer) \($0.code.rawValue)" } == [
        "/tags/ invalid", "/tags/toolong invalid", "/tags/a wrong_type",
      ])
    #expect(throws: FieldErrors.self) { try map(#"{"tags":{}}"#) }
    #expect(throws: FieldErrors.self) { try map(#"{"tags":{"a":"","b":"","c":"","d":""}}"#) }
  }

  @Test("A text in a form of its own is parsed, and refused in the words of its kind")
  func parsedText() throws {
    func decode(_ text: String) throws -> Int {
      try FieldDecoder.decode(try JSONValue(parsing: Array(text.utf8))) { fields in
        fields.required("n", .text("a hexadecimal number", longest: 4) { Int($0, radix: 16) })
      }
    }
    #expect(try decode(#"{"n":"ff"}"#) == 255)
    let errors = #expect(throws: FieldErrors.self) { try decode(#"{"n":"xyz"}"#) }
    #expect(errors?.errors == [FieldError(pointer: "/n", code: .invalid, detail: "must be a hexadecimal number")])
    #expect(throws: FieldErrors.self) { try decode(#"{"n":"fffff"}"#) }
  }

  @Test("What only the whole can judge is reported at its field")
  func reports() throws {
    let document = try JSONValue(parsing: Array(#"{"from":2,"to":1}"#.utf8))
    let errors = #expect(throws: FieldErrors.self) {
      try FieldDecoder.decode(document) { fields -> Bool? in
        let from = fields.required("from", .integer(in: 0...9))
        let to = fields.required("to", .integer(in: 0...9))
        guard let from, let to else { return nil }
        if from > to { fields.report("to", .init(rawValue: "contradiction"), "must not be before from") }
        return true
      }
    }
    #expect(errors?.errors.map { "\($0.pointer) \($0.code.rawValue)" } == ["/to contradiction"])
  }

  @Test("Raw JSON comes through as it was written")
  func rawJSON() throws {
    let document = try JSONValue(parsing: Array(#"{"data":{"d":1.0,"n":null,"big":1e400}}"#.utf8))
    let data = try FieldDecoder.decode(document) { $0.required("data", .json) }
    #expect(String(decoding: data.encoded(), as: UTF8.self) == #"{"d":1.0,"n":null,"big":1e400}"#)
    let object = try FieldDecoder.decode(document) { $0.required("data", .object) }
    #expect(object.count == 3)
  }

  @Test("Composed and decomposed spellings of a field are two fields")
  func exactNames() throws {
    let document = try JSONValue(parsing: Array("{\"e\u{301}\":1}".utf8))
    let errors = #expect(throws: FieldErrors.self) {
      try FieldDecoder.decode(document) { fields -> Bool? in
        _ = fields.optional("\u{e9}", .json)
        return true
      }
    }
    #expect(errors?.errors.map(\.code) == [.unknownField])
  }
}
