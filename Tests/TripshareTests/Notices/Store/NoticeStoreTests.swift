import Foundation
import Runtime
import Synchronization
import Testing
import TripScreen
import TripTestSupport

@testable import tripshare

/// The file in which notices wait.
@Suite("The store of notices", .ends(within: .longTest))
struct NoticeStoreTests {
    private static let start = Date(timeIntervalSince1970: 1_767_225_600.25)

    private static func notice(_ name: String, body: String = "{}\n", conclusion: String? = nil) -> StoredNotice {
        StoredNotice(
            id: NoticeID(text: name),
            session: "s",
            sequence: 7,
            journey: "trip-1",
            event: "arrival",
            body: Array(body.utf8),
            created: start,
            due: start + 1,
            conclusion: conclusion
        )
    }

    private static func open(
        _ folder: URL,
        mostNotices: Int = 100,
        mostBytes: Int = 64 << 20
    ) throws -> SQLiteNoticeStore {
        try SQLiteNoticeStore(
            path: path(folder),
            mostNotices: mostNotices,
            mostBytes: mostBytes,
            now: { start }
        )
    }

    private static func path(_ folder: URL) -> String {
        folder.appending(path: "state/tripshare/notices.sqlite").path()
    }

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `stores a notice for each receiver until it is finished for it`() async throws {
        try await Program.withFolder { folder in
            let store = try Self.open(folder)
            try store.register("r1", shownName: "hook.example")
            try store.add(Self.notice("a"), for: ["r1", "r2"])
            try store.add(Self.notice("a"), for: ["r1"])
            let all = try store.waiting()
            #expect(all.map(\.receiver) == ["r1", "r2"] && all.map(\.receiverName) == ["hook.example", "r2"])
            #expect(all.allSatisfy { $0.notice == Self.notice("a") })
            try store.postpone(NoticeID(text: "a"), for: "r1", attempts: 3, due: Self.start + 60)
            try store.finish(NoticeID(text: "a"), for: "r2")
            let left = try store.waiting()
            #expect(left.map(\.receiver) == ["r1"] && left.first?.notice.attempts == 3)
            #expect(left.first?.notice.due == Self.start + 60)
            try store.finish(NoticeID(text: "a"), for: "r1")
            #expect(try store.waiting().isEmpty)
        }
    }

