/// A value sealed without our code, by Python's `cryptography`:
///
///     key = b"\x42" * 32
///     name = hmac.new(key, b"name of a sealing key", hashlib.sha256).digest()[:8]
///     place = b"".join(struct.pack(">I", len(p)) + p for p in [b"apps.key", b"\x01", b"\x02\x03"])
///     nonce = bytes(range(12))
///     b"\x01" + name + nonce + AESGCM(key).encrypt(nonce, b"sealed long ago", b"\x01" + name + place)
enum SealingFixture {
  static let sealed =
    "0139da8721edf1772a000102030405060708090a0b76bbf0b1d448d267f2682333b0ba34"
    + "2f8f21a60708ab32af47c162b9e5182e"
}
