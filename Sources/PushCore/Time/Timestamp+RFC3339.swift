extension Timestamp {
  /// Reads RFC 3339 in all its forms: `T`, `t` or a blank between date and time, any number of fraction digits (those past
  /// microseconds are cut), `Z`, `z` or an offset. `nil` for anything else, a text without an offset among it: an hour
  /// whose zone is a guess is worse than an error. A leap second reads as the second after it.
  package init?(rfc3339 text: String) {
    var reader = Reader(bytes: Array(text.utf8))
    guard let year = reader.number(digits: 4), reader.skip("-"),
      let month = reader.number(digits: 2), (1...12).contains(month), reader.skip("-"),
      let day = reader.number(digits: 2), (1...Self.daysIn(month: month, of: year)).contains(day),
      reader.skip("T") || reader.skip("t") || reader.skip(" "),
      let hour = reader.number(digits: 2), hour < 24, reader.skip(":"),
      let minute = reader.number(digits: 2), minute < 60, reader.skip(":"),
      let second = reader.number(digits: 2), second <= 60,
      let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    let days = Self.days(year: year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset * 60
    self.init(microseconds: Int64(seconds) * 1_000_000 + Int64(fraction))
  }

  /// UTC with milliseconds, as every answer of ours shows times: `2026-12-01T09:00:00.000Z`.
  package var rfc3339: String {
    let milliseconds = microseconds >= 0 ? microseconds / 1000 : (microseconds - 999) / 1000
    var seconds = milliseconds / 1000
    var thousandths = milliseconds % 1000
    if thousandths < 0 {
      thousandths += 1000
      seconds -= 1
    }
    var days = seconds / 86_400
    var rest = seconds % 86_400
    if rest < 0 {
      rest += 86_400
      days -= 1
    }
    let (year, month, day) = Self.date(days: Int(days))
    return String(unsafeUninitializedCapacity: 24) { buffer in
      var writer = Writer(buffer: buffer)
      writer.put(year, digits: 4, then: "-")
      writer.put(month, digits: 2, then: "-")
      writer.put(day, digits: 2, then: "T")
      writer.put(Int(rest / 3600), digits: 2, then: ":")
      writer.put(Int(rest / 60 % 60), digits: 2, then: ":")
      writer.put(Int(rest % 60), digits: 2, then: ".")
      writer.put(Int(thousandths), digits: 3, then: "Z")
      return writer.count
    }
  }

  private static func daysIn(month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01, by counting years from March, so that the leap day is a year's last.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func date(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

private struct Reader {
  let bytes: [UInt8]
  var position = 0

  var isAtEnd: Bool { position == bytes.count }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func digit() -> Int? {
    guard position < bytes.count, case let value = bytes[position] &- UInt8(ascii: "0"), value < 10 else { return nil }
    position += 1
    return Int(value)
  }

  mutating func number(digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Microseconds; zero where there is no fraction.
  mutating func fraction() -> Int? {
    guard skip(".") else { return 0 }
    guard var value = digit() else { return nil }
    var scale = 100_000
    value *= scale
    while let digit = digit() {
      scale /= 10
      value += digit * scale
    }
    return value
  }

  /// Minutes east of Greenwich.
  mutating func offset() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    let sign: Int
    if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
    guard let hours = number(digits: 2), hours < 24, skip(":"), let minutes = number(digits: 2), minutes < 60 else {
      return nil
    }
    return sign * (hours * 60 + minutes)
  }
}

private struct Writer {
  let buffer: UnsafeMutableBufferPointer<UInt8>
  var count = 0

  mutating func put(_ value: Int, digits: Int, then separator: Unicode.Scalar) {
    var rest = value
    for position in stride(from: digits - 1, through: 0, by: -1) {
      buffer[count + position] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    buffer[count + digits] = UInt8(ascii: separator)
    count += digits + 1
  }
}
