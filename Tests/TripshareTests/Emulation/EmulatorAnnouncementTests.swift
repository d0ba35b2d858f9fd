import Foundation
import Testing
import TripTestSupport

/// What `emulate` prints when it listens.
@Suite("The announcement of an emulator", .ends(within: .longTest))
struct EmulatorAnnouncementTests {
    @Test func `names vehicles, and without a ready file a command that follows the trip`() async throws {
        try await Program.withFolder { folder in
            let emulator = try Program.start(["emulate", "--token-key", "access", "--speed", "1"], in: folder)
            defer { emulator.terminate() }
            try await emulator.outputs("Follow it with")
            let lines = emulator.output.split(separator: "\n").map(String.init)
            let vehicles = try #require(lines.first { $0.hasPrefix("Vehicles  ") })
            #expect(vehicles.contains("vehicle-1"))
            let command = try #require(lines.last?.components(separatedBy: "tripshare ").last)
            #expect(command.hasPrefix("watch trip-1 --provider-id tripshare-demo --fleet-engine-url http://"))
            let run = try await Program.run(
                executable: "/bin/sh",
                ["-c", "exec \"$0\" \(command) --once --output plain", Program.path],
                environment: ["HOME": folder.path]
            )
            #expect(run.status == 0, "\(command): \(run.errors)")
            emulator.terminate()
            _ = try await emulator.result()
        }
    }

    @Test(arguments: [
        (["--scenario", "parcel-day"], "tripshare track ", "Vehicles  "),
        (["--speed", "10"], "tripshare watch --emulator FILE, if it was started with --ready-file FILE", "trip-1"),
    ])
    func `fits what is emulated`(options: [String], command: String, other: String) async throws {
        try await Program.withFolder { folder in
            let emulator = try Program.start(["emulate"] + options, in: folder)
            defer { emulator.terminate() }
            try await emulator.outputs("Follow it with  \(command)")
            #expect(emulator.output.contains(other), "\(emulator.output)")
            emulator.terminate()
            _ = try await emulator.result()
        }
    }
}
