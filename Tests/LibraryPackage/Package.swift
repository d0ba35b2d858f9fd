// swift-tools-version: 6.2
// The examples of the pages of FleetTokens, built as an app builds them: with the library alone. `.ci/library` runs them.

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
]
let fleetTokens = Target.Dependency.product(name: "FleetTokens", package: "tripshare")

let package = Package(
    name: "LibraryPackage",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [.package(name: "tripshare", path: "../..", traits: [])],
    targets: [
        .executableTarget(name: "Tokens", dependencies: [fleetTokens], swiftSettings: settings),
        .executableTarget(
            name: "Adapter",
            dependencies: ["GoogleRidesharingConsumer", "GoogleRidesharingDriver", fleetTokens],
            swiftSettings: settings
        ),
        .executableTarget(name: "Events", dependencies: [fleetTokens], swiftSettings: settings),
        .executableTarget(name: "Network", dependencies: [fleetTokens], swiftSettings: settings),
        // Stand-ins for Google's SDKs.
        .target(name: "GoogleRidesharingConsumer", swiftSettings: settings),
        .target(name: "GoogleRidesharingDriver", swiftSettings: settings),
    ]
)
