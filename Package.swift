// swift-tools-version: 6.2
// The manifest draws the architecture: a target imports what is listed here and nothing else, and the build is run
// with `--explicit-target-dependency-import-check error` so that the compiler refuses every other arrow.

import PackageDescription

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")
let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let heapModule = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let jwtKit = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metricsTestKit = Target.Dependency.product(name: "MetricsTestKit", package: "swift-metrics")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHPACK = Target.Dependency.product(name: "NIOHPACK", package: "swift-nio-http2")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHTTPCompression = Target.Dependency.product(name: "NIOHTTPCompression", package: "swift-nio-extras")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let swiftASN1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

let package = Package(
    name: "tripshare",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "tripshare", targets: ["tripshare"]),
        .library(name: "FleetTokens", targets: ["FleetTokens", "HTTPTransport", "Sanitizing", "TripModel"]),
        .library(name: "FleetTokensMonitoring", targets: ["FleetTokensMonitoring"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        .target(name: "Sanitizing"),
        .target(name: "TripModel"),
        .target(name: "FleetWire", dependencies: ["TripModel"]),
        .target(name: "HTTPTransport"),
        .target(
            name: "FleetTokens",
            dependencies: [
                "FleetWire", "HTTPTransport", "Sanitizing", "TripModel", crypto, heapModule, jwtKit, systemPackage,
            ]
        ),
        .target(name: "FleetTokensMonitoring", dependencies: ["FleetTokens", "TripModel", coreMetrics, logging]),
        .target(name: "TripFeed", dependencies: ["FleetTokens", "FleetWire", "HTTPTransport", "TripModel"]),
        .target(name: "Recording", dependencies: ["FleetWire", "TripFeed", "TripModel"]),
        .target(name: "Canvas", dependencies: ["Sanitizing"]),
        .target(
            name: "TripScreen",
            dependencies: [
                "Canvas", "FleetTokens", "FleetWire", "Recording", "TripFeed", "TripModel", "TripText",
            ]
        ),
        .target(
            name: "CNcurses",
            linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]
        ),
        .target(name: "Terminal", dependencies: ["CNcurses", "Canvas"]),
        .target(name: "CProcess"),
        .target(name: "ProcessControl", dependencies: ["CProcess"]),
        .target(name: "EmbeddedAssets"),
        .target(
            name: "TripText",
            dependencies: [
                "Canvas", "EmbeddedAssets", "FleetTokens", "HTTPTransport", "Sanitizing", "TripFeed", "TripModel",
            ]
        ),
        .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
        .target(
            name: "HTTPTransportLive",
            dependencies: [
                "HTTPTransport", asyncHTTPClient, nioCore, nioHPACK, nioHTTP1, nioHTTP2, nioHTTPCompression, nioPosix,
                nioSSL, swiftASN1,
            ]
        ),
        .target(
            name: "FleetEmulator",
            dependencies: [
                "CExpat", "EmbeddedAssets", "FleetTokens", "FleetWire", "HTTPTransport", "Recording", "TripModel",
                crypto, cryptoExtras,
                httpTypes, hummingbirdCore, jwtKit, logging, nioCore, nioPosix, serviceLifecycle, swiftASN1,
                x509, yams,
            ]
        ),
        .executableTarget(
            name: "tripshare",
            dependencies: [
                "Canvas", "FleetEmulator", "FleetTokens", "FleetWire", "HTTPTransport", "HTTPTransportLive",
                "ProcessControl", "Recording", "Sanitizing", "Terminal", "TripFeed", "TripModel", "TripScreen",
                "TripText", argumentParser, configuration, systemPackage,
            ],
            // All symbols are bound at the start, so that the table of functions can be read-only afterwards.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"], .when(platforms: [.linux]))]
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Canvas", "FleetEmulator", "FleetTokens", "FleetWire", "HTTPTransport", "HTTPTransportLive", "TripFeed",
                "TripModel", "TripScreen", "TripText", cryptoExtras, httpTypes, hummingbirdCore, jwtKit, logging,
                nioCore, nioPosix, serviceLifecycle,
            ],
            path: "Tests/Benchmarks"
        ),
        .target(
            name: "TripTestSupport",
            dependencies: ["FleetTokens", "TripModel", nioCore, nioPosix],
            path: "Tests/TripTestSupport"
        ),
        .testTarget(name: "TripModelTests", dependencies: ["TripModel", "TripTestSupport"]),
        .testTarget(name: "FleetWireTests", dependencies: ["FleetWire", "TripModel", "TripTestSupport"]),
        .testTarget(
            name: "FleetTokensTests",
            dependencies: [
                "FleetTokens", "FleetWire", "HTTPTransport", "TripModel", "TripTestSupport", "TripText", cryptoExtras,
                jwtKit,
            ]
        ),
        .testTarget(
            name: "FleetTokensMonitoringTests",
            dependencies: [
                "FleetTokens", "FleetTokensMonitoring", "TripModel", "TripTestSupport", logging, metricsTestKit,
            ]
        ),
        .testTarget(
            name: "TripFeedTests",
            dependencies: ["FleetTokens", "FleetWire", "HTTPTransport", "TripFeed", "TripModel", "TripTestSupport"]
        ),
        .testTarget(name: "RecordingTests", dependencies: ["Recording", "TripFeed", "TripModel", "TripTestSupport"]),
        .testTarget(name: "SanitizingTests", dependencies: ["Sanitizing", "TripTestSupport"]),
        .testTarget(name: "CanvasTests", dependencies: ["Canvas", "TripTestSupport"]),
        .testTarget(
            name: "TripScreenTests",
            dependencies: [
                "Canvas", "FleetTokens", "FleetWire", "HTTPTransport", "TripFeed", "TripModel",
                "TripScreen", "TripTestSupport", "TripText",
            ]
        ),
        .testTarget(
            name: "HostileInputTests",
            dependencies: [
                "Canvas", "FleetTokens", "FleetWire", "HTTPTransport", "HTTPTransportLive", "TripFeed", "TripModel",
                "TripScreen", "TripTestSupport", "TripText", nioCore, nioPosix,
            ]
        ),
        .executableTarget(name: "ScreenProbe", dependencies: ["Canvas", "Terminal"], path: "Tests/ScreenProbe"),
        .testTarget(
            name: "TerminalTests",
            dependencies: ["Canvas", "ScreenProbe", "Terminal", "TripTestSupport"]
        ),
        .executableTarget(name: "ProcessProbe", dependencies: ["ProcessControl"], path: "Tests/ProcessProbe"),
        .testTarget(
            name: "ProcessControlTests",
            dependencies: ["ProcessControl", "ProcessProbe", "TripTestSupport"]
        ),
        .testTarget(
            name: "HTTPTransportLiveTests",
            dependencies: [
                "HTTPTransport", "HTTPTransportLive", "TripModel", "TripTestSupport", crypto, cryptoExtras, nioCore,
                nioHTTP1,
                nioHTTP2, nioPosix, nioSSL, swiftASN1, x509,
            ]
        ),
        .testTarget(
            name: "FleetEmulatorTests",
            dependencies: [
                "FleetEmulator", "FleetTokens", "FleetWire", "HTTPTransport", "HTTPTransportLive", "TripModel",
                "TripTestSupport", "TripText", crypto, cryptoExtras, jwtKit,
            ]
        ),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "FleetEmulator", "FleetTokens", "FleetWire", "HTTPTransport", "TripFeed", "TripModel",
                "TripTestSupport", "tripshare",
            ]
        ),
        .testTarget(
            name: "TripshareTests",
            dependencies: [
                "Canvas", "FleetEmulator", "FleetTokens", "FleetWire", "HTTPTransport", "HTTPTransportLive", "Terminal",
                "TripFeed", "TripModel", "TripScreen", "TripTestSupport", "TripText", "tripshare", cryptoExtras, yams,
            ]
        ),
    ]
)

for target in package.targets where !["CExpat", "CNcurses", "CProcess", "EmbeddedAssets"].contains(target.name) {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
    ]
}
