import Foundation
import Testing
import TripScreen
import TripTestSupport

@testable import tripshare

/// What is in the place of the file of notices, and what is said about it.
@Suite("A file of notices that cannot be used", .ends(within: .longTest))
struct NoticeStoreFailureTests {
    /// What is in the place of the file.
    enum Place: CaseIterable {
        case folder, link, danglingLink, fileForFolder, otherVersion

        /// Words that must be in the message.
        var words: String {
            switch self {
            case .folder, .link, .danglingLink: "it is not a regular file of this user"
            case .fileForFolder: "file"
            case .otherVersion: "another version of tripshare has written it"
            }
        }

        /// Creates it below the home folder.
        func create(in home: URL) throws {
            let folder = home.appending(path: ".local/state/tripshare")
            let file = folder.appending(path: "notices.sqlite")
            let files = FileManager.default
            guard self != .fileForFolder else {
                try files.createDirectory(at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
                return try Data().write(to: folder)
            }
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
            switch self {
            case .folder: try files.createDirectory(at: file, withIntermediateDirectories: false)
            case .link:
                let target = home.appending(path: "target")
                try Data().write(to: target)
                try files.createSymbolicLink(at: file, withDestinationURL: target)
            case .danglingLink:
                try files.createSymbolicLink(at: file, withDestinationURL: home.appending(path: "target"))
            case .otherVersion: try SQLiteDatabase(path: file.path, .shared).execute("PRAGMA user_version = 7")
            case .fileForFolder: break
            }
        }
    }

    @Test(arguments: Place.allCases, [["list"], ["discard", "--all", "--yes"], ["send", "--on", "end=true"]])
    func `no command says that no notices wait if it cannot look`(place: Place, command: [String]) async throws {
        try await Program.withFolder { home in
            try place.create(in: home)
            let run = try await Program.run(
                in: home,
                ["notices"] + command,
                environment: ["HOME": home.path, "LANG": "C.UTF-8"]
            )
            #expect(run.status == 74 && run.output.isEmpty, "\(run.status): \(run.output)")
            #expect(run.errors.contains(place.words), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: home.appending(path: "target").path) || place == .link)
        }
    }

    @Test(arguments: Place.allCases)
    func `a session sends from memory, and says so once`(place: Place) async throws {
        let answer: @Sendable (String) -> String = { _ in
            "HTTP/1.1 204 No Content\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        }
        try await CannedServer.run(.answer(answer)) { server in
            try await Program.withFolder { home in
                try place.create(in: home)
                let run = try await Program.run(
                    in: home,
                    ["demo", "--seed", "1", "--speed", "120", "--output", "plain", "--lang", "en", "--webhook"]
                        + ["http://127.0.0.1:\(server.port)/", "--webhook-events", "status", "--notice-wait", "60"],
                    environment: ["HOME": home.path]
                )
                #expect(run.status == 0)
                let lines = run.errors.split(separator: "\n")
                #expect(lines.count == 2 && lines[0].contains("are sent from memory: "), "\(run.errors)")
                #expect(lines[0].contains(place.words) && !lines[1].contains("wait"), "\(run.errors)")
            }
        }
    }

    @Test func `a full disk is not called a full store`() async throws {
        try await Program.withFolder { folder in
            let full = try SQLiteDatabase(path: folder.appending(path: "full").path, .shared)
            try full.execute("CREATE TABLE t (b BLOB)")
            // SQLite has one result code for both.
            try full.rows("PRAGMA max_page_count = 2")
            do throws(SQLiteDatabase.Problem) {
                try full.rows("INSERT INTO t VALUES (zeroblob(100000))")
                Issue.record("it is not full")
            } catch {
                #expect(error.isFull)
                #expect(NoticeStoreError(error, isAtLimit: true) == .full)
                #expect(NoticeStoreError(error, isAtLimit: false) == .disk("No space left on device"))
            }
            let new = try NoticeDatabase(
                path: folder.appending(path: "new").path,
                thoroughly: false,
                mostBytes: 1 << 20
            )
            #expect(!new.isAtLimit)
        }
    }

    /// The number before some words in a sentence; 0 without them.
    private static func number(before words: String, in text: String) -> Int {
        let parts = text.components(separatedBy: words)
        return parts.count > 1 ? parts[0].split(separator: " ").last.flatMap { Int($0) } ?? 0 : 0
    }

    /// The unit of the limit is 512 or 1,024 bytes: with one of these numbers, the file has room for some notices.
    @Test(arguments: [64, 100, 130, 160, 200, 260])
    func `a file that cannot grow has as many notices as is said`(blocks: Int) async throws {
        try await Program.withFolder { home in
            let hooks = (1...3).flatMap { ["--webhook", "http://127.0.0.1:1/\($0)"] }
            let ride = [
                "demo", "--seed", "1", "--speed", "120", "--output", "plain", "--lang", "en", "--notice-wait", "0",
            ]
            // The limit holds for all files that the program writes.
            let command = "ulimit -f \(blocks) && exec \"$0\" \"$@\" >/dev/null"
            let run = try await Program.run(
                executable: "/bin/sh",
                ["-c", command, Program.path] + ride + hooks,
                environment: ["HOME": home.path]
            )
            #expect(run.status == 0, "\(run.errors)")
            let line = try #require(run.errors.split(separator: "\n").last.map(String.init))
            let (total, lost) = (
                Self.number(before: " notices delivered", in: line),
                Self.number(before: " neither delivered nor stored", in: line)
            )
            let stored = Self.number(before: " wait in ", in: line) + Self.number(before: " waits in ", in: line)
            #expect(total > 0 && stored + lost == total, "\(line)")
            let list = try await Program.run(["notices", "list", "--output", "json"], environment: ["HOME": home.path])
            #expect(list.status == 0 && list.lines.count == stored, "\(line) \(list.output) \(list.errors)")
        }
    }
}
