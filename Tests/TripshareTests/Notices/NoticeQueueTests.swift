import Foundation
import Runtime
import Testing
import TripTestSupport

@testable import tripshare

/// When notices are sent and repeated.
@Suite("The queue of a receiver", .ends(within: .quickTest))
struct NoticeQueueTests {
    private let start = Date(timeIntervalSince1970: 1_767_225_600)

    private func queue(batch: Int = 1, lanes: Int = 4, limit: Duration = .seconds(3600)) -> NoticeQueue {
        NoticeQueue(limit: limit, batch: batch, lanes: lanes, seed: 1)
    }

    private func notice(_ name: String, of journey: String) -> StoredNotice {
        StoredNotice(
            id: NoticeID(text: name),
            session: "s",
            sequence: 1,
            journey: journey,
            event: "status",
            body: [],
            created: start,
            due: start
        )
    }

    private func names(_ notices: [StoredNotice]?) -> [String]? { notices?.map(\.id.text) }

    @Test func `sends a later notice of a journey after the earlier one was delivered`() {
        var queue = queue()
        for name in ["a1", "a2"] { queue.add(notice(name, of: "a")) }
        let first = queue.next(at: start)
        #expect(names(first) == ["a1"])
        #expect(queue.next(at: start) == nil && queue.wakeUp(at: start) == nil)
        #expect(queue.ended(first ?? [], .delivered, at: start) == [.delivered])
        #expect(names(queue.next(at: start)) == ["a2"])
    }

    @Test func `another journey passes a notice that waits for its repetition`() throws {
        var queue = queue()
        for (name, journey) in [("a1", "a"), ("a2", "a"), ("b1", "b")] { queue.add(notice(name, of: journey)) }
        let taken = queue.next(at: start)
        let first = try #require(taken)
        let outcome = queue.ended(first, .failed("no connection"), at: start)
        guard case .retry(let due, attempts: 1) = outcome.first else {
            Issue.record("\(outcome)")
            return
        }
        #expect((1...1.25).contains(due.timeIntervalSince(start)), "\(due)")
        #expect(names(queue.next(at: start)) == ["b1"])
        #expect(queue.next(at: start) == nil && queue.wakeUp(at: start) == due)
        #expect(names(queue.next(at: due)) == ["a1"])
    }

    @Test func `at most as many deliveries are under way as there are lanes`() {
        var queue = queue(lanes: 2)
        for name in ["a", "b", "c"] { queue.add(notice(name, of: name)) }
        let first = queue.next(at: start)
        #expect(names(first) == ["a"] && names(queue.next(at: start)) == ["b"] && queue.next(at: start) == nil)
        #expect(queue.underWay == 2 && queue.waiting == 1)
        _ = queue.ended(first ?? [], .delivered, at: start)
        #expect(names(queue.next(at: start)) == ["c"])
    }

    @Test func `the delay doubles from 1 s to 4 min, and up to a quarter is added`() {
        var random = SeededGenerator(seed: 7)
        for (attempts, base) in [(1, 1.0), (2, 2), (3, 4), (8, 128), (9, 240), (10, 240), (1000, 240)] {
            for _ in 0..<100 {
                let delay = NoticeQueue.delay(afterAttempts: attempts, &random).seconds
                #expect((base...base * 1.25).contains(delay), "attempt \(attempts): \(delay) s")
            }
        }
    }

    @Test(arguments: [(UInt64(1), UInt64(1), true), (1, 2, false)])
    func `the jitter depends on the seed alone`(first: UInt64, second: UInt64, isEqual: Bool) {
        var (one, other) = (SeededGenerator(seed: first), SeededGenerator(seed: second))
        let delays = (1...5).map { NoticeQueue.delay(afterAttempts: $0, &one) }
        #expect((delays == (1...5).map { NoticeQueue.delay(afterAttempts: $0, &other) }) == isEqual)
    }

    @Test func `a receiver that asks for a pause gets nothing before, from no journey`() throws {
        var queue = queue()
        for name in ["a", "b"] { queue.add(notice(name, of: name)) }
        let taken = queue.next(at: start)
        let first = try #require(taken)
        _ = queue.ended(first, .failed("HTTP 503", retryAfter: .seconds(90)), at: start)
        #expect(queue.next(at: start + 89.9) == nil && queue.wakeUp(at: start) == start + 90)
        #expect(names(queue.next(at: start + 90)) == ["b"] && names(queue.next(at: start + 90)) == ["a"])
    }

    @Test func `the pause is not longer than the time of a notice`() throws {
        var queue = queue(limit: .seconds(60))
        queue.add(notice("a", of: "a"))
        let taken = queue.next(at: start)
        let first = try #require(taken)
        let outcome = queue.ended(first, .failed("HTTP 429", retryAfter: .seconds(86_400)), at: start)
        #expect(outcome == [.retry(at: start + 60, attempts: 1)])
    }

    @Test func `a notice expires when an attempt fails after its time, and the last attempt is at its end`() throws {
        var queue = queue(limit: .seconds(10))
        queue.add(notice("a", of: "a"))
        var (now, attempts) = (start, 0)
        while let notices = queue.next(at: now) {
            attempts += 1
            let outcome = queue.ended(notices, .failed("HTTP 500"), at: now)
            guard let due = queue.wakeUp(at: now) else {
                #expect(outcome == [.expired("HTTP 500")] && now == start + 10)
                break
            }
            #expect(due > now && due <= start + 10)
            now = due
        }
        // After 0 s, 1 s, 3 s, 7 s and 10 s, with jitter.
        #expect(attempts == 5 && queue.waiting == 0)
    }

    @Test func `what was refused is not sent again, and the next notice follows`() throws {
        var queue = queue()
        for name in ["a1", "a2"] { queue.add(notice(name, of: "a")) }
        let taken = queue.next(at: start)
        let first = try #require(taken)
        #expect(queue.ended(first, .refused("HTTP 400"), at: start) == [.refused("HTTP 400")])
        #expect(names(queue.next(at: start)) == ["a2"])
    }

    @Test func `a batch has notices of several journeys, in order for each, and is repeated as a whole`() throws {
        var queue = queue(batch: 3)
        for (name, journey) in [("a1", "a"), ("b1", "b"), ("a2", "a"), ("b2", "b")] {
            queue.add(notice(name, of: journey))
        }
        let taken = queue.next(at: start)
        let first = try #require(taken)
        #expect(names(first) == ["a1", "a2", "b1"])
        #expect(queue.next(at: start) == nil)
        _ = queue.ended(first, .failed("HTTP 500"), at: start)
        #expect(queue.waiting == 4)
        let takenAgain = queue.next(at: start + 2)
        let again = try #require(takenAgain)
        #expect(names(again) == ["a1", "a2", "b1"] && again.map(\.attempts) == [1, 1, 1])
        _ = queue.ended(again, .delivered, at: start + 2)
        #expect(names(queue.next(at: start + 2)) == ["b2"])
    }

    @Test func `a notice that waits is not added a second time`() {
        var queue = queue()
        #expect(queue.add(notice("a", of: "a")) && !queue.add(notice("a", of: "a")))
        #expect(queue.waiting == 1)
    }
}
