internal import PushCore
internal import Transport

/// What a pool needs of a connection to Apple. Two things are one: HTTP/2 over TLS, and a scripted one in tests.
///
/// Used on its pool's loop only. Every submitted push comes back to the ``PushConnectionOwner`` exactly once, unless the pool has taken it
/// back with ``reset(tag:)``. A connection never calls its owner from within one of these calls, only from events of its own.
protocol PushConnection: AnyObject {
  /// How many more pushes it takes now: the server's limit of streams less those under way, 0 once it drains.
  var capacity: Int { get }
  /// When something last came from the server.
  var lastHeard: MonotonicTime { get }
  /// Renders and sends. Only while ``capacity`` is above zero.
  func submit(_ push: PushRequest, tag: Int32)
  /// Ends a push without an answer; nothing more is heard of it.
  func reset(tag: Int32)
  /// Asks for a sign of life. The connection ends when none comes within `deadline`; while a question is open another is not asked.
  func probe(deadline: Duration)
  /// Closes when its last stream has ended.
  func drain()
  func close()
}

/// Whom a connection tells: its pool. All calls are on the loop.
protocol PushConnectionOwner: AnyObject {
  func connection(_ number: Int, answered tag: Int32, with answer: PushAnswer)
  /// Surely not processed: refused, or above the last stream of a GOAWAY.
  func connection(_ number: Int, refused tag: Int32)
  /// The server gave this stream up, and may have processed it before.
  func connection(_ number: Int, resetByServer tag: Int32)
  /// The connection ended under it.
  func connection(_ number: Int, lost tag: Int32)
  /// The server takes no new streams (GOAWAY).
  func connectionIsDraining(_ number: Int)
  /// ``PushConnection/capacity`` may have grown.
  func connectionHasCapacity(_ number: Int)
  /// The last that is heard of it; every push has been told before.
  func connectionEnded(_ number: Int)
}

/// One push, ready to be rendered into a connection's buffers. Copying it allocates nothing.
struct PushRequest {
  let headers: PushHeaders
  let token: DeviceToken
  let apnsID: UInt128
  let payload: PayloadTemplate
  let message: MessageID
  let proof: UInt128
}

/// Apple's answer to one push. `body` is valid during the call only.
struct PushAnswer {
  let status: Int
  let retryAfter: Seconds?
  let body: UnsafeRawBufferPointer
}

/// The headers that all pushes of a message share, with the provider token they are sent with.
///
/// Made by the pool, once for a message, group and token; on its loop only. A connection keeps what it has made of them in
/// `prepared`.
final class PushHeaders {
  let fields: [(name: String, value: String)]
  /// `bearer` and the token, a secret.
  let authorization: [UInt8]
  let generation: Int32
  var prepared: AnyObject?

  init(_ push: CompiledPush, topic: String, token: ProviderTokenState.Held) {
    var fields = [
      ("apns-topic", topic), ("apns-push-type", push.kind.name), ("apns-priority", String(push.priority)),
      ("apns-expiration", String(push.expiration)),
    ]
    if let id = push.collapseID { fields.append(("apns-collapse-id", id)) }
    self.fields = fields
    authorization = Array("bearer ".utf8) + token.text
    generation = token.generation
  }
}
