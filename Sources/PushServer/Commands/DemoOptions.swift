/// How `bolrach demo` is started. `--ready-file` and `--empty` are for scripts.
package struct DemoOptions: Sendable, Hashable {
  /// Where to write the addresses as JSON once everything runs.
  package var readyFile: String?
  package var content = Content.demoApp

  package enum Content: Sendable, Hashable {
    /// An app with a few phones, kept from start to start.
    case demoApp
    /// Nothing at all.
    case none
  }

  package init?(arguments: [String]) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--empty": content = .none
      case "--ready-file":
        guard let path = rest.popFirst(), !path.isEmpty else { return nil }
        readyFile = path
      default: return nil
      }
    }
  }
}
