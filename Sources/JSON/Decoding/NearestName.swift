/// Guesses which name somebody meant who wrote another one.
package enum NearestName {
  /// The nearest of the names if it is near enough to be meant: letters' case, `_` and `-` don't count, and of the rest at most
  /// a third may differ.
  package static func find(_ name: String, among names: some Sequence<String>) -> String? {
    guard name.utf8.count <= FieldPlace.longestName else { return nil }
    let wanted = letters(of: name)
    let allowed = max(1, (wanted.count + 1) / 3)
    return names.map { (name: $0, distance: distance(wanted, letters(of: $0))) }
      .filter { $0.distance <= allowed }
      // The same answer every time, whatever the order of the names.
      .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
  }

  private static func letters(of name: String) -> [UInt8] {
    name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
  }

  /// How many letters must be changed, added, dropped, or swapped with their neighbour (Damerau-Levenshtein without further
  /// changes inside a swap): `titel` is one slip away from `title`, not two.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var row = [index + 1]
      for (column, other) in right.enumerated() {
        var steps = min(last[column] + (letter == other ? 0 : 1), row[column] + 1, last[column + 1] + 1)
        if index > 0, column > 0, letter == right[column - 1], left[index - 1] == other {
          steps = min(steps, beforeLast[column - 1] + 1)
        }
        row.append(steps)
      }
      beforeLast = last
      last = row
    }
    return last[right.count]
  }
}
