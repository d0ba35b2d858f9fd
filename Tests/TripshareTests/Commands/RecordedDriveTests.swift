import Foundation
import Testing
import TripTestSupport

/// `drive --as-recorded` with the built program.
@Suite("Recorded drives", .ends(within: .longTest))
struct RecordedDriveTests {
    @Test func `drive follows a GPX track at its recorded times`() async throws {
        try await Program.withFolder { folder in
            let scenario = folder.appending(path: "parked.yaml")
            try Data(ParkedTaxi.scenario(expecting: "NEW", within: 60).utf8).write(to: scenario)
            let file = folder.appending(path: "track.gpx")
            let points = [(0.0, 0), (0.001, 10), (0.001, 100), (0.002, 120)].map { east, second in
                let time = Date(timeIntervalSince1970: 1_700_000_000 + Double(second)).formatted(.iso8601)
                return "<trkpt lat=\"0\" lon=\"\(east)\"><time>\(time)</time></trkpt>"
            }
            try Data("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8).write(to: file)
            try await EmulatedEngine.run(["--scenario", scenario.path, "--speed", "30"]) { ready, _ in
                let drive = ["drive", "taxi-9", "--emulator", ready, "--route", file.path]
                let began = ContinuousClock.now
                let run = try await Program.run(drive + ["--as-recorded"])
                #expect(run.status == 0 && run.output.contains("has arrived"), "\(run.output) \(run.errors)")
                // 120 s at 30 times the speed; the speed model needs 20 s for these 220 m.
                #expect(ContinuousClock.now - began >= .seconds(4))
                try Data("_p~iF~ps|U_ulLnnqC".utf8).write(to: file)
                let untimed = try await Program.run(drive + ["--as-recorded"])
                #expect(untimed.status == 65 && untimed.errors.contains("no times"), "\(untimed.errors)")
            }
        }
    }

    @Test func `--as-recorded needs a route`() async throws {
        let run = try await Program.runInProcess(["drive", "v", "--to", "Station", "--as-recorded"])
        #expect(run.status == 64 && run.errors.contains("--as-recorded needs --route"), "\(run.errors)")
    }
}
