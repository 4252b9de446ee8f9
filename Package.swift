// swift-tools-version: 6.2
// Bolrach Push. The tiers below are the picture in docs/architecture.md; a target may depend only on targets of the
// tiers under its own, and the build refuses an import that is not declared here
// (`swift build --explicit-target-dependency-import-check error`).
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func command(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.byName(name: name), "TestSupport"] + dependencies, swiftSettings: strict)
}

// Headers and thin shims, nothing else. Each has one Swift importer (OpenSSL has two: Crypto and Transport).
let cLibraries: [Target] = [
  .target(name: "CLinux"),
  .systemLibrary(name: "CNGHTTP2", pkgConfig: "libnghttp2"),
  .systemLibrary(name: "CLibPQ", pkgConfig: "libpq"),
  .systemLibrary(name: "COpenSSL", pkgConfig: "openssl"),
  .systemLibrary(name: "CArgon2", pkgConfig: "libargon2"),
  .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),
]

// How things are done. No business word in here.
let mechanics: [Target] = [
  library("ServiceKit", ["CLinux"]),
  library("Crypto", ["COpenSSL", "CArgon2", "ServiceKit"]),
  library("JSON", ["CSimdJSON"]),
  library("Transport", ["CLinux", "COpenSSL", "ServiceKit"]),
  library("HTTP"),
  library("HTTP2", ["CNGHTTP2", "Transport", "ServiceKit"]),
  library("HTTPServer", ["HTTP", "HTTP2", "Transport", "ServiceKit"]),
  library("Postgres", ["CLibPQ", "CLinux", "Crypto", "ServiceKit"]),
]

// Vocabulary, rules and ports. Imports nothing of ours.
let domain: [Target] = [library("PushCore")]

// Each implements ports of the domain on top of mechanics. Adapters never import one another.
let adapters: [Target] = [
  library("APNs", ["PushCore", "HTTP2", "Transport", "Crypto", "JSON", "ServiceKit"]),
  library("PushStore", ["PushCore", "Postgres", "Crypto", "JSON", "ServiceKit"]),
  library("PushAPI", ["PushCore", "HTTP", "HTTPServer", "JSON", "Crypto", "ServiceKit"]),
  library("PushWorker", ["PushCore", "ServiceKit"]),
  library("EmbeddedPostgres", ["CLinux", "ServiceKit"]),
  library("APNsSimulator", ["HTTP", "HTTP2", "HTTPServer", "Transport", "Crypto", "JSON", "ServiceKit"]),
]

// The composition root, the only target that knows every adapter, and the command around it.
let product: [Target] = [
  library(
    "PushServer",
    [
      "PushCore", "APNs", "PushStore", "PushAPI", "PushWorker", "EmbeddedPostgres", "APNsSimulator",
      "HTTP", "HTTPServer", "Postgres", "Crypto", "JSON", "Transport", "ServiceKit",
    ]),
  command("bolrach", ["PushServer", "ServiceKit"]),
  command(
    "Benchmarks",
    [
      "PushServer", "PushCore", "APNs", "APNsSimulator", "HTTP2", "HTTP", "Transport", "Crypto", "JSON", "Postgres",
      "EmbeddedPostgres", "PushStore", "PushWorker", "PushAPI", "ServiceKit",
    ]),
]

let verification: [Target] = [
  library(
    "TestSupport", ["CLinux", "EmbeddedPostgres", "Postgres", "HTTP", "Transport", "Crypto", "JSON", "ServiceKit"]),
  tests(of: "ServiceKit"),
  tests(of: "Crypto", ["ServiceKit"]),
  tests(of: "JSON"),
  tests(of: "Transport", ["ServiceKit"]),
  tests(of: "HTTP"),
  tests(of: "HTTP2", ["Transport", "ServiceKit"]),
  tests(of: "HTTPServer", ["HTTP", "HTTP2", "Transport", "ServiceKit"]),
  tests(of: "Postgres", ["Crypto", "ServiceKit"]),
  tests(of: "PushCore"),
  tests(of: "APNs", ["PushCore", "APNsSimulator", "HTTP2", "Transport", "Crypto", "JSON", "ServiceKit"]),
  tests(of: "PushStore", ["PushCore", "Postgres", "Crypto", "JSON", "ServiceKit"]),
  tests(
    of: "PushAPI",
    ["PushCore", "HTTP", "HTTPServer", "JSON", "Crypto", "ServiceKit", "Transport", "PushStore", "Postgres"]),
  tests(of: "PushWorker", ["PushCore", "ServiceKit"]),
  tests(of: "EmbeddedPostgres", ["Postgres", "ServiceKit"]),
  tests(of: "APNsSimulator", ["HTTP2", "HTTP", "Transport", "Crypto", "JSON", "ServiceKit"]),
  tests(
    of: "PushServer",
    [
      "PushCore", "APNs", "PushStore", "PushAPI", "PushWorker", "EmbeddedPostgres", "APNsSimulator",
      "HTTP", "HTTPServer", "Postgres", "Crypto", "JSON", "Transport", "ServiceKit",
    ]),
]

let package = Package(
  name: "bolrach-push",
  products: [.executable(name: "bolrach", targets: ["bolrach"])],
  targets: cLibraries + mechanics + domain + adapters + product + verification,
  cxxLanguageStandard: .cxx17
)
