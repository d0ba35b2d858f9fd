import Foundation
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import tripshare

/// Each notice is delivered, reported, or stored for the next session.
@Suite("The sender of notices", .ends(within: .longTest))
struct NoticeSenderTests {
    /// What receivers got, and what they answer.
    private final class Deliveries: Sendable {
        struct Delivery: Sendable {
            var name: String
            var input: String
            var variables: [String: String]
        }

        let all = Mutex<[Delivery]>([])

        /// Delivers with the answers of a closure, on a clock of its own or on none.
        func delivery(
            clock: ManualClock = ManualClock(),
            _ answer: @escaping @Sendable (_ name: String, _ count: Int) async -> DeliveryResult
        ) -> NoticeSender.Delivery {
            NoticeSender.Delivery(
                run: { [self] words, input, variables, _ in
                    let name = words.first ?? ""
                    let count = all.withLock { all in
                        all.append(
                            Delivery(name: name, input: String(decoding: input, as: UTF8.self), variables: variables)
                        )
                        return all.count { $0.name == name }
                    }
                    return await answer(name, count)
                },
                post: { _, _, _, _ in .refused("not used") },
                sleep: { try await clock.sleep(until: clock.now().steady + $0) },
                now: { clock.now().wall }
            )
        }
    }

    private func receiver(_ name: String, _ events: String = "end") throws -> NoticeReceiver {
        let triggers = try events.split(separator: ",").map { try NoticeTrigger(parsing: String($0)) }
        return NoticeReceiver(triggers: triggers, action: .command([name]))
    }

    private func sender(
        _ receivers: [NoticeReceiver],
        _ store: any NoticeStore,
        _ delivery: NoticeSender.Delivery
    ) -> NoticeSender {
        NoticeSender(
            receivers,
            provider: "p",
            host: "h",
            store: store,
            seed: 1,
            delivery: delivery,
            reported: {}
        )
    }

    /// Lets trips end.
    private func end(_ trips: [String], _ sender: NoticeSender) throws {
        let now = Moment(wall: Date(timeIntervalSince1970: 0), steady: .zero)
        let group = ObserverGroup([sender])
        for name in trips { group.receive(SessionItem(.feed(.ended(try .trip(TripID(name)), .left)), at: now)) }
    }

    /// Waits until it is cancelled.
    private static func wait() async { for await _ in AsyncStream<Void>.makeStream().stream {} }

    @Test(arguments: [nil, Duration.zero])
    func `reports each notice that is only in memory and could not be delivered in time`(limit: Duration?) async throws
    {
        let delivery = Deliveries().delivery { _, _ in
            await Self.wait()
            return .failed("cancelled")
        }
        let sender = sender([try receiver("slow")], MemoryNoticeStore(), delivery)
        try end(["t-1", "t-2", "t-3"], sender)
        await sender.finish(limit: limit)
        let sentences = sender.dequeueFailures()
        #expect(sentences.count == 3 && sentences.allSatisfy { $0.contains("slow") && $0.contains("end") })
        #expect(sender.summary == NoticeSummary(waiting: 3, unstored: 3))
    }

    @Test func `reports nothing if all was delivered`() async throws {
        let store = MemoryNoticeStore(isPersistent: true)
        let sender = sender([try receiver("fast")], store, Deliveries().delivery { _, _ in .delivered })
        try end(["t-1", "t-2", "t-3"], sender)
        await sender.finish(limit: .seconds(10))
        #expect(sender.dequeueFailures().isEmpty && sender.backlog.isEmpty)
        #expect(sender.summary == NoticeSummary(delivered: 3, path: "memory"))
        #expect(try store.waiting().isEmpty)
    }

