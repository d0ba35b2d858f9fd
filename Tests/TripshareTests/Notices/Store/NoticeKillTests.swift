import Foundation
import Runtime
import Testing
import TripScreen
import TripTestSupport

@testable import tripshare

/// The built program is killed at moments that a seed chooses, while it stores and delivers notices.
@Suite("Notices of a program that is killed", .serialized, .ends(within: .longTest))
struct NoticeKillTests {
    /// The line of a trip in the output.
    private struct TripLine: Decodable {
        var type: String
        var status: String?
    }

    private static let rounds = 8

    /// The statuses that an output has after the first one, which is no change.
    private static func changes(in output: String) -> Set<String> {
        let statuses = output.split(separator: "\n").compactMap { line -> String? in
            // The last line may be cut off.
            let line = try? JSONDecoder().decode(TripLine.self, from: Data(line.utf8))
            return line?.type == "trip" ? line?.status : nil
        }
        return Set(statuses).subtracting(statuses.prefix(1))
    }

    /// The addresses of a round, as options.
    private static func hooks(_ port: Int, _ round: Int) -> [String] {
        (1...4).flatMap { ["--webhook", "http://127.0.0.1:\(port)/\(round)/\($0)"] }
    }

    /// Opens the database after a process was killed; returns how many deliveries wait.
    private static func check(_ home: URL) throws -> Int {
        let file = home.appending(path: ".local/state/tripshare/notices.sqlite")
        guard FileManager.default.fileExists(atPath: file.path) else { return 0 }
        let database = try SQLiteDatabase(path: file.path, .shared)
        func number(_ query: String) throws -> Int? { try database.rows(query).first?.first?.integer }
        #expect(try database.rows("PRAGMA integrity_check") == [[.text("ok")]])
        // The process may have been killed before it created the tables.
        guard try number("PRAGMA user_version") == 1 else { return 0 }
        #expect(try number("SELECT count(*) FROM notices") == number("SELECT notices FROM size"))
        #expect(
            try number("SELECT count(*) FROM notices WHERE number NOT IN (SELECT notice FROM deliveries)") == 0,
            "a notice without a receiver"
        )
        return try number("SELECT count(*) FROM deliveries WHERE conclusion IS NULL") ?? 0
    }

    /// Starts the program and kills it some steps after the server has got a number of requests.
    private static func kill(
        after requests: Int,
        of server: FlappingServer,
        _ arguments: [String],
        in home: URL,
        _ random: inout SeededGenerator
    ) async throws -> Program.Run {
        let reached = server.requests(requests)
        let program = try Program.start(arguments, in: home)
        for await _ in reached {}
        for _ in 0..<Int.random(in: 0...4000, using: &random) { await Task.yield() }
        program.send(SIGKILL)
        return try await program.result()
    }

    @Test(arguments: [1, 2])
    func `each change that an output had arrives, with one body for each ID, and the file is whole`(
        seed: UInt64
    )
        async throws
    {
        var random = SeededGenerator(seed: seed)
        let flapping = FlappingServer(seed: seed)
        try await CannedServer.run(.answer { flapping.answer($0) }) { server in
            try await Program.withFolder { home in
                var changes: [Set<String>] = []
                for round in 0..<Self.rounds {
                    let hooks = Self.hooks(server.port, round)
                    let ride = ["demo", "--seed", "\(round)", "--speed", "120", "--output", "json"] + hooks
                    let count = Int.random(in: 1...12, using: &random)
                    let run = try await Self.kill(after: count, of: flapping, ride, in: home, &random)
                    #expect(run.status == SIGKILL, "\(run.errors)")
                    changes.append(Self.changes(in: run.output))
                    guard try Self.check(home) > 0 else { continue }
                    let waiting = (0...round).flatMap { Self.hooks(server.port, $0) }
                    _ = try await Self.kill(after: 1, of: flapping, ["notices", "send"] + waiting, in: home, &random)
                    _ = try Self.check(home)
                }
                flapping.calm()
                let hooks = (0..<Self.rounds).flatMap { Self.hooks(server.port, $0) }
                let program = try Program.start(["notices", "send", "--notice-wait", "60"] + hooks, in: home)
                let last = try await program.result()
                #expect(last.status == 0 && last.errors.isEmpty, "\(last.status): \(last.errors)")
                #expect(try Self.check(home) == 0)
                #expect(flapping.bodies.allSatisfy { $0.value.count == 1 }, "an ID with several bodies")
                for (round, changes) in changes.enumerated() {
                    for hook in 1...4 {
                        let missing = changes.subtracting(flapping.statuses(at: "/\(round)/\(hook)"))
                        #expect(missing.isEmpty, "/\(round)/\(hook) did not get \(missing)")
                    }
                }
                #expect(changes.contains { !$0.isEmpty }, "no process was killed after a change")
            }
        }
    }
}
