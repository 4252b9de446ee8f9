internal import CArgon2
internal import COpenSSL
package import ServiceKit

/// Hashes passwords with Argon2id and keeps them as PHC strings.
///
/// Made by the composition root; any thread. A hash fills 64 MiB and computes for some 150 ms, so both calls run on a pool of
/// blocking threads; how many run at once is the pool's number of threads.
package struct Argon2id: Sendable {
  /// RFC 9106, section 4, second recommendation: three passes over 64 MiB in four lanes.
  package static let recommended = Cost(passes: 3, kibibytes: 64 * 1024, lanes: 4)
  package static let longestPassword = 1024

  /// What a hash costs to make, and to guess.
  package struct Cost: Sendable, Hashable {
    package let passes: UInt32
    package let kibibytes: UInt32
    package let lanes: UInt32

    /// Within what a stored hash may ask of us.
    package init(passes: UInt32, kibibytes: UInt32, lanes: UInt32) {
      precondition((1...16).contains(passes) && (1...16).contains(lanes))
      precondition((8 * lanes...1 << 20).contains(kibibytes))
      self.passes = passes
      self.kibibytes = kibibytes
      self.lanes = lanes
    }
  }

  private let cost: Cost
  private let pool: BlockingPool

  package init(cost: Cost = recommended, pool: BlockingPool) {
    self.cost = cost
    self.pool = pool
  }

  /// A PHC string with a fresh salt of 16 bytes and a hash of 32.
  package func hash(_ password: Secret<String>) async throws -> String {
    let salt = SecureRandom.bytes(16)
    return try await pool.run { [cost] in
      let hash = try Self.compute(password, salt: salt, cost: cost, length: 32)
      return PasswordHash(cost: cost, salt: salt, hash: hash).text
    }
  }

  /// Whether the password is the one that was hashed. Throws only for a text that is not such a hash, or when the pool is full
  /// or stopped; a password of a length that none can have is simply wrong.
  package func isValid(_ password: Secret<String>, for stored: String) async throws -> Bool {
    guard let stored = PasswordHash(parsing: stored) else { throw CryptoError(.invalidPasswordHash) }
    guard (1...Self.longestPassword).contains(password.exposed.utf8.count) else { return false }
    return try await pool.run {
      let hash = try Self.compute(password, salt: stored.salt, cost: stored.cost, length: stored.hash.count)
      return constantTimeEquals(hash, stored.hash)
    }
  }

  /// Whether a hash was made at another cost than new ones are: time to hash the password again when it is next given.
  package func isOutdated(_ stored: String) -> Bool { PasswordHash(parsing: stored)?.cost != cost }

  private static func compute(
    _ password: Secret<String>, salt: [UInt8], cost: Cost, length: Int
  ) throws(CryptoError) -> [UInt8] {
    var bytes = Array(password.exposed.utf8)
    defer { bytes.wipe() }
    guard (1...longestPassword).contains(bytes.count) else { throw CryptoError(.invalidPasswordLength) }
    var salt = salt
    var hash = [UInt8](repeating: 0, count: length)
    let status = bytes.withUnsafeMutableBufferPointer { bytes in
      salt.withUnsafeMutableBufferPointer { salt in
        hash.withUnsafeMutableBufferPointer { hash in
          var context = argon2_context()
          context.out = hash.baseAddress
          context.outlen = UInt32(hash.count)
          context.pwd = bytes.baseAddress
          context.pwdlen = UInt32(bytes.count)
          context.salt = salt.baseAddress
          context.saltlen = UInt32(salt.count)
          context.t_cost = cost.passes
          context.m_cost = cost.kibibytes
          context.lanes = cost.lanes
          // The lanes are computed one after another: the pool decides how much of the machine hashing may take.
          context.threads = 1
          context.version = UInt32(ARGON2_VERSION_13.rawValue)
          context.flags = 1 << 0  // ARGON2_FLAG_CLEAR_PASSWORD, a macro that Swift does not see
          return argon2id_ctx(&context)
        }
      }
    }
    guard status == ARGON2_OK.rawValue else { throw CryptoError(.libraryFailure) }
    return hash
  }
}
