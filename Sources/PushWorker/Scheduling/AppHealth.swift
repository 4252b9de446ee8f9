internal import PushCore
internal import ServiceKit

/// What a worker remembers of each app between runs: its token brake. Shared by the runs of one worker; any thread; bounded,
/// because apps that have not been seen for long are of no interest.
final class AppHealth: Sendable {
  private let brakes = Lock<[AppID: TokenBrake]>([:])

  /// Far more apps than send within one window; past it the memory starts afresh.
  private static let maximumApps = 10_000

  /// Counts answers and says whether dead-token answers may retire tokens now.
  func count(alive: Int, dead: Int, of app: AppID) -> TokenBrake {
    brakes.withLock { brakes in
      if brakes.count > Self.maximumApps { brakes.removeAll() }
      var brake = brakes[app] ?? TokenBrake()
      for _ in 0..<dead { brake.count(dead: true) }
      for _ in 0..<alive { brake.count(dead: false) }
      brakes[app] = brake
      return brake
    }
  }
}
