import FleetEmulator
import Foundation
import Runtime
import Synchronization
import Testing
import TripModel
import TripScreen
import TripTestSupport
import TripText

@testable import tripshare

@Suite("Guided tour", .serialized, .terminalTurn, .ends(within: .longTest))
struct TourScreenTests {
    // The screen of a real terminal, because a frame writes only what differs from the frame before it.
    @Test(.enabled(if: Tmux.isThere, Tmux.why))
    func `plays all rides without a key and ends with a last page`() async throws {
        try await Program.withFolder { folder in
            let command = "HOME=\(folder.path) '\(Program.path)' demo --tour --speed 20 --lang en"
            try await Tmux.run(command, width: 120, height: 40, in: folder) { terminal in
                let stages = Tour.embedded.stages
                let headings = stages.enumerated().map { "\($0 + 1)/\(stages.count)  \($1.title)" }
                // On a busy machine, a ride of 13 s may end before its picture is read.
                var ahead = headings[...]
                while let next = ahead.first {
                    let screen = try await terminal.wait { screen in
                        ahead.contains { screen.contains($0) }
                            || (next != headings[0] && screen.contains("The tour is over"))
                    }
                    let shown = ahead.firstIndex { screen.contains($0) }
                    ahead = ahead[(shown.map { $0 + 1 } ?? ahead.endIndex)...]
                }
                _ = try await terminal.wait { $0.contains("The tour is over") }
                try await terminal.type("q")
                _ = try await terminal.wait { $0.contains("gone=0") }
            }
        }
    }

    @Test func `keys work during the tour, and a scenario ends it`() async throws {
        let command = [Program.path, "demo", "--tour", "--lang", "en"]
        try await PseudoTerminal.run(command, width: 120, height: 40) { terminal in
            try await terminal.wait(for: "1/\(Tour.embedded.stages.count)  A ride")
            terminal.send("?")
            try await terminal.wait(for: "Everywhere")
            let place = terminal.count
            terminal.send("?:scenario tunnel\r")
            // It stays on stage, where `q` asks.
            try await terminal.wait(for: "Your ride", after: place)
            let second = terminal.count
            terminal.send("q")
            try await terminal.wait(for: "Really end the show?", after: second)
            terminal.send("y")
            let ending = try await terminal.end()
            #expect(ending == .exited(0))
        }
    }

    @Test(arguments: [["--scenario", "tunnel"], ["--recording", "x"], ["--once"], ["--output", "json"]])
    func `refuses what does not go with it`(_ flags: [String]) async throws {
        let result = try await Program.run(["demo", "--tour"] + flags)
        #expect(result.status == 64)
        #expect(result.errors.contains("--tour plays on the screen"))
    }

    @Test func `performs its steps in the ride's time`() async throws {
        let clock = JumpingClock()
        for index in Tour.embedded.stages.indices {
            let guide = TourGuide(tour: .embedded, index: index, localizer: .english)
            let events = Events()
            try await guide.play(clock) { await events.add($0) }
            let names = await events.names
            let commands = Tour.embedded.stages[index].steps.flatMap { $0.commands ?? [] }
            let isLast = index == Tour.embedded.stages.count - 1
            #expect(names == ["page", "no page"] + commands + [isLast ? "page" : "next"])
        }
    }

    @Test(
        arguments: [
            (["demo", "--tour"], nil, 1, ["demo", "--tour", "--tour-stage", "2"]),
            (["demo", "--tour", "--tour-stage", "2"], nil, 2, ["demo", "--tour", "--tour-stage", "3"]),
            (["demo", "--tour", "--tour-stage", "2"], nil, nil, ["demo", "--tour", "--tour-stage", "2"]),
            (["demo", "--tour", "--tour-stage", "2"], "tunnel", nil, ["demo", "--scenario", "tunnel"]),
        ] as [([String], String?, Int?, [String])]
    )
    func `a restart goes to the next stage, a scenario ends the tour`(
        _ old: [String],
        _ scenario: String?,
        _ stage: Int?,
        _ new: [String]
    ) {
        #expect(DemoRestart(scenario: scenario, stage: stage).arguments(from: old) == new)
    }

    @Test(
        arguments: [
            (["demo", "--tour", "--tour-stage", "2"], "tunnel", ["demo", "--scenario", "tunnel", "--presenter"]),
            (["demo", "--presenter"], "tunnel", ["demo", "--presenter", "--scenario", "tunnel"]),
            (["demo", "--tour"], nil, ["demo", "--tour"]), (["demo"], nil, ["demo", "--presenter"]),
        ] as [([String], String?, [String])]
    )
    func `a restart stays in the presenter view`(_ old: [String], _ scenario: String?, _ new: [String]) {
        #expect(DemoRestart(scenario: scenario, isPresenter: true).arguments(from: old) == new)
    }

    /// A clock whose sleeps end at once, at their deadline.
    private final class JumpingClock: TripClock {
        private let steady = Mutex(Duration.zero)
        let speed = 1.0

        func now() -> Moment { Moment(wall: Date(timeIntervalSince1970: 0), steady: steady.withLock { $0 }) }
        func sleep(until deadline: Duration) async throws { steady.withLock { $0 = max($0, deadline) } }
        func sleep(real time: Duration) async throws {}
    }

    /// The events of a guide.
    private actor Events {
        private(set) var names: [String] = []

        func add(_ event: TourGuide.Event) {
            switch event {
            case .next: names.append("next")
            case .message(.page(let page)): names.append(page == nil ? "no page" : "page")
            case .message(.command(let command)): names.append(command.rawValue)
            case .message: names.append("caption")
            }
        }
    }
}