    @Test func `is for the owner alone, with its companions`() async throws {
        try await Program.withFolder { folder in
            let store = try Self.open(folder)
            try store.add(Self.notice("a"), for: ["r"])
            let parent = folder.appending(path: "state/tripshare").path()
            #expect(try Self.mode(parent) == 0o700)
            let files = try FileManager.default.contentsOfDirectory(atPath: parent)
            #expect(files.count >= 4, "database, log, index and marks: \(files)")
            for file in files { #expect(try Self.mode("\(parent)/\(file)") == 0o600, "\(file)") }
            #expect(try store.waiting().count == 1)
        }
    }

    @Test func `takes over what a session that is gone has left, once, and only for the given receivers`() async throws
    {
        try await Program.withFolder { folder in
            var first: SQLiteNoticeStore? = try Self.open(folder)
            for name in ["a", "b"] { try first?.add(Self.notice(name), for: ["r1", "r2"]) }
            try first?.conclude(NoticeID(text: "b"), for: "r1", reason: "refused")
            let second = try Self.open(folder)
            #expect(try second.adopt(for: ["r1"]).isEmpty, "the first session lives")
            first = nil
            let third = try Self.open(folder)
            let adopted = try second.adopt(for: ["r1"])
            #expect(adopted == ["r1": [Self.notice("a"), Self.notice("b", conclusion: "refused")]])
            #expect(try third.adopt(for: ["r1"]).isEmpty)
            #expect(try third.adopt(for: ["r1", "r2"])["r2"]?.map(\.id.text) == ["a", "b"])
        }
    }

    @Test func `many sessions that begin at the same time take over each notice once`() async throws {
        try await Program.withFolder { folder in
            var first: SQLiteNoticeStore? = try Self.open(folder)
            for number in 0..<50 { try first?.add(Self.notice("n\(number)"), for: ["r\(number % 5)"]) }
            first = nil
            let receivers = (0..<5).map { "r\($0)" }
            typealias Adopted = (store: SQLiteNoticeStore, ids: [String])
            let all = try await withThrowingTaskGroup(of: Adopted.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        let store = try Self.open(folder)
                        return (store, try store.adopt(for: receivers).values.flatMap { $0.map(\.id.text) })
                    }
                }
                // The sessions live until all have looked.
                return try await group.reduce(into: [Adopted]()) { $0.append($1) }
            }
            let ids = all.flatMap(\.ids)
            #expect(ids.count == 50 && Set(ids).count == 50, "\(all.map(\.ids.count))")
        }
    }

    @Test func `is full with as many notices as it may have, and has room again`() async throws {
        try await Program.withFolder { folder in
            let store = try Self.open(folder, mostNotices: 3)
            for name in ["a", "b", "c"] { try store.add(Self.notice(name), for: ["r"]) }
            #expect(throws: NoticeStoreError.full) { try store.add(Self.notice("d"), for: ["r"]) }
            try store.finish(NoticeID(text: "a"), for: "r")
            try store.add(Self.notice("d"), for: ["r"])
            #expect(try store.waiting().map(\.notice.id.text) == ["b", "c", "d"])
        }
    }

    @Test func `is full with as many bytes as it may have, and has room again`() async throws {
        try await Program.withFolder { folder in
            let store = try Self.open(folder, mostNotices: 100_000, mostBytes: 9 << 20)
            let body = String(repeating: "x", count: 100_000) + "\n"
            var count = 0
            while count < 1000 {
                do throws(NoticeStoreError) {
                    try store.add(Self.notice("n\(count)", body: body), for: ["r"])
                } catch {
                    #expect(error == .full)
                    break
                }
                count += 1
            }
            #expect((5..<11).contains(count), "\(count)")
            let parent = folder.appending(path: "state/tripshare")
            let sizes = try FileManager.default.contentsOfDirectory(atPath: parent.path()).map { name in
                try FileManager.default.attributesOfItem(atPath: "\(parent.path())/\(name)")[.size] as? Int ?? 0
            }
            #expect(sizes.reduce(0, +) <= 9 << 20, "\(sizes)")
            for number in 0..<count { try store.finish(NoticeID(text: "n\(number)"), for: "r") }
            try store.add(Self.notice("new", body: body), for: ["r"])
            #expect(try store.waiting().map(\.notice.id.text) == ["new"])
        }
    }

    @Test(arguments: ["no database at all", "", String(repeating: "SQLite format 3\0", count: 1000)])
    func `a file that is no database is moved aside, and a new one is begun`(contents: String) async throws {
        try await Program.withFolder { folder in
            let path = Self.path(folder)
            let parent = folder.appending(path: "state/tripshare")
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try Data(contents.utf8).write(to: URL(filePath: path))
            let store = try Self.open(folder)
            try store.add(Self.notice("a"), for: ["r"])
            #expect(try store.waiting().count == 1)
            // An empty file is an empty database.
            guard !contents.isEmpty else {
                #expect(store.dequeueLosses().isEmpty)
                return
            }
            let aside = path + "-damaged-20260101T000000"
            #expect(store.dequeueLosses() == [.movedAside(aside)])
            #expect(try Data(contentsOf: URL(filePath: aside)) == Data(contents.utf8))
            #expect(try Self.mode(aside) == 0o600)
        }
    }

    @Test func `a database with damaged pages is moved aside, and a new one is begun`() async throws {
        try await Program.withFolder { folder in
            var first: SQLiteNoticeStore? = try Self.open(folder)
            for number in 0..<50 {
                let body = String(repeating: "x", count: 2000)
                try first?.add(Self.notice("n\(number)", body: body), for: ["r"])
            }
            first = nil
            let handle = try FileHandle(forUpdating: URL(filePath: Self.path(folder)))
            let size = try handle.seekToEnd()
            // All pages but the first one.
            try handle.seek(toOffset: 4096)
            handle.write(Data(repeating: 0xAA, count: Int(size) - 4096))
            try handle.close()
            let store = try Self.open(folder)
            #expect(store.dequeueLosses().count == 1)
            try store.add(Self.notice("new"), for: ["r"])
            #expect(try store.waiting().map(\.notice.id.text) == ["new"])
        }
    }

    @Test func `a file that is removed is replaced by a new one`() async throws {
        try await Program.withFolder { folder in
            let store = try Self.open(folder)
            try store.add(Self.notice("a"), for: ["r"])
            for suffix in ["", "-wal", "-shm"] {
                try FileManager.default.removeItem(atPath: Self.path(folder) + suffix)
            }
            try store.add(Self.notice("b"), for: ["r"])
            #expect(store.dequeueLosses() == [.gone])
            #expect(try store.waiting().map(\.notice.id.text) == ["b"])
        }
    }

    @Test func `a file that is removed and cannot be replaced is missing, which is said once, until it can`()
        async throws
    {
        try await Program.withFolder { folder in
            let store = try Self.open(folder)
            try store.add(Self.notice("a"), for: ["r"])
            let parent = folder.appending(path: "state/tripshare")
            try FileManager.default.removeItem(at: parent)
            // A file, where its folder was.
            try Data().write(to: parent)
            for name in ["b", "c"] {
                #expect(throws: NoticeStoreError.self) { try store.add(Self.notice(name), for: ["r"]) }
            }
            #expect(throws: NoticeStoreError.self) { try store.check() }
            #expect(store.dequeueLosses() == [.missing])
            try FileManager.default.removeItem(at: parent)
            try store.add(Self.notice("d"), for: ["r"])
            #expect(store.dequeueLosses().isEmpty)
            #expect(try store.waiting().map(\.notice.id.text) == ["d"])
        }
    }

    @Test func `a lock of another process is waited for once`() async throws {
        try await Program.withFolder { folder in
            let store = try Self.open(folder)
            store.waitBriefly(true)
            try store.add(Self.notice("a"), for: ["r"])
            let other = try SQLiteDatabase(path: Self.path(folder), .shared)
            try other.execute("BEGIN IMMEDIATE")
            let began = ContinuousClock.now
            // If each call waited, they would take 10 s.
            for number in 0..<200 {
                #expect {
                    try store.add(Self.notice("n\(number)"), for: ["r"])
                } throws: { error in
                    if case .locked? = error as? NoticeStoreError { true } else { false }
                }
            }
            #expect(began.duration(to: .now) < .seconds(5))
            #expect(try store.waiting().map(\.notice.id.text) == ["a"], "reading needs no lock")
            try other.execute("COMMIT")
            try store.add(Self.notice("b"), for: ["r"])
            #expect(try store.waiting().map(\.notice.id.text) == ["a", "b"])
        }
    }

    @Test func `tells what a session that is gone has left from what one delivers`() async throws {
        try await Program.withFolder { folder in
            var first: SQLiteNoticeStore? = try Self.open(folder)
            try first?.add(Self.notice("a"), for: ["r"])
            let second = try Self.open(folder)
            try second.add(Self.notice("b"), for: ["r"])
            #expect(try second.waiting().map(\.isLeft) == [false, false])
            first = nil
            #expect(try second.waiting().map(\.isLeft) == [true, false])
            _ = try second.adopt(for: ["r"])
            #expect(try second.waiting().map(\.isLeft) == [false, false])
        }
    }

    @Test func `discards what a filter selects`() async throws {
        try await Program.withFolder { folder in
            let store = try Self.open(folder)
            for name in ["a", "b", "c"] { try store.add(Self.notice(name), for: ["r1", "r2"]) }
            #expect(try store.discard { $0.receiver == "r1" && $0.notice.id.text != "b" } == 2)
            #expect(
                try store.waiting().map { "\($0.receiver) \($0.notice.id.text)" } == ["r2 a", "r1 b", "r2 b", "r2 c"]
            )
        }
    }

    @Test func `a folder that cannot be written is an error of the disk`() async throws {
        try await Program.withFolder { folder in
            try Data().write(to: folder.appending(path: "state"))
            #expect {
                try Self.open(folder)
            } throws: { error in
                if case .disk? = error as? NoticeStoreError { true } else { false }
            }
        }
    }
}
