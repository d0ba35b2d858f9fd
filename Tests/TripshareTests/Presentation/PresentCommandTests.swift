import Failures
import FleetEmulator
import Foundation
import Runtime
import Testing
import TransportLive
import TripScreen
import TripTestSupport
import TripText

@testable import tripshare

@Suite("Command present", .serialized, .terminalTurn, .ends(within: .longTest))
struct PresentCommandTests {
    /// Runs a demo and a console in a terminal each.
    ///
    /// Both are real terminals, because a frame writes only what differs from the frame before it.
    private func present(
        _ demo: [String],
        _ flags: [String] = [],
        body: @escaping (_ audience: Tmux, _ console: Tmux, _ environment: [String: String]) async throws -> Void
    ) async throws {
        try await Program.withFolder { folder in
            let (first, second) = (folder.appending(path: "audience"), folder.appending(path: "console"))
            for folder in [first, second] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            let variables = "XDG_RUNTIME_DIR=\(folder.path) HOME=\(folder.path)"
            func command(_ words: [String]) -> String {
                "\(variables) '\(Program.path)' \(words.joined(separator: " ")) --lang en"
            }
            try await Tmux.run(command(["demo", "--console"] + demo), width: 120, height: 40, in: first) { audience in
                // The console joins a demo that reports.
                _ = try await audience.wait { $0.contains("pickup") || $0.contains("A ride") }
                try await Tmux.run(command(["present"] + flags), width: 120, height: 40, in: second) { console in
                    _ = try await console.wait { $0.contains("Since the start") }
                    try await body(audience, console, ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path])
                }
            }
            let demos = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/tripshare/demos")
            #expect(demos == [], "a demo that has ended leaves no file")
        }
    }

    @Test(.enabled(if: Tmux.isThere, Tmux.why))
    func `switches a fault and the speed of the demo unseen by the audience, and ends with it`() async throws {
        try await present(["--scenario", "traffic-jam"]) { audience, console, _ in
            _ = try await console.wait { $0.contains("traffic-jam") && $0.contains("Next   The rider gets in.") }
            try await console.type("h")
            _ = try await console.wait { $0.contains("! polls get 503") && $0.contains("retrying") }
            let screen = try await audience.wait { $0.contains("retrying") }
            #expect(!screen.contains("Faults") && !screen.contains("polls get 503"))
            try await console.type("x")
            _ = try await console.wait { !$0.contains("! polls get 503") }
            try await console.type("+")
            _ = try await console.wait { $0.contains("×2") }
            _ = try await audience.wait { $0.contains("×2") }
            try await console.type("p")
            _ = try await console.wait { $0.contains("Paused") }
            _ = try await audience.wait { $0.contains("×0") }
            try await audience.type("q")
            _ = try await audience.wait { $0.contains("gone=0") }
            _ = try await console.wait { $0.contains("The demo has ended.") && $0.contains("gone=0") }
        }
    }

    @Test(.enabled(if: Tmux.isThere, Tmux.why))
    func `follows the demo to another scenario, and leaves it running`() async throws {
        try await present(["--scenario", "tunnel"]) { audience, console, environment in
            try await console.type("s")
            _ = try await console.wait { $0.contains("Scenarios") }
            // The first scenario of the list is the plain ride.
            try await console.type("Home", "Enter")
            _ = try await console.wait { $0.contains("console · ride") }
            try await console.type("h")
            _ = try await console.wait { $0.contains("! polls get 503") }
            try await console.type("q")
            _ = try await console.wait { $0.contains("The demo goes on.") && $0.contains("gone=0") }
            _ = try await console.wait { $0.contains("Faults stay switched on: polls get 503") }
            try await audience.type("q")
            _ = try await audience.wait { $0.contains("gone=0") }
            let run = try await Program.run(["present"], environment: environment)
            #expect(run.status == 69 && run.errors.contains("tripshare demo --console"))
        }
    }

    @Test(.enabled(if: Tmux.isThere, Tmux.why))
    func `goes to the next chapter of a tour, with the notes about it`() async throws {
        try await Program.withFolder { folder in
            let chapters = Tour.embedded.stages.count
            let notes = folder.appending(path: "notes.txt")
            try Data("# 1\nThe first words.\n# A token's life\nThe second words.\n".utf8).write(to: notes)
            try await present(["--tour"], ["--notes", notes.path]) { audience, console, _ in
                _ = try await console.wait { $0.contains("1/\(chapters)  A ride") && $0.contains("The first words.") }
                try await console.type("n")
                _ = try await audience.wait { $0.contains("2/\(chapters)") }
                _ = try await console.wait { $0.contains("token-life") && $0.contains("The second words.") }
                try await audience.type("q")
                _ = try await audience.wait { $0.contains("Really end the show?") }
                try await audience.type("q")
                _ = try await audience.wait { $0.contains("gone=0") }
                _ = try await console.wait { $0.contains("The demo has ended.") }
            }
        }
    }

    @Test func `only callers with the secret of the demo's file can use the console`() async throws {
        try await Program.withFolder { folder in
            let script = folder.appending(path: "script")
            try Data("wait pickup\nwait words that no screen has\n".utf8).write(to: script)
            let environment = ["XDG_RUNTIME_DIR": folder.path]
            let command = ["demo", "--console", "--script", script.path]
            let demos = try #require(DemoFolder.all(environment: environment).first)
            try demos.prepare()
            let demo = try Program.start(command, in: folder, environment: environment)
            defer { demo.terminate() }
            let file = URL(fileURLWithPath: demos.file(of: demo.pid))
            _ = try await FileArrival.wait(for: file, from: demo)
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let access = try DemoAccess.named(file.path)
            try await withLiveHTTPTransport { transport in
                func status(_ method: String, _ secret: String?) async throws -> Int {
                    let request = HTTPTransportRequest(
                        method: method,
                        url: access.controlURL + "/presenter",
                        headers: [("Content-Type", "application/json")]
                            + (secret.map { [("X-Emulator-Secret", $0)] } ?? []),
                        body: method == "POST" ? PresenterRequest.restart.json : [],
                        timeout: .seconds(30)
                    )
                    return try await transport.send(request).status
                }
                for method in ["GET", "POST"] {
                    let refused = (try await status(method, nil), try await status(method, "wrong"))
                    #expect(refused == (403, 403))
                }
                let unknown = try await status("DELETE", access.secret)
                #expect(unknown == 405)
                let found = try await status("GET", access.secret)
                #expect([200, 503].contains(found))
            }
            #expect(demos.runningDemos() == [access])
            // A demo that runs without its ports begins another scenario.
            var ready = try ReadyFile.read(file.path, evenIfStale: true).file
            ready.controlURL = "http://127.0.0.1:1"
            let starting = try #require(DemoAccess(ready, path: file.path))
            let problem = try await withLiveHTTPTransport { transport in
                await DemoClient(starting, transport: transport).send(.restart)
            }
            #expect(problem == Localizer.ofProcess(.consoleStarting))
            // A script without a terminal does not catch the signal, so that the demo leaves its file.
            demo.terminate()
            _ = try await demo.result()
            #expect(demos.runningDemos() == [])
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test(arguments: [["--output", "json"], ["--once"], ["--output", "plain"]])
    func `a console needs the screen of the demo`(_ flags: [String]) async throws {
        let run = try await Program.run(["demo", "--console"] + flags)
        #expect(run.status == 64 && run.errors.contains("--console"))
    }

    @Test(arguments: Language.allCases)
    func `each fault and each scenario has a sentence that fits into the console`(_ language: Language) throws {
        let abouts = TestFault.all.map { Localizer(language)($0.about) }
        for about in abouts { #expect(Printable.wrapped(about, to: 78, limit: 9).count <= 2, "\(about)") }
        #expect(Set(abouts).count == abouts.count)
        let summaries = try Scenario.summaries()
        for name in DemoCommand.scenarios {
            let about = try #require(summaries[name], "\(name)")
            #expect(about.hasSuffix(".") && !about.contains("\n"), "\(name)")
            let lines = Printable.wrapped(Localizer(language).caption(about), to: 72, limit: 9)
            #expect(lines.count <= 3, "\(name): \(lines)")
        }
    }

    @Test func `a letter of the console switches each fault of the menu`() {
        let faults = TestFault.possible(withEmulator: true)
        let choices = faults.map(\.choice)
        var state = ConsoleState(
            ConsoleState.Settings(faults: choices),
            now: Date(timeIntervalSince1970: 0),
            width: 80,
            height: 24
        )
        _ = state.update(.report(Self.report))
        let switched = "abcdefghijklmnopqrstuvwxyz".flatMap { letter in
            state.update(.key(.character(letter))).compactMap { effect -> String? in
                if case .request(.fault(.toggle(let id))) = effect { id } else { nil }
            }
        }
        #expect(switched == faults.map(\.id))
    }

    /// The report of a demo without a tour.
    private static let report = PresenterReport(
        scenario: "ride",
        chapter: nil,
        trip: PresenterReport.Sentence("Waiting"),
        token: PresenterReport.Sentence(""),
        caption: "",
        nextCaption: nil,
        began: 0,
        chapterBegan: 0,
        ride: PresenterReport.RideClock(real: 0, virtual: 0, speed: 1, isPaused: false, firstSpeed: 1),
        activeFaults: [],
        // Without scenarios, no list receives the letters after s.
        scenarios: [],
        problem: nil
    )

    @Test func `says what to do about a file that is missing or no demo's`() async throws {
        try await Program.withFolder { folder in
            let missing = try await Program.run(["present", "--demo", folder.path + "/none.json"])
            #expect(missing.status == 66 && missing.errors.contains("tripshare demo --console"))
            let notes = try await Program.run(["present", "--notes", folder.path + "/none.txt"])
            #expect(notes.status == 66 && notes.errors.contains("file with notes"))
        }
    }
}
