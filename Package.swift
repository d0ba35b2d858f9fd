// swift-tools-version: 6.2
// The manifest draws the architecture: a target imports what is listed here and nothing else, and the build is run
// with `--explicit-target-dependency-import-check error` so that the compiler refuses every other arrow.

import PackageDescription

// The products of packages. An app that only gets tokens turns all traits off: then only the packages without a trait are
// resolved. `Monitoring` is for `FleetTokensMonitoring`, `Signing` for `TokenSigning`, `Program` for everything else.
func product(_ name: String, _ package: String, for trait: String = "Program") -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Program", trait]))
}

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let heapModule = Target.Dependency.product(name: "HeapModule", package: "swift-collections")

let argumentParser = product("ArgumentParser", "swift-argument-parser")
let asyncAlgorithms = product("AsyncAlgorithms", "swift-async-algorithms")
let asyncHTTPClient = product("AsyncHTTPClient", "async-http-client")
let coreMetrics = product("CoreMetrics", "swift-metrics", for: "Monitoring")
let cryptoExtras = product("CryptoExtras", "swift-crypto")
let dequeModule = product("DequeModule", "swift-collections")
let grpcCore = product("GRPCCore", "grpc-swift-2")
let grpcNIOTransport = product("GRPCNIOTransportHTTP2Posix", "grpc-swift-nio-transport")
let httpTypes = product("HTTPTypes", "swift-http-types")
let hummingbirdCore = product("HummingbirdCore", "hummingbird")
let jwtKit = product("JWTKit", "jwt-kit", for: "Signing")
let logging = product("Logging", "swift-log", for: "Monitoring")
let metricsTestKit = product("MetricsTestKit", "swift-metrics")
let nioEmbedded = product("NIOEmbedded", "swift-nio")
let nioCore = product("NIOCore", "swift-nio")
let nioHPACK = product("NIOHPACK", "swift-nio-http2")
let nioExtras = product("NIOExtras", "swift-nio-extras")
let nioHTTP1 = product("NIOHTTP1", "swift-nio")
let nioHTTP2 = product("NIOHTTP2", "swift-nio-http2")
let nioHTTPCompression = product("NIOHTTPCompression", "swift-nio-extras")
let nioPosix = product("NIOPosix", "swift-nio")
let nioTLS = product("NIOTLS", "swift-nio")
let nioSSL = product("NIOSSL", "swift-nio-ssl")
let serviceLifecycle = product("ServiceLifecycle", "swift-service-lifecycle")
// The package does not support iOS, where no program can start another one.
let subprocess = Target.Dependency.product(
    name: "Subprocess",
    package: "swift-subprocess",
    condition: .when(platforms: [.linux, .macOS], traits: ["Program"])
)
let swiftASN1 = product("SwiftASN1", "swift-asn1")
let swiftProtobuf = product("SwiftProtobuf", "swift-protobuf")
let systemPackage = product("SystemPackage", "swift-system")
let x509 = product("X509", "swift-certificates")
let yams = product("Yams", "Yams")

#if os(macOS)
// The ncurses of macOS has no alloc_pair, and Homebrew does not link its own into the folders that are searched.
#if arch(arm64)
let prefix = Context.environment["HOMEBREW_PREFIX"] ?? "/opt/homebrew"
#else
let prefix = Context.environment["HOMEBREW_PREFIX"] ?? "/usr/local"
#endif
let ncursesHeaders: [CSetting] = [
    .unsafeFlags(["-I\(prefix)/opt/ncurses/include", "-I\(prefix)/opt/ncurses/include/ncursesw"])
]
let ncursesFolder: [LinkerSetting] = [.unsafeFlags(["-L\(prefix)/opt/ncurses/lib"])]
#else
let ncursesHeaders: [CSetting] = []
let ncursesFolder: [LinkerSetting] = []
#endif

