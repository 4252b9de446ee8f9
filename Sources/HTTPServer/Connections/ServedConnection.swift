import HTTP
import Transport

/// A connection as its `ConnectionGroup` sees it, whatever its protocol. On its loop's thread only.
protocol ServedConnection: AnyObject {
  /// The answer of a handler. Ignored when the exchange is over already, because it took too long or its stream is gone.
  func answer(_ response: HTTPResponse, to exchange: Exchange)
  /// Ends what has passed its deadline. Called every now and then.
  func enforceDeadlines(at now: MonotonicTime)
  /// Finishes what is under way, takes nothing new, and closes.
  func drain()
  func closeNow()
}

/// One request and its answer on a connection: a number of its own in HTTP/1, the stream in HTTP/2.
typealias Exchange = Int32