    @Test func `leaves in the store what is under way or waits, and the next session sends it first`() async throws {
        let contents = MemoryNoticeStore.Contents()
        let first = MemoryNoticeStore(session: "1", contents: contents, isPersistent: true)
        let slow = Deliveries().delivery { _, _ in
            await Self.wait()
            return .failed("cancelled")
        }
        let old = sender([try receiver("hook")], first, slow)
        try end(["t-1", "t-2"], old)
        await old.finish(limit: nil)
        #expect(old.dequeueFailures().isEmpty && old.summary == NoticeSummary(waiting: 2, path: "memory"))
        first.end()

        let deliveries = Deliveries()
        let second = MemoryNoticeStore(session: "2", contents: contents, isPersistent: true)
        let new = sender([try receiver("hook")], second, deliveries.delivery { _, _ in .delivered })
        #expect(new.adopted == 2)
        try end(["t-3"], new)
        await new.finish(limit: .seconds(10))
        #expect(new.summary == NoticeSummary(delivered: 3, path: "memory"))
        #expect(try second.waiting().isEmpty)
    }

    @Test(arguments: [false, true])
    func `what an earlier session has left waits until it is due, unless it is tried at once`(atOnce: Bool) async throws
    {
        let contents = MemoryNoticeStore.Contents()
        let first = MemoryNoticeStore(session: "1", contents: contents, isPersistent: true)
        let hook = try receiver("hook")
        let clock = ManualClock()
        let notice = StoredNotice(
            id: NoticeID(text: "a"),
            session: "1",
            sequence: 1,
            journey: "t",
            event: "end",
            body: [],
            created: clock.now().wall,
            attempts: 7,
            due: clock.now().wall + 240
        )
        try first.add(notice, for: [hook.key])
        first.end()
        let sender = NoticeSender(
            [hook],
            provider: "",
            host: "",
            store: MemoryNoticeStore(session: "2", contents: contents, isPersistent: true),
            atOnce: atOnce,
            seed: 1,
            delivery: Deliveries().delivery(clock: clock) { _, _ in .delivered },
            reported: {}
        )
        await sender.finish(limit: .seconds(10))
        #expect(sender.summary.delivered == (atOnce ? 1 : 0) && sender.summary.waiting == (atOnce ? 0 : 1))
    }

    @Test func `reports what an earlier session has concluded, and does not send it`() async throws {
        let contents = MemoryNoticeStore.Contents()
        let first = MemoryNoticeStore(session: "1", contents: contents, isPersistent: true)
        let hook = try receiver("hook")
        let notice = StoredNotice(
            id: NoticeID(text: "a"),
            session: "1",
            sequence: 1,
            journey: "t",
            event: "end",
            body: [],
            created: .distantPast,
            due: .distantPast,
            conclusion: "hook refused it"
        )
        try first.add(notice, for: [hook.key])
        first.end()
        let second = MemoryNoticeStore(session: "2", contents: contents, isPersistent: true)
        let deliveries = Deliveries()
        let sender = sender([hook], second, deliveries.delivery { _, _ in .delivered })
        await sender.finish(limit: .seconds(10))
        #expect(sender.dequeueFailures() == ["hook refused it"] && sender.adopted == 0)
        #expect(try second.waiting().count == 1, "the sentence may not be written yet")
        sender.confirmFailures()
        #expect(try second.waiting().isEmpty && deliveries.all.withLock { $0.isEmpty })
    }

    @Test func `a receiver that hangs holds up no other`() async throws {
        let deliveries = Deliveries()
        let delivery = deliveries.delivery { name, _ in
            if name == "slow" { await Self.wait() }
            return .delivered
        }
        let sender = sender(
            [try receiver("slow"), try receiver("fast")],
            MemoryNoticeStore(isPersistent: true),
            delivery
        )
        let trips = (1...20).map { "t-\($0)" }
        try end(trips, sender)
        while sender.backlog.contains(where: { $0.name == "fast" }) { await Task.yield() }
        #expect(sender.backlog.map(\.waiting) == [20])
        await sender.finish(limit: nil)
        #expect(deliveries.all.withLock { $0.count { $0.name == "fast" } } == 20)
    }

