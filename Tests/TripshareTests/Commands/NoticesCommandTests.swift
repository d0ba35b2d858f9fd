import Foundation
import Synchronization
import Testing
import TripTestSupport

/// `tripshare notices` with the built program.
@Suite("Notices command", .serialized, .ends(within: .longTest))
struct NoticesCommandTests {
    private struct Listed: Decodable {
        var type: String
        var id: String
        var sequence: Int
        var receiver: String
        var event: String
        var trip: String
        var attempts: Int
        var hasSession: Bool
    }

    /// Lets a session leave notices for a receiver, then passes its address.
    private static func withWaiting(
        _ answer: @escaping @Sendable (_ request: String) -> String,
        _ body: (_ folder: URL, _ url: String) async throws -> Void
    ) async throws {
        try await CannedServer.run(.answer(answer)) { server in
            try await Program.withFolder { folder in
                let url = "http://127.0.0.1:\(server.port)/secret-path"
                // At this speed, a busy machine skips no status.
                let run = try await Self.run(
                    in: folder,
                    [
                        "demo", "--seed", "1", "--speed", "30", "--output", "plain", "--webhook", url,
                        "--webhook-events", "status,end", "--notice-wait", "0",
                    ]
                )
                #expect(run.status == 0, "\(run.errors)")
                try await body(folder, url)
            }
        }
    }

    /// Runs the program with a folder as its home.
    private static func run(in folder: URL, _ arguments: [String]) async throws -> Program.Run {
        try await Program.run(in: folder, arguments, environment: ["HOME": folder.path])
    }

    private static let unavailable: @Sendable (String) -> String = { _ in answer("503 Service Unavailable") }

    private static func answer(_ status: String) -> String {
        "HTTP/1.1 \(status)\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    }

    /// The host and the port of a URL.
    private static func place(of url: String) throws -> String {
        try "127.0.0.1:\(#require(URL(string: url)?.port))"
    }

    private static func listed(in folder: URL) async throws -> [Listed] {
        let run = try await Self.run(in: folder, ["notices", "list", "--output", "json"])
        #expect(run.status == 0, "\(run.errors)")
        return try run.lines.map { try JSONDecoder().decode(Listed.self, from: Data($0.utf8)) }
    }

    @Test func `lists what waits, without the address`() async throws {
        try await Self.withWaiting(Self.unavailable) { folder, url in
            let place = try Self.place(of: url)
            let notices = try await Self.listed(in: folder)
            #expect(notices.count > 3 && notices.allSatisfy { $0.type == "waitingNotice" && $0.trip == "trip-1" })
            #expect(Set(notices.map(\.event)) == ["status", "end"])
            #expect(Set(notices.map(\.id)).count == notices.count && Set(notices.map(\.receiver)) == [place])
            #expect(notices.map(\.sequence) == notices.map(\.sequence).sorted())
            let table = try await Self.run(in: folder, ["notices"])
            #expect(table.status == 0 && table.lines.count == notices.count + 2, "\(table.output)")
            #expect(table.lines[0].contains("Receiver") && table.lines[1].contains(place), "\(table.output)")
            // The session has ended, so that nothing tries again by itself.
            #expect(notices.allSatisfy { !$0.hasSession } && table.lines[1].hasSuffix(" –"), "\(table.output)")
            let last = try #require(table.lines.last)
            #expect(last.hasPrefix("\(notices.count) of them were left by sessions that have ended"), "\(last)")
            #expect(last.hasSuffix("tripshare notices send"), "\(last)")
            #expect(!table.output.contains("secret-path"))
        }
    }

    @Test func `says that nothing waits, and creates no file for that`() async throws {
        try await Program.withFolder { folder in
            for arguments in [["notices"], ["notices", "discard", "--all", "--yes"]] {
                let run = try await Self.run(in: folder, arguments)
                #expect(run.status == 0 && run.output == "No notices wait.\n", "\(run.output) \(run.errors)")
            }
            let state = folder.appending(path: ".local/state/tripshare/notices.sqlite")
            #expect(!FileManager.default.fileExists(atPath: state.path))
        }
    }

    @Test func `sends what waits for a receiver, and ends with 75 until all is delivered`() async throws {
        let status = Mutex("503 Service Unavailable")
        let answer: @Sendable (String) -> String = { _ in Self.answer(status.withLock(\.self)) }
        try await Self.withWaiting(answer) { folder, url in
            let count = try await Self.listed(in: folder).count
            let send = ["notices", "send", "--webhook", url, "--notice-wait"]
            let other = try await Self.run(in: folder, ["notices", "send", "--on", "end=true"])
            let none = "No waiting notice fits; \(count) others wait. List them with: tripshare notices\n"
            #expect(other.status == 0 && other.output == none, "\(other.output)")
            let first = try await Self.run(in: folder, send + ["1"])
            #expect(first.status == 75 && first.output.contains("0 of \(count) notices delivered; \(count) wait in"))
            status.withLock { $0 = "204 No Content" }
            let second = try await Self.run(in: folder, send + ["60"])
            #expect(
                second.status == 0 && second.output == "\(count) of \(count) notices delivered.\n",
                "\(second.output)"
            )
            #expect(try await Self.listed(in: folder).isEmpty)
        }
    }

    @Test func `discards what fits, and asks before`() async throws {
        try await Self.withWaiting(Self.unavailable) { folder, url in
            let place = try Self.place(of: url)
            let count = try await Self.listed(in: folder).count
            func discard(_ options: [String]) async throws -> Program.Run {
                try await Self.run(in: folder, ["notices", "discard"] + options)
            }
            let unasked = try await discard(["--all"])
            #expect(unasked.status == 64 && unasked.errors.contains("Add --yes."), "\(unasked.errors)")
            let none = "No waiting notice fits; \(count) others wait. List them with: tripshare notices\n"
            // Another service of the same host is another receiver.
            for options in [
                ["--trip", "other"], ["--receiver", "ops.example"], ["--receiver", "127.0.0.1"],
                ["--receiver", "127.0.0.1:1"], ["--older", "1d"],
            ] {
                let run = try await discard(options + ["--yes"])
                #expect(run.status == 0 && run.output == none, "\(options): \(run.output)")
            }
            #expect(try await Self.listed(in: folder).count == count)
            let run = try await discard(["--trip", "trip-1", "--receiver", place, "--yes"])
            #expect(run.status == 0 && run.output == "\(count) notices were discarded.\n", "\(run.output)")
            #expect(try await Self.listed(in: folder).isEmpty)
        }
    }

    @Test(arguments: [
        (["discard"], "--receiver, --trip, --older or --all"),
        (["discard", "--all", "--trip", "t"], "--all discards all notices"),
        (["discard", "--older", "5"], "such as 30min or 2d"), (["discard", "--older", "x"], "such as 30min or 2d"),
        (["send"], "--on or --webhook"),
    ])
    func `says what is wrong with an option`(arguments: [String], words: String) async throws {
        let run = try await Program.runInProcess(["notices"] + arguments)
        #expect(run.status == 64 && run.errors.contains(words), "\(run.status): \(run.errors)")
    }
}