let package = Package(
    name: "tripshare",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "tripshare", targets: ["tripshare"]),
        .library(name: "FleetTokens", targets: ["FleetTokens"]),
        .library(name: "FleetTokensMonitoring", targets: ["FleetTokensMonitoring"]),
        .library(name: "TokenSigning", targets: ["TokenSigning"]),
    ],
    traits: [
        .trait(name: "Program", description: "The program tripshare and everything else that is not a library."),
        .trait(name: "Monitoring", description: "Log and metrics of the token provider: FleetTokensMonitoring."),
        .trait(name: "Signing", description: "Tokens signed with a service account's key: TokenSigning."),
        .default(enabledTraits: ["Program", "Monitoring", "Signing"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.3"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport", from: "2.9.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        .target(name: "Runtime"),
        .target(name: "Failures", dependencies: ["Runtime"]),
        .target(name: "TripModel", dependencies: ["Runtime"]),
        .target(name: "FleetEngineProtos", dependencies: [swiftProtobuf]),
        .target(
            name: "FleetWire",
            dependencies: ["Failures", "FleetEngineProtos", "Runtime", "TripModel", swiftProtobuf]
        ),
        .target(
            name: "FleetTokens",
            dependencies: ["Failures", "Runtime", "TripModel", crypto, heapModule]
        ),
        // A wall of its own: an app that gets tokens must not resolve the packages that sign and verify them.
        .target(
            name: "TokenSigning",
            dependencies: ["Failures", "FleetTokens", "Runtime", "TripModel", jwtKit]
        ),
        // A wall of its own: an app that gets tokens must not contain code that reads the keys of a backend.
        .target(
            name: "Credentials",
            dependencies: [
                "Failures", "FleetTokens", "FleetWire", "Runtime", "TokenSigning", "TripModel", crypto,
                jwtKit,
            ]
        ),
        .target(
            name: "FleetTokensMonitoring",
            dependencies: ["FleetTokens", "Runtime", "TripModel", coreMetrics, logging]
        ),
        .target(
            name: "TripFeed",
            dependencies: [
                "Failures", "FleetTokens", "FleetWire", "Runtime", "TokenSigning", "TripModel",
                dequeModule, heapModule, yams,
            ]
        ),
        .target(
            name: "Recording",
            dependencies: [
                "CZlib", "Failures", "FleetTokens", "FleetWire", "Runtime", "TripFeed", "TripModel",
                heapModule,
            ]
        ),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(name: "Canvas", dependencies: ["Runtime"]),
        .target(
            name: "TripScreen",
            dependencies: [
                "CSQLite", "CZlib", "Canvas", "Failures", "FleetEngineProtos", "FleetTokens", "FleetWire", "Recording",
                "Runtime", "TripFeed", "TripModel", "TripText", swiftProtobuf, systemPackage,
            ]
        ),
        .target(
            name: "CNcurses",
            dependencies: ["CProcess"],
            cSettings: ncursesHeaders,
            linkerSettings: [
                .linkedLibrary("ncursesw"), .linkedLibrary("tinfo", .when(platforms: [.linux])),
            ] + ncursesFolder
        ),
        .target(name: "Terminal", dependencies: ["Canvas", "CNcurses", "CProcess", "Runtime", dequeModule]),
        .target(name: "CProcess"),
        .target(name: "EmbeddedAssets"),
        .target(
            name: "TripText",
            dependencies: [
                "Canvas", "EmbeddedAssets", "Failures", "FleetTokens", "Runtime", "TokenSigning",
                "TripFeed", "TripModel",
            ]
        ),
        .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
        .target(
            name: "TransportLive",
            dependencies: [
                "Failures", "FleetEngineProtos", "FleetWire", "GRPCMessages", "TripFeed",
                asyncHTTPClient, grpcCore, grpcNIOTransport, nioCore, nioExtras, nioHPACK, nioHTTP1, nioHTTP2,
                nioHTTPCompression, nioPosix, nioSSL, nioTLS, swiftASN1, swiftProtobuf,
            ]
        ),
        .target(name: "GRPCMessages", dependencies: ["CZlib", grpcCore, nioCore]),
        .target(
            name: "FleetEmulator",
            dependencies: [
                "CExpat", "EmbeddedAssets", "Failures", "FleetEngineProtos", "FleetTokens", "FleetWire",
                "GRPCMessages", "Recording", "Runtime", "TokenSigning", "TripFeed", "TripModel", crypto,
                cryptoExtras, dequeModule, grpcCore, grpcNIOTransport, heapModule, httpTypes, hummingbirdCore, jwtKit,
                logging, nioCore, nioHPACK, nioHTTP2, nioPosix, serviceLifecycle, swiftASN1, swiftProtobuf, x509, yams,
            ]
        ),
        .executableTarget(
            name: "tripshare",
            dependencies: [
                "Canvas", "Credentials", "Failures", "FleetEmulator", "FleetTokens",
                "FleetTokensMonitoring", "FleetWire", "Recording", "Runtime", "Terminal",
                "TokenSigning", "TransportLive", "TripFeed", "TripModel", "TripScreen", "TripText",
                argumentParser, asyncAlgorithms, coreMetrics, crypto, heapModule, subprocess, systemPackage,
            ]
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Canvas", "Failures", "FleetEmulator", "FleetTokens", "FleetWire", "HeapMemory", "Recording",
                "Runtime", "TokenSigning", "TransportLive", "TripFeed", "TripModel", "TripScreen",
                "TripText", cryptoExtras, httpTypes, hummingbirdCore, jwtKit, logging, nioCore, nioPosix,
                serviceLifecycle,
            ],
            path: "Tests/Benchmarks"
        ),
        .target(name: "HeapMemory", path: "Tests/HeapMemory"),
        // More threads for the tasks of the tests than the runtime has on a small machine.
        .target(name: "CTestThreads", path: "Tests/CTestThreads"),
        .target(
            name: "TripTestSupport",
            dependencies: [
                "Credentials", "CTestThreads", "Failures", "FleetTokens", "Runtime", "TripModel",
                cryptoExtras, nioCore, nioPosix,
            ],
            path: "Tests/TripTestSupport"
        ),
        .testTarget(name: "TripModelTests", dependencies: ["Runtime", "TripModel", "TripTestSupport"]),
        .testTarget(
            name: "FleetEngineProtosTests",
            dependencies: ["FleetEngineProtos", "FleetWire", "TripTestSupport", swiftProtobuf],
            exclude: ["Python"]
        ),
        .testTarget(
            name: "FleetWireTests",
            dependencies: [
                "Failures", "FleetEngineProtos", "FleetWire", "Runtime", "TripModel", "TripTestSupport", swiftProtobuf,
            ]
        ),
        .testTarget(
            name: "FleetTokensTests",
            dependencies: [
                "Failures", "FleetTokens", "Runtime", "TokenSigning", "TripModel", "tripshare",
                "TripTestSupport", "TripText", cryptoExtras, jwtKit,
            ]
        ),
        .testTarget(
            name: "CredentialsTests",
            dependencies: [
                "Credentials", "Failures", "FleetTokens", "FleetWire", "Runtime", "TripModel",
                "TripTestSupport", cryptoExtras, jwtKit,
            ]
        ),
        .testTarget(
            name: "FleetTokensMonitoringTests",
            dependencies: [
                "FleetTokens", "FleetTokensMonitoring", "Runtime", "TripModel", "TripTestSupport", logging,
                metricsTestKit,
            ]
        ),
        .testTarget(
            name: "TripFeedTests",
            dependencies: [
                "Failures", "FleetTokens", "FleetWire", "Runtime", "TripFeed", "TripModel",
                "TripTestSupport",
            ],
            exclude: ["Causes/HeldOutCauses.json", "Causes/HeldOutCauses2.json"]
        ),
        .testTarget(
            name: "RecordingTests",
            dependencies: [
                "Failures", "FleetTokens", "FleetWire", "Recording", "Runtime", "TripFeed", "TripModel",
                "TripTestSupport",
            ],
            exclude: ["Python", "Samples"]
        ),
        .testTarget(name: "RuntimeTests", dependencies: ["Runtime", "TripTestSupport"]),
        .testTarget(
            name: "FailuresTests",
            dependencies: ["Failures", "Runtime", "TripModel", "TripTestSupport"],
            exclude: ["Redaction/expected.json"]
        ),
        .testTarget(
            name: "BasemapTests",
            dependencies: [
                "FleetEngineProtos", "Runtime", "TripModel", "TripScreen", "TripTestSupport", swiftProtobuf,
            ],
            exclude: ["Python"]
        ),
        .testTarget(name: "CanvasTests", dependencies: ["Canvas", "Runtime", "TripTestSupport"]),
        .testTarget(
            name: "DiagnosisTests",
            dependencies: [
                "Credentials", "Failures", "FleetTokens", "FleetWire", "Runtime", "TripFeed", "TripModel",
                "TripTestSupport", "TripText",
            ],
            exclude: [
                "heldout.development.json", "heldout.final.json", "matrix.credentials.txt",
                "matrix.development.txt", "matrix.final.txt",
            ]
        ),
        .testTarget(
            name: "TripScreenTests",
            dependencies: [
                "Canvas", "Failures", "FleetTokens", "FleetWire", "Recording", "Runtime", "TokenSigning",
                "TripFeed", "TripModel", "TripScreen", "TripTestSupport", "TripText",
            ]
        ),
        .testTarget(
            name: "HostileInputTests",
            dependencies: [
                "Canvas", "Failures", "FleetTokens", "FleetWire", "HeapMemory", "Runtime", "TransportLive",
                "TripFeed", "TripModel", "TripScreen", "TripTestSupport", "TripText", nioCore, nioPosix,
            ]
        ),
        .target(
            name: "FuzzReaders",
            dependencies: [
                "Failures", "FleetEmulator", "FleetEngineProtos", "FleetTokens", "FleetWire", "GRPCMessages",
                "Recording", "Runtime", "Terminal", "TransportLive", "TripFeed", "TripModel", "TripScreen", nioCore,
                swiftProtobuf,
                systemPackage,
            ],
            path: "Tests/Fuzzing/Readers"
        ),
        .testTarget(name: "FuzzingTests", dependencies: ["FuzzReaders", "TripTestSupport"]),
        .executableTarget(
            name: "ScreenProbe",
            dependencies: ["Canvas", "Runtime", "Terminal"],
            path: "Tests/ScreenProbe"
        ),
        .testTarget(
            name: "TerminalTests",
            dependencies: ["Canvas", "ProcessProbe", "Runtime", "ScreenProbe", "Terminal", "TripTestSupport"]
        ),
        .executableTarget(name: "ProcessProbe", dependencies: ["Terminal"], path: "Tests/ProcessProbe"),
        .testTarget(
            name: "TransportLiveTests",
            dependencies: [
                "Failures", "FleetEmulator", "FleetWire", "GRPCMessages", "HeapMemory", "Runtime",
                "TransportLive", "TripFeed", "TripModel", "TripTestSupport", crypto, cryptoExtras, nioCore, nioHTTP1,
                nioHTTP2, nioPosix, nioSSL, swiftASN1, x509,
            ]
        ),
        .testTarget(
            name: "FleetEmulatorTests",
            dependencies: [
                "Failures", "FleetEmulator", "FleetEngineProtos", "FleetTokens", "FleetWire", "Recording", "Runtime",
                "TokenSigning", "TransportLive", "TripModel", "TripTestSupport", "TripText", crypto,
                cryptoExtras, grpcCore, jwtKit, nioCore, nioEmbedded, nioHPACK, nioHTTP2, nioPosix, swiftProtobuf,
            ]
        ),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "Failures", "FleetEmulator", "FleetTokens", "FleetWire", "Recording", "Runtime",
                "TransportLive", "TripFeed", "TripModel", "TripScreen", "tripshare", "TripTestSupport", "TripText",
                grpcCore, swiftProtobuf,
            ]
        ),
        .testTarget(
            name: "TripshareTests",
            dependencies: [
                "Canvas", "Failures", "FleetEmulator", "FleetTokens", "FleetTokensMonitoring", "FleetWire",
                "Recording", "Runtime", "Terminal", "TokenSigning", "TransportLive",
                "TripFeed", "TripModel", "TripScreen", "tripshare", "TripTestSupport", "TripText", argumentParser,
                asyncAlgorithms, coreMetrics, cryptoExtras, metricsTestKit, yams,
            ],
            exclude: ["Lines", "Python", "Recordings", "Tasks/tasks.yaml"]
        ),
    ]
)

// The fuzzer needs a build of its own, with coverage: `.ci/fuzz`.
if Context.environment["TRIPSHARE_FUZZ"] != nil {
    package.targets += [
        .target(name: "CFuzzer", path: "Tests/Fuzzing/CFuzzer"),
        .executableTarget(name: "Fuzz", dependencies: ["CFuzzer", "FuzzReaders"], path: "Tests/Fuzzing/Fuzz"),
    ]
}

let withoutSwift = ["CExpat", "CFuzzer", "CNcurses", "CProcess", "CSQLite", "CZlib", "EmbeddedAssets"]
for target in package.targets where !withoutSwift.contains(target.name) {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        // The warnings of another system's headers are not known here.
        .treatAllWarnings(as: .error, .when(platforms: [.linux])),
    ]
    // SwiftProtobuf's generator does not write `unsafe`.
    if target.name != "FleetEngineProtos" {
        target.swiftSettings?.append(.strictMemorySafety())
    }
}
