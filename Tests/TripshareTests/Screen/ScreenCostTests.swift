import Foundation
import Runtime
import Testing
import TripTestSupport

/// The cost of a screen of 120x40 cells that follows an emulator in another process.
///
/// The limits are generous: they are for a debug build on a machine with other load.
@Suite("Screen cost", .serialized, .terminalTurn, .ends(within: .longTest))
struct ScreenCostTests {
    /// The resources used between two screens that a script saved.
    private struct Cost {
        var seconds: Double
        var bytes: Int
        var processor: Double
        var wakeups: Int

        /// The factor for a limit over this many seconds; at least 1.
        func share(of seconds: Double) -> Double { max(self.seconds / seconds, 1) }
    }

    private struct TooShort: Error {}

    /// On a busy machine the first file may be noticed late, so that too little time is left.
    ///
    /// Then the measurement is repeated.
    private func cost(of script: String, _ arguments: [String] = [], atLeast seconds: Double) async throws -> Cost {
        for _ in 0..<5 {
            let cost = try await cost(of: script, arguments)
            if cost.seconds > seconds { return cost }
        }
        throw TooShort()
    }

    private func cost(of script: String, _ arguments: [String]) async throws -> Cost {
        var cost = Cost(seconds: 0, bytes: 0, processor: 0, wakeups: 0)
        try await EmulatedEngine.run(["--token-lifetime", "3600"]) { ready, _ in
            try await Program.withFolder { folder in
                let file = folder.appendingPathComponent("script")
                try Data(script.replacing("DIR", with: folder.path).utf8).write(to: file)
                let watch = [Program.path, "watch", "--emulator", ready, "--script", file.path] + arguments
                try await PseudoTerminal.run(watch, width: 120, height: 40, environment: ["HOME": folder.path]) {
                    terminal in
                    _ = try await FileArrival.text(of: folder.appendingPathComponent("begin")) { terminal.isOver }
                    let (start, before) = (ContinuousClock.now, try Resources(of: terminal.pid))
                    let bytes = terminal.count
                    _ = try await FileArrival.text(of: folder.appendingPathComponent("end")) { terminal.isOver }
                    let after = try Resources(of: terminal.pid)
                    cost = Cost(
                        seconds: start.duration(to: .now) / .seconds(1),
                        bytes: terminal.count - bytes,
                        processor: after.processor - before.processor,
                        wakeups: after.wakeups(since: before)
                    )
                }
            }
        }
        return cost
    }

    @Test(arguments: [[], ["--metrics-port", "0"]])
    func `a paused ride costs nothing, also with metrics without a reader`(options: [String]) async throws {
        let cost = try await cost(
            // The map is drawn when it has been read.
            of: "wait is an invented town\nkey Space\nwait paused\npause 1\ndump DIR/begin\npause 15\ndump DIR/end\n"
                + "pause 3600",
            options,
            atLeast: 2
        )
        #expect(cost.bytes == 0)
        #expect(cost.processor <= 0.05 * cost.share(of: 6))
        #expect(Double(cost.wakeups) <= 20 * cost.share(of: 6))
    }

    @Test func `a ride that is polled once a second costs little`() async throws {
        let script =
            "wait live\ntype :basemap off\nkey Enter\npause 1\ndump DIR/begin\npause 15\ndump DIR/end\npause 3600"
        let cost = try await cost(of: script, ["--interval", "1"], atLeast: 3)
        #expect(Double(cost.bytes) <= 20_000 * cost.share(of: 10))
        #expect(cost.processor <= 1.5 * cost.share(of: 10))
        #expect(Double(cost.wakeups) <= 500 * cost.share(of: 10))
    }

    @Test func `streets that move with the vehicle cost at most 150 kB a minute`() async throws {
        let script = "wait live\ndump DIR/begin\npause 15\ndump DIR/end\npause 3600"
        let cost = try await cost(of: script, atLeast: 3)
        #expect(Double(cost.bytes) <= 25_000 * cost.share(of: 10))
    }
}
