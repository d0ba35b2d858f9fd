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
}
