/// The header fields that APNs looks at, picked out of a raw list. Unknown fields are ignored, as Apple does.
package struct RequestHeaders: Sendable {
  package private(set) var method: [UInt8] = []
  package private(set) var path: [UInt8] = []
  package private(set) var authorization: [UInt8]?
  package private(set) var messageID: [UInt8]?
  package private(set) var topic: [UInt8]?
  package private(set) var pushType: [UInt8]?
  package private(set) var priority: [UInt8]?
  package private(set) var expiration: [UInt8]?
  package private(set) var collapseID: [UInt8]?
  /// One of the fields above came twice.
  package private(set) var hasDuplicate = false

  package init() {}

  /// Names are compared as HTTP/2 sends them, in lower case.
  package mutating func add(name: [UInt8], value: [UInt8]) {
    switch name.count {
    case 5 where name == Names.path: path = value
    case 7 where name == Names.method: method = value
    case 7 where name == Names.messageID: set(\.messageID, value)
    case 10 where name == Names.topic: set(\.topic, value)
    case 13 where name == Names.authorization: set(\.authorization, value)
    case 13 where name == Names.priority: set(\.priority, value)
    case 14 where name == Names.pushType: set(\.pushType, value)
    case 15 where name == Names.expiration: set(\.expiration, value)
    case 16 where name == Names.collapseID: set(\.collapseID, value)
    default: break
    }
  }

  private mutating func set(_ field: WritableKeyPath<Self, [UInt8]?>, _ value: [UInt8]) {
    if self[keyPath: field] != nil { hasDuplicate = true } else { self[keyPath: field] = value }
  }

  private enum Names {
    static let path = Array(":path".utf8)
    static let method = Array(":method".utf8)
    static let messageID = Array("apns-id".utf8)
    static let topic = Array("apns-topic".utf8)
    static let authorization = Array("authorization".utf8)
    static let priority = Array("apns-priority".utf8)
    static let pushType = Array("apns-push-type".utf8)
    static let expiration = Array("apns-expiration".utf8)
    static let collapseID = Array("apns-collapse-id".utf8)
  }
}
