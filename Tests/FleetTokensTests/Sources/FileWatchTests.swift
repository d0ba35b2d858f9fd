import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@testable import tripshare

@Suite("Watched token file", .ends(within: .quickTest))
struct FileWatchTests {
    /// Creates a folder for a token file, runs the body, and removes the folder.
    private func withFile(_ body: (URL, URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // a leftover folder does no harm
        try await body(folder, folder.appending(path: "token"))
    }

    /// The ways in which another process replaces the token.
    enum Way: CaseIterable, Sendable {
        case written
        case replacedByRename
        case behindAnotherLink
        case created
        case deleted
    }

    @Test(arguments: Way.allCases)
    func `reports each way to change a file`(way: Way) async throws {
        try await withFile { folder, file in
            let manager = FileManager.default
            switch way {
            case .created: break
            case .behindAnotherLink:
                // As Kubernetes does it: token -> ..data/token, ..data -> ..1, and ..data is replaced by a rename.
                for version in ["..1", "..2"] {
                    let place = folder.appending(path: version)
                    try manager.createDirectory(at: place, withIntermediateDirectories: true)
                    try Data(version.utf8).write(to: place.appending(path: "token"))
                }
                let data = folder.appending(path: "..data").path
                try manager.createSymbolicLink(atPath: data, withDestinationPath: "..1")
                try manager.createSymbolicLink(atPath: file.path, withDestinationPath: "..data/token")
            case .written, .replacedByRename, .deleted: try Data("old".utf8).write(to: file)
            }
            let changes = try #require(FileWatch.changes(of: file.path))
            // A change to another file is not reported: it comes first, and the one element belongs to the change below.
            try Data("x".utf8).write(to: folder.appending(path: "other"))
            switch way {
            case .written, .created: try Data("newer".utf8).write(to: file)
            case .replacedByRename: try Data("newer".utf8).write(to: file, options: .atomic)
            case .deleted: try manager.removeItem(at: file)
            case .behindAnotherLink:
                let link = folder.appending(path: "..tmp").path
                try manager.createSymbolicLink(atPath: link, withDestinationPath: "..2")
                let isRenamed = unsafe rename(link, folder.appending(path: "..data").path) == 0
                #expect(isRenamed)
            }
            var iterator = changes.makeAsyncIterator()
            #expect(await iterator.next() != nil)
        }
    }

    @Test func `watches a file whose folders are created late, removed and created again`() async throws {
        try await withFile { folder, _ in
            let place = folder.appending(path: "a/b")
            let file = place.appending(path: "token")
            let changes = try #require(FileWatch.changes(of: file.path))
            var iterator = changes.makeAsyncIterator()
            for round in 1...20 {
                for content in ["round \(round)", "round \(round), again", nil] {
                    if let content {
                        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
                        try Data(content.utf8).write(to: file, options: .atomic)
                    } else {
                        try FileManager.default.removeItem(at: folder.appending(path: "a"))
                    }
                    // A change may be reported twice, so that the content now decides which change was reported.
                    var isMentioned = false
                    while !isMentioned, await iterator.next() != nil {
                        isMentioned = FileManager.default.contents(atPath: file.path) == content.map { Data($0.utf8) }
                    }
                    try #require(isMentioned)
                }
            }
        }
    }

    @Test(arguments: [
        "/no-such-folder/../../tmp/token", "no-such-folder/../token", "/no/such/folder/token", "/token", "token",
    ])
    func `watches a path with missing folders`(path: String) { #expect(FileWatch.changes(of: path) != nil) }

    @Test func `resolves .. behind a symbolic link as the system does`() async throws {
        try await withFile { folder, _ in
            let manager = FileManager.default
            let deep = folder.appending(path: "real/v2")
            try manager.createDirectory(at: deep, withIntermediateDirectories: true)
            let link = folder.appending(path: "current")
            try manager.createSymbolicLink(atPath: link.path, withDestinationPath: deep.path)
            let changes = try #require(FileWatch.changes(of: link.path + "/../token"))
            try Data("x".utf8).write(to: folder.appending(path: "real/token"))
            var iterator = changes.makeAsyncIterator()
            #expect(await iterator.next() != nil)
        }
    }

    @Test func `gives the provider the new token without a call`() async throws {
        try await withFile { _, file in
            let clock = ManualClock()
            let trip = AuthorizationContext.trip(try TripID("trip-A"))
            func write(_ serial: Int) throws {
                let token = FakeToken(trip, issuedAt: clock.now().wall, serial: serial).text
                try Data(token.utf8).write(to: file, options: .atomic)
            }
            try write(1)
            let provider = TokenProvider(source: FileTokenSource(path: file.path), clock: clock, seed: 1)
            let events = provider.events()
            let first = try await provider.token(for: trip)
            #expect(provider.cached(for: trip) != nil)
            clock.advance(by: .seconds(60))
            try write(2)
            _ = await TokenScene.collect(events) { $0 == .stored(generation: 2) }
            #expect(provider.cached(for: trip)?.fingerprint != first.fingerprint)
            await provider.close()
        }
    }

    @Test func `ends the backoff of a provider when the file appears`() async throws {
        try await withFile { _, file in
            let clock = ManualClock()
            let trip = AuthorizationContext.trip(try TripID("trip-A"))
            let provider = TokenProvider(source: FileTokenSource(path: file.path), clock: clock, seed: 1)
            let events = provider.events()
            await #expect(throws: TokenError.self) { try await provider.token(for: trip) }
            clock.advance(by: .seconds(1))
            // Written atomically: a partial file would be read, rejected, and retried only when the clock advances.
            try Data(FakeToken(trip, issuedAt: clock.now().wall).text.utf8).write(to: file, options: .atomic)
            _ = await TokenScene.collect(events) { $0 == .stored(generation: 1) }
            #expect(provider.cached(for: trip) != nil)
            await provider.close()
        }
    }
}
