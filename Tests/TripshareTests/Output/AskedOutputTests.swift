import Foundation
import Testing
import TripTestSupport

/// Words typed while `--accessible` writes sentences, with the built program.
@Suite("Questions on standard input", .serialized, .terminalTurn, .ends(within: .longTest))
struct AskedOutputTests {
    private static let demo = [
        Program.path, "demo", "--seed", "7", "--accessible", "--speed", "4", "--lang", "en",
    ]

    @Test func `a terminal gets the answer below the typed word, which it does not echo`() async throws {
        try await PseudoTerminal.run(Self.demo) { terminal in
            try await terminal.wait(for: "on the way to the pickup")
            let start = terminal.count
            terminal.send("whe")
            try await terminal.wait(for: "Vehicle: ", after: start)
            #expect(!terminal.text.contains("whe"), "\(terminal.text)")
            terminal.send("re\n")
            try await terminal.wait(for: "\nwhere\r\nVehicle: ")
            terminal.send("key\n")
            try await terminal.wait(for: "\nkey\r\nThe key, called a token, was requested for this trip only.\r\n")
            terminal.send("whatever\n")
            try await terminal.wait(for: "You can type: where, when, why, what happened, key, help, quit.")
            terminal.send("quit\n")
            let ending = try await terminal.end()
            #expect(ending == .exited(0))
            try await terminal.wait(for: "The trip is no longer followed.")
            #expect(terminal.hasItsModes)
        }
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `a signal ends it, and the terminal echoes again`(_ signal: Int32, _ status: Int32) async throws {
        try await PseudoTerminal.run(Self.demo) { terminal in
            try await terminal.wait(for: "on the way to the pickup")
            #expect(!terminal.hasItsModes)
            terminal.kill(signal)
            let ending = try await terminal.end()
            #expect(ending == .exited(status))
            #expect(terminal.hasItsModes)
        }
    }

    @Test func `quit leaves notices that are awaited for later, which is said before`() async throws {
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let silence = CannedServer.Behaviour.answer { _ in
            request.yield()
            return ""
        }
        try await CannedServer.run(silence) { server in
            try await Program.withFolder { folder in
                let notices = ["--webhook", "http://127.0.0.1:\(server.port)/", "--webhook-events", "status"]
                try await PseudoTerminal.run(
                    Self.demo + notices + ["--notice-wait", "600"],
                    width: 200,
                    environment: ["HOME": folder.path]
                ) { terminal in
                    for await _ in requests { break }
                    terminal.send("quit\n")
                    try await terminal.wait(for: "being delivered (at most ")
                    try await terminal.wait(for: "quit again leaves ")
                    terminal.send("quit\n")
                    let ending = try await terminal.end()
                    #expect(ending == .exited(0))
                    try await terminal.wait(for: "notices.sqlite")
                }
            }
        }
    }

    @Test func `the tour says its chapters and captions, one chapter after another, and what it has shown`()
        async throws
    {
        let arguments = ["demo", "--tour", "--tour-stage", "2", "--seed", "7", "--accessible", "--speed", "100"]
        let run = try await Program.run(arguments + ["--lang", "en"], input: "")
        #expect(run.status == 0, "\(run.errors)")
        let expected = [
            "2/7 A token's life: ", "it opens this ride and nothing else.", "3/7 No token comes: ",
            "4/7 A traffic jam: ",
            "7/7 A parcel: ", "What you saw", "tripshare watch follows a trip of your own.",
        ]
        var rest = run.output[...]
        for text in expected {
            let found = try #require(rest.range(of: text), "\(text) after what was said before: \(run.output)")
            rest = rest[found.upperBound...]
        }
        #expect(!run.output.contains("Receipt of"), "\(run.output)")
    }

    @Test func `quit ends the tour before its next chapter`() async throws {
        let arguments = ["demo", "--tour", "--seed", "7", "--accessible", "--lang", "en"]
        let run = try await Program.run(arguments, input: "quit\n")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("1/7 A ride: ") && !run.output.contains("2/7"), "\(run.output)")
    }

    @Test func `the end of the input ends only the questions`() async throws {
        let arguments = ["demo", "--seed", "1", "--accessible", "--speed", "60", "--lang", "en"]
        let run = try await Program.run(arguments, input: "help\n")
        #expect(run.status == 0, "\(run.errors)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.contains("You can type: where, when, why, what happened, key, help, quit."))
        #expect(!lines.contains("help"))
        #expect(lines.contains { $0.hasSuffix("Trip complete, the rider is dropped off.") }, "\(run.output)")
    }

    @Test func `German words ask in German`() async throws {
        let arguments = ["demo", "--seed", "1", "--accessible", "--speed", "60", "--lang", "de"]
        let run = try await Program.run(arguments, input: "hilfe\nende\n")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("Sie können tippen: wo, wann, warum, was ist passiert, Schlüssel, Hilfe, Ende."))
        #expect(run.output.contains("Die Fahrt wird nicht mehr verfolgt."))
    }

    @Test func `no sentence is said twice, and no speed at the pickup`() async throws {
        let run = try await Program.run(["demo", "--seed", "7", "--accessible", "--speed", "60", "--lang", "en"])
        let words = run.output.split(separator: "\n").map { $0.split(separator: "  ", maxSplits: 1).last ?? $0 }
        #expect(zip(words, words.dropFirst()).allSatisfy { $0 != $1 }, "\(run.output)")
        for (line, next) in zip(words, words.dropFirst()) where line == "Driver is at the pickup." {
            #expect(!next.contains("km/h"), "\(run.output)")
        }
    }
}
