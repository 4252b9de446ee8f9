/// The date format of HTTP (IMF-fixdate, RFC 9110 section 5.6.7), for example `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// - Parameter epochSeconds: seconds since 1970-01-01T00:00:00Z, not negative.
  package static func text(epochSeconds: Int) -> String {
    let (days, second) = epochSeconds.quotientAndRemainder(dividingBy: 86_400)
    let (year, month, day) = civil(daysSinceEpoch: days)
    let time = [second / 3_600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
    return "\(weekdays[days % 7]), \(twoDigits(day)) \(months[month - 1]) \(year) \(time) GMT"
  }

  /// Gregorian date of a day number. Years are counted from 1 March, so that the leap day is the last of its year and
  /// the lengths of the months before it follow one linear rule (153 days in five months).
  private static func civil(daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
    let days = daysSinceEpoch + 719_468
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
