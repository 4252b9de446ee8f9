/// An object's members in their order, each name once. Names are compared byte by byte: two spellings of one letter are two
/// names, as they are to every other JSON reader.
package struct JSONObject: Sendable {
  package struct Member: Hashable, Sendable {
    package let name: String
    package let value: JSONValue
  }

  package private(set) var members: [Member] = []
  /// Only for large objects; a few names are found faster one by one.
  private var places: [ExactText: Int]?

  /// The most members searched one by one: about where a dictionary wins.
  private static let fewMembers = 16

  package init() {}

  /// The names must differ.
  package init(_ members: KeyValuePairs<String, JSONValue>) {
    for (name, value) in members {
      let isNew = append(name, value)
      precondition(isNew, "a name occurs twice")
    }
  }

  package var isEmpty: Bool { members.isEmpty }
  package var count: Int { members.count }

  package subscript(name: String) -> JSONValue? {
    place(of: name).map { members[$0].value }
  }

  /// Adds a member at the end; `false`, and nothing happens, if the name is there already.
  package mutating func append(_ name: String, _ value: JSONValue) -> Bool {
    guard place(of: name) == nil else { return false }
    if places != nil {
      places![ExactText(name)] = members.count
    } else if members.count == Self.fewMembers {
      places = Dictionary(uniqueKeysWithValues: members.enumerated().map { (ExactText($0.element.name), $0.offset) })
      places![ExactText(name)] = members.count
    }
    members.append(Member(name: name, value: value))
    return true
  }

  private func place(of name: String) -> Int? {
    if let places { return places[ExactText(name)] }
    let name = ExactText(name)
    return members.firstIndex { ExactText($0.name) == name }
  }
}

extension JSONObject: Hashable {
  package static func == (left: JSONObject, right: JSONObject) -> Bool { left.members == right.members }
  package func hash(into hasher: inout Hasher) { hasher.combine(members) }
}
