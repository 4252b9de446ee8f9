/// Finds the known name that a misspelt one was probably meant to be.
enum NearestName {
  /// `nil` when none is near: more than a third of the letters would have to change.
  static func of(_ name: String, among known: [String]) -> String? {
    let name = letters(name)
    guard (1...40).contains(name.count) else { return nil }
    let nearest = known.map { (name: $0, distance: distance(name, letters($0))) }.min { $0.distance < $1.distance }
    guard let nearest, nearest.distance * 3 <= max(name.count, nearest.name.utf8.count) else { return nil }
    return nearest.name
  }

  /// Case and the way of joining words are not part of a spelling: `threadId` means `thread_id`.
  private static func letters(_ name: String) -> [UInt8] {
    name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
  }

  /// Letters to insert, remove or change (Levenshtein), row by row.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let change = diagonal + (letter == right[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(change, min(row[column], diagonal) + 1)
      }
    }
    return row[right.count]
  }
}
