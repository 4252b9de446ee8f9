import PushCore
import Testing

@Suite struct DeviceTokenTests {
  private let canonical = "a1b2c3d4e5f60718"

  @Test(arguments: [
    "a1b2c3d4e5f60718", "A1B2C3D4E5F60718", "A1b2C3d4e5F60718", "<a1b2c3d4 e5f60718>", "a1b2c3d4e5f60718\n",
  ])
  func everySpellingIsOneToken(_ text: String) throws {
    #expect(try DeviceToken(hex: text).hex == canonical)
  }

  @Test(arguments: [64, 108, 160, 200, 400])
  func everyEvenLengthUpToTheCapIsKeptWhole(_ digits: Int) throws {
    let text = String(repeating: "ab", count: digits / 2)
    #expect(try DeviceToken(hex: text).hex == text)
  }

  @Test func refusalsSayWhatIsWrong() {
    #expect(throws: DeviceToken.Malformed.oddLength) { try DeviceToken(hex: String(repeating: "a", count: 63)) }
    #expect(throws: DeviceToken.Malformed.tooLong) { try DeviceToken(hex: String(repeating: "a", count: 20_000)) }
    #expect(throws: DeviceToken.Malformed.notHex) { try DeviceToken(hex: "dQw4w9WgXcQ:APA91bF-x_") }
    #expect(throws: DeviceToken.Malformed.empty) { try DeviceToken(hex: "<>") }
  }

  @Test func printingShowsOnlyTheBeginning() throws {
    #expect("\(try DeviceToken(hex: canonical))" == "a1b2c3d4…")
  }
}