    @Test func `repeats with a growing delay, says so once, and reports a refusal`() async throws {
        let clock = ManualClock()
        let deliveries = Deliveries()
        let delivery = deliveries.delivery(clock: clock) { _, count in
            count <= 3 ? .failed("HTTP 503") : count == 4 ? .delivered : .refused("HTTP 400")
        }
        let store = MemoryNoticeStore(isPersistent: true)
        let sender = sender([try receiver("hook")], store, delivery)
        try end(["t-1"], sender)
        for (count, delay) in [(1, 1.0...1.252), (2, 2.0...2.502), (3, 4.0...5.002)] {
            await clock.sleepers(atLeast: 1)
            #expect(deliveries.all.withLock { $0.count } == count)
            let left = try #require(clock.earliest) - clock.now().steady
            #expect(delay.contains(left.seconds), "\(left)")
            clock.advance(by: left)
        }
        while sender.summary.delivered == 0 { await Task.yield() }
        try end(["t-2"], sender)
        while sender.summary.refused == 0 { await Task.yield() }
        #expect(sender.dequeueFailures().count == 2, "the first failure, and the refusal")
        #expect(sender.summary == NoticeSummary(delivered: 1, repeated: 3, refused: 1, path: "memory"))
        await sender.finish(limit: nil)
    }

    @Test func `the end does not wait for a repetition that comes after it, and leaving ends it`() async throws {
        let delivery = Deliveries().delivery { _, _ in .failed("HTTP 503", retryAfter: .seconds(60)) }
        let sender = sender([try receiver("hook")], MemoryNoticeStore(isPersistent: true), delivery)
        try end(["t-1"], sender)
        await sender.finish(limit: .seconds(10))
        #expect(sender.summary.waiting == 1)

        let slow = Deliveries().delivery { _, _ in
            await Self.wait()
            return .failed("cancelled")
        }
        let other = self.sender([try receiver("hook")], MemoryNoticeStore(isPersistent: true), slow)
        try end(["t-1"], other)
        async let finished: Void = other.finish(limit: .seconds(10))
        other.leave()
        await finished
        #expect(other.summary.waiting == 1)
    }

    @Test func `sends from memory what cannot be stored, says so once, and counts it`() async throws {
        let store = MemoryNoticeStore(mostNotices: 0, isPersistent: true)
        let sender = sender([try receiver("hook")], store, Deliveries().delivery { _, _ in .delivered })
        try end(["t-1", "t-2"], sender)
        await sender.finish(limit: .seconds(10))
        #expect(sender.dequeueFailures().count == 1)
        #expect(sender.summary == NoticeSummary(delivered: 2, unstored: 2, path: "memory"))
    }

    @Test func `what could be neither stored nor delivered is reported and counted as lost`() async throws {
        let store = MemoryNoticeStore(mostNotices: 1, isPersistent: true)
        let slow = Deliveries().delivery { _, _ in
            await Self.wait()
            return .failed("cancelled")
        }
        let sender = sender([try receiver("hook")], store, slow)
        try end(["t-1", "t-2", "t-3"], sender)
        await sender.finish(limit: nil)
        #expect(sender.summary == NoticeSummary(waiting: 3, waitingUnstored: 2, unstored: 2, path: "memory"))
        #expect(sender.dequeueFailures().count == 3, "the store is full, and two notices")
        #expect(try store.waiting().count == 1)
    }

    @Test func `stores what there was no room for as soon as there is room, at the latest at the end`() async throws {
        let store = MemoryNoticeStore(mostNotices: 2, isPersistent: true)
        let slow = Deliveries().delivery { _, _ in
            await Self.wait()
            return .failed("cancelled")
        }
        let sender = sender([try receiver("hook")], store, slow)
        func stored() throws -> [String] { try store.waiting().map(\.notice.journey) }
        try end(["t-1", "t-2", "t-3"], sender)
        #expect(try stored() == ["t-1", "t-2"] && sender.summary.lost == 1)
        #expect(try store.discard { $0.notice.journey == "t-1" } == 1)
        try end(["t-4"], sender)
        #expect(try stored() == ["t-2", "t-3"] && sender.summary.lost == 1, "t-3 comes before t-4")
        #expect(try store.discard { $0.notice.journey == "t-2" } == 1)
        await sender.finish(limit: nil)
        #expect(try stored() == ["t-3", "t-4"])
        #expect(sender.summary == NoticeSummary(waiting: 4, path: "memory"))
        #expect(sender.dequeueFailures().count == 1, "only that the store was full")
    }

    /// A store that takes notices and cannot be changed afterwards, as on a disk that is full.
    private final class StiffStore: NoticeStore {
        let path = "stiff"
        let isPersistent = true
        let session = "1"
        private let memory = MemoryNoticeStore()

