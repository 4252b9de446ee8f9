internal import Crypto
internal import PushCore

/// The text of a receipt token: `brt_`, the installation's 26 characters, the epoch in 8 hexadecimal digits and 26 characters of
/// MAC over app, installation and epoch. It opens one installation of one app and is stored nowhere.
struct ReceiptToken: Sendable {
  let installation: InstallationID
  let epoch: Int32
  private let mac: UInt128

  private static let prefix = Array("brt_".utf8)
  private static let epochLength = 8
  private static let length = 4 + IDText.length + epochLength + IDText.length

  init(for installation: InstallationID, of app: AppID, keys: AppKeys) {
    self.installation = installation
    epoch = keys.epoch
    mac = Self.mac(of: installation, app: app, epoch: keys.epoch, key: keys.receipt)
  }

  /// `nil` when the text is no receipt token at all; says nothing of its truth.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == Self.length, bytes.starts(with: Self.prefix) else { return nil }
    let epochStart = 4 + IDText.length
    let macStart = epochStart + Self.epochLength
    let epochText = bytes[epochStart..<macStart]
    guard let installation = IDText.decode(bytes[4..<epochStart]), let mac = IDText.decode(bytes[macStart...]),
      epochText.allSatisfy({
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
      }),
      let epoch = Int32(String(decoding: epochText, as: UTF8.self), radix: 16)
    else { return nil }
    self.installation = InstallationID(installation)
    self.epoch = epoch
    self.mac = mac
  }

  var text: String {
    let hex = String(epoch, radix: 16)
    let epochText = String(repeating: "0", count: Self.epochLength - hex.utf8.count) + hex
    return "brt_" + Self.text(installation.value) + epochText + Self.text(mac)
  }

  /// Whether this app made it and has not revoked it since. Takes the same time wherever the MACs differ.
  func isAuthentic(for app: AppID, keys: AppKeys) -> Bool {
    let expected = Self.mac(of: installation, app: app, epoch: epoch, key: keys.receipt)
    let isEqual = constantTimeEquals(Self.bytes(expected), Self.bytes(mac))
    return isEqual && epoch == keys.epoch
  }

  private static func mac(of installation: InstallationID, app: AppID, epoch: Int32, key: HMACSHA256) -> UInt128 {
    let message = app.bytes + installation.bytes + withUnsafeBytes(of: epoch.bigEndian) { Array($0) }
    return key.code(for: message).prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
  }

  private static func bytes(_ value: UInt128) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }

  private static func text(_ value: UInt128) -> String {
    String(unsafeUninitializedCapacity: IDText.length) { buffer in
      IDText.encode(value, into: UnsafeMutableRawBufferPointer(buffer))
      return IDText.length
    }
  }
}
