import Foundation
import Testing
import TripTestSupport

/// `tripshare drive` after its emulator has ended.
@Suite("A drive without its emulator", .ends(within: .longTest))
struct DriveWithoutEmulatorTests {
    @Test func `Ctrl-C after the emulator was killed does not say that the vehicle is OFFLINE`() async throws {
        try await Program.withFolder { folder in
            let route = folder.appendingPathComponent("way.json")
            // So long that the drive takes hours.
            try #"{"type":"LineString","coordinates":[[3.72,51.06],[3.7,48.0]]}"#
                .write(to: route, atomically: true, encoding: .utf8)
            let ready = folder.appendingPathComponent("ready.json")
            let emulator = try Program.start(
                ["emulate", "--scenario", "rider-cancels", "--ready-file", ready.path],
                in: folder
            )
            defer { emulator.send(SIGKILL) }
            _ = try await FileArrival.wait(for: ready, from: emulator)
            let drive = try Program.start(
                ["drive", "taxi-9", "--route", route.path, "--emulator", ready.path],
                in: folder
            )
            defer { drive.send(SIGKILL) }
            try await drive.outputs("is ONLINE")
            emulator.send(SIGKILL)
            _ = try await emulator.result()
            drive.interrupt()
            let run = try await drive.result()
            #expect(run.status == 130)
            #expect(!run.output.contains("OFFLINE"), "\(run.output)")
            #expect(
                run.errors.contains("was not set OFFLINE: UpdateVehicle could not reach the Fleet Engine."),
                "\(run.errors)"
            )
        }
    }
}