        func register(_ receiver: String, shownName: String) throws(NoticeStoreError) {}
        func add(_ notice: StoredNotice, for receivers: [String]) throws(NoticeStoreError) {
            try memory.add(notice, for: receivers)
        }
        func adopt(for receivers: [String]) throws(NoticeStoreError) -> [String: [StoredNotice]] { [:] }
        func finish(_ id: NoticeID, for receiver: String) throws(NoticeStoreError) { throw .disk("no space") }
        func postpone(_ id: NoticeID, for receiver: String, attempts: Int, due: Date) throws(NoticeStoreError) {
            throw .disk("no space")
        }
        func conclude(_ id: NoticeID, for receiver: String, reason: String) throws(NoticeStoreError) {
            throw .disk("no space")
        }
        func waiting() throws(NoticeStoreError) -> [WaitingNotice] { try memory.waiting() }
        func discard(_ filter: (WaitingNotice) -> Bool) throws(NoticeStoreError) -> Int { throw .disk("no space") }
    }

    @Test func `says once that what was delivered cannot be removed from the store`() async throws {
        let sender = sender([try receiver("hook")], StiffStore(), Deliveries().delivery { _, _ in .delivered })
        try end(["t-1", "t-2", "t-3"], sender)
        await sender.finish(limit: .seconds(10))
        let sentences = sender.dequeueFailures()
        #expect(sentences.count == 1 && sentences.allSatisfy { $0.contains("no space") }, "\(sentences)")
        #expect(sender.summary == NoticeSummary(delivered: 3, path: "stiff"))
    }

    /// A store whose lock another process holds from the first delivery until the session is over.
    private final class BusyStore: NoticeStore {
        let path = "busy"
        let isPersistent = true
        let session = "1"
        let isLocked = Mutex(false)
        private let memory = MemoryNoticeStore()

        private func requireLock() throws(NoticeStoreError) {
            if isLocked.withLock(\.self) { throw .locked("database is locked") }
        }

        func register(_ receiver: String, shownName: String) throws(NoticeStoreError) {}
        func add(_ notice: StoredNotice, for receivers: [String]) throws(NoticeStoreError) {
            try requireLock()
            try memory.add(notice, for: receivers)
        }
        func adopt(for receivers: [String]) throws(NoticeStoreError) -> [String: [StoredNotice]] { [:] }
        func finish(_ id: NoticeID, for receiver: String) throws(NoticeStoreError) {
            try requireLock()
            try memory.finish(id, for: receiver)
        }
        func postpone(_ id: NoticeID, for receiver: String, attempts: Int, due: Date) throws(NoticeStoreError) {
            try requireLock()
            try memory.postpone(id, for: receiver, attempts: attempts, due: due)
        }
        func conclude(_ id: NoticeID, for receiver: String, reason: String) throws(NoticeStoreError) {
            try requireLock()
            try memory.conclude(id, for: receiver, reason: reason)
        }
        func waiting() throws(NoticeStoreError) -> [WaitingNotice] { try memory.waiting() }
        func discard(_ filter: (WaitingNotice) -> Bool) throws(NoticeStoreError) -> Int { 0 }
        func waitBriefly(_ isBrief: Bool) { if !isBrief { isLocked.withLock { $0 = false } } }
    }

    @Test func `what was delivered while another process locked the store is removed from it afterwards`() async throws
    {
        let store = BusyStore()
        let delivery = Deliveries().delivery { _, _ in
            store.isLocked.withLock { $0 = true }
            return .delivered
        }
        let sender = sender([try receiver("hook")], store, delivery)
        try end(["t-1", "t-2"], sender)
        await sender.finish(limit: .seconds(10))
        #expect(try store.waiting().isEmpty)
        #expect(sender.dequeueFailures().isEmpty)
        #expect(sender.summary.delivered == 2 && sender.summary.waiting == 0)
    }

