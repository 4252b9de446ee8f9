/// A slice of a list, in the order of its key.
package struct Page<Element: Sendable>: Sendable {
  package let elements: [Element]
  /// Where the next page begins; `nil` on the last one.
  package let next: PageKey?

  package init(elements: [Element], next: PageKey?) {
    self.elements = elements
    self.next = next
  }
}

/// The key of the last row of a page. The API signs it before it gives it away.
package struct PageKey: Sendable, Hashable {
  /// As an id's halves are kept, and for the same reason.
  private let id: ID<Row>

  private enum Row: IDKind { static let prefix: StaticString = "row" }

  package init(_ value: UInt128) { id = ID(value) }

  package var value: UInt128 { id.value }
}

package struct PageRequest: Sendable, Hashable {
  /// 1 to 200.
  package let limit: Int
  package let after: PageKey?
  package init(limit: Int, after: PageKey?) {
    self.limit = limit
    self.after = after
  }
}

/// Why a store cannot do what it was asked, in the words of the domain. Everything else a store throws is our fault (503).
package enum StoreRefusal: Error, Sendable, Hashable {
  /// There is none, or it is somebody else's: callers are told the same.
  case notFound
  /// A report that names an identity older than the one that is known.
  case staleIdentity
  /// The thing is in a state in which this cannot be done; the word says which.
  case conflict(String)
}
