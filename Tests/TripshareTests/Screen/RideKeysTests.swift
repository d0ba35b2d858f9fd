import Foundation
import Testing
import TripTestSupport

@testable import tripshare

@Suite("Keys that control the ride", .serialized, .terminalTurn, .ends(within: .longTest))
struct RideKeysTests {
    private func demo(
        _ flags: [String],
        body: (PseudoTerminal) async throws -> Void
    ) async throws {
        try await PseudoTerminal.run([Program.path, "demo"] + flags, width: 120, height: 40) { terminal in
            try await body(terminal)
            terminal.send("q")
            let ending = try await terminal.end()
            #expect(ending == .exited(0))
            #expect(terminal.hasItsModes)
        }
    }

    /// Plays a script of keys on the screen of a terminal.
    ///
    /// A step that times out ends the program with exit code 1.
    private func play(_ script: String, _ arguments: [String]) async throws {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("script")
            try Data(script.utf8).write(to: file)
            let command = [Program.path] + arguments + ["--script", file.path]
            try await PseudoTerminal.run(command, width: 240, height: 50) { terminal in
                let ending = try await terminal.end()
                #expect(ending == .exited(0), "\(terminal.text.suffix(3000))")
            }
        }
    }

    @Test func `a presenter pauses the ride, steps, skips to the next stage and resumes`() async throws {
        let file = Checkout.folder.appending(path: "Assets/Scenarios/airport-pickup.yaml")
        // The van waits so long at the airport that a skip can't run past its arrival, however slow the polls are.
        let scenario = try String(contentsOf: file, encoding: .utf8).replacing("wait: 40", with: "wait: 3600")
        try await Program.withFolder { folder in
            let file = folder.appending(path: "long-wait.yaml")
            try Data(scenario.utf8).write(to: file)
            try await play(
                """
                wait Waiting for a driver
                key p
                wait ×0
                # The driver sets off 10 s after the trip was created. A poll at the time of a step may come before the
                # driver's calls; the poll of a later step shows them. The ride is still paused.
                key .
                pause 1
                key .
                pause 1
                key .
                pause 1
                key .
                wait on the way to the pickup
                wait ×0
                key p
                key e
                wait Driver is at the pickup
                wait ×2
                key }
                wait ×5
                key space
                wait ×0
                key space
                wait ×5
                key q
                """,
                ["demo", "--speed", "2", "--scenario", file.path]
            )
        }
    }

    @Test(.enabled(if: Tmux.isThere, Tmux.why))
    func `the vehicle moves on the map within seconds`() async throws {
        let clock = ContinuousClock()
        let start = clock.now
        try await Program.withFolder { folder in
            let command = "HOME=\(folder.path) '\(Program.path)' demo"
            try await Tmux.run(command, width: 120, height: 40, in: folder) { terminal in
                // The whole screen: ncurses writes only those letters of "km/h" that are not there already.
                _ = try await terminal.wait { $0.contains(/[1-9] km\/h/) }
                // The limit for a release build on an idle machine is 4 s.
                #expect(clock.now - start < .seconds(120))
                try await terminal.type("q")
                _ = try await terminal.wait { $0.contains("gone=0") }
            }
        }
    }

    @Test func `another scenario and a restart begin from the start`() async throws {
        try await demo(["--speed", "2"]) { terminal in
            try await terminal.wait(for: "on the way to the pickup")
            var place = terminal.count
            terminal.send(":scenario tunnel\r")
            try await terminal.wait(for: "Generating the", after: place)
            try await terminal.wait(for: "127.0.0.1", after: place)
            place = terminal.count
            terminal.send(":restart\r")
            try await terminal.wait(for: "Generating the", after: place)
            try await terminal.wait(for: "127.0.0.1", after: place)
        }
    }

    @Test func `keys that are typed during a restart are handled after it`() async throws {
        try await demo(["--speed", "2"]) { terminal in
            try await terminal.wait(for: "on the way to the pickup")
            let place = terminal.count
            // All keys come at once, as from a fast typist or a paste of tmux: the last one belongs to the new ride.
            terminal.send(":restart\r4")
            try await terminal.wait(for: "Generating the", after: place)
            try await terminal.wait(for: "Latency", after: place)
        }
    }

    @Test func `the keys also control the clock of an emulator in another process`() async throws {
        try await EmulatedEngine.run(["--speed", "2"]) { ready, _ in
            try await play(
                """
                wait ×2
                key p
                wait ×0
                key p
                wait ×2
                key q
                """,
                ["watch", "--emulator", ready]
            )
        }
    }

    @Test(
        arguments: [
            ([], "tunnel", ["--scenario", "tunnel"]),
            (["demo", "--scenario", "a", "--speed", "5"], "b", ["demo", "--speed", "5", "--scenario", "b"]),
            (["demo", "--scenario=a", "--recording", "x"], "ride", ["demo", "--scenario", "ride"]),
            (["--speed", "5"], nil, ["--speed", "5"]),
        ] as [([String], String?, [String])]
    )
    func `a restart retains the arguments except for the scenario`(
        _ old: [String],
        _ scenario: String?,
        _ new: [String]
    ) {
        let restart = DemoRestart(scenario: scenario)
        #expect(restart.arguments(from: old) == new)
        let typed = restart.arguments(from: old + ["--typed-ahead", "NQ=="], typedAhead: [0x34])
        #expect(typed == new + ["--typed-ahead", "NA=="], "only what was typed in this restart")
    }
}