    @Test(arguments: [false, true])
    func `notices that the file has no longer do not wait in it, unless there can be a new one`(
        isReplaceable: Bool
    ) async throws {
        try await Program.withFolder { folder in
            let parent = folder.appending(path: "state")
            let path = parent.appending(path: "notices.sqlite").path
            let store = try SQLiteNoticeStore(path: path, now: { .distantPast })
            let slow = Deliveries().delivery { _, _ in
                await Self.wait()
                return .failed("cancelled")
            }
            let sender = sender([try receiver("hook")], store, slow)
            try end(["t-1", "t-2"], sender)
            try FileManager.default.removeItem(at: parent)
            if !isReplaceable { try Data().write(to: parent) }
            await sender.finish(limit: nil)
            #expect(sender.summary.waiting == 2 && sender.summary.lost == (isReplaceable ? 0 : 2))
            #expect(sender.dequeueFailures().count == (isReplaceable ? 1 : 3))
            if isReplaceable { #expect(Set(try store.waiting().map(\.notice.journey)) == ["t-1", "t-2"]) }
        }
    }

    @Test func `a second run has the same IDs, and commands get ID and number`() async throws {
        var runs: [[Deliveries.Delivery]] = []
        for _ in 0..<2 {
            let deliveries = Deliveries()
            let store = MemoryNoticeStore(session: .randomSession(), isPersistent: true)
            let sender = sender([try receiver("hook")], store, deliveries.delivery { _, _ in .delivered })
            try end(["t-1", "t-2", "t-3"], sender)
            await sender.finish(limit: .seconds(10))
            let all = deliveries.all.withLock { $0 }
            runs.append(
                all.sorted { ($0.variables["TRIPSHARE_SEQUENCE"] ?? "") < ($1.variables["TRIPSHARE_SEQUENCE"] ?? "") }
            )
        }
        let ids = runs.map { $0.map { $0.variables["TRIPSHARE_EVENT_ID"] ?? "" } }
        #expect(ids[0] == ids[1] && Set(ids[0]).count == 3 && ids[0].allSatisfy { $0.count == 32 })
        #expect(runs[0].map { $0.variables["TRIPSHARE_SEQUENCE"] } == ["1", "2", "3"])
        for (number, delivery) in runs[0].enumerated() {
            #expect(delivery.input.contains(#""id":"\#(ids[0][number])""#), "\(delivery.input)")
            #expect(delivery.input.contains(#""sequence":\#(number + 1)"#), "\(delivery.input)")
        }
    }

    @Test func `equal events at the same time have different IDs, which are the same in a second run`() throws {
        var numbering = NoticeNumbering(provider: "p")
        let start = Moment(wall: Date(timeIntervalSince1970: 0), steady: .zero)
        var table = JourneyTable()
        let changes = table.apply(SessionItem(.feed(.ended(try .trip(TripID("t-1")), .left)), at: start))
        let end = try #require(NoticeDetector().notices(of: changes, table).first)
        func notice(_ content: Notice.Content, at milliseconds: Int) -> Notice {
            var notice = end
            notice.content = content
            notice.time = start.advanced(by: .milliseconds(milliseconds))
            return notice
        }
        let notices = [notice(.fresh, at: 1), notice(.fresh, at: 1), notice(.recovered, at: 1), notice(.fresh, at: 2)]
        let ids = notices.map { numbering.id(of: $0) }
        #expect(Set(ids).count == 4)
        var again = NoticeNumbering(provider: "p")
        #expect(notices.map { again.id(of: $0) } == ids)
        var other = NoticeNumbering(provider: "q")
        #expect(other.id(of: notices[0]) != ids[0])
    }

    @Test func `stores no token, also if the trip has one as its ID`() async throws {
        let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ0cmlwIn0.c2lnbmF0dXJlLW9mLXRo"
        let store = MemoryNoticeStore(isPersistent: true)
        let slow = Deliveries().delivery { _, _ in
            await Self.wait()
            return .failed("cancelled")
        }
        let sender = sender([try receiver("hook")], store, slow)
        try end([token], sender)
        await sender.finish(limit: nil)
        let waiting = try store.waiting()
        #expect(waiting.count == 1)
        for row in waiting {
            let texts = [row.notice.journey, String(decoding: row.notice.body, as: UTF8.self), row.receiverName]
            for text in texts { #expect(!text.contains("eyJ") && text.withoutTokens == text, "\(text)") }
        }
    }
}
