import FleetTokens
import Foundation
import HTTPTransport
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import tripshare

/// The memory of a session in which trips come and go without end.
@Suite("Bounded memory", .ends(within: .minutes(20)))
struct BoundedMemoryTests {
    private static let now = Moment(wall: Date(timeIntervalSince1970: 1_773_476_000), steady: .zero)
    private static let end = FeedEnd.failed(.transport(.invalidURL))

    /// The state that a session keeps about its trips.
    private struct Kept {
        var ending: CompletionTracker
        var lines: LinePrinter
        let said: Said

        final class Said: Sendable {
            let lines = Mutex<[String]>([])
        }

        init(_ form: OutputForm = .json, goal: CompletionTracker.Goal = .end, isOpen: Bool = true, trips: [TripID] = [])
        {
            let said = Said()
            self.said = said
            ending = CompletionTracker(goal: goal, trips: trips, isOpen: isOpen)
            lines = LinePrinter(form: form, plain: PlainOutput(host: "h", zone: .utc, namesTrips: true)) { line in
                said.lines.withLock { $0.append(line) }
            }
        }

        mutating func take(_ event: FeedEvent) -> CompletionTracker.Outcome? {
            Session.take(event, &ending, &lines, at: BoundedMemoryTests.now)
        }

        var ends: [String] { said.lines.withLock { $0.filter { $0.contains(#""type":"end""#) } } }
    }

    private static func polling(_ trip: TripID) -> FeedEvent {
        .polling(trip, PollSchedule(interval: .seconds(5), next: nil))
    }

    @Test(arguments: [(OutputForm.json, 100_000), (.plain, 20_000)])
    func `keeps nothing of ended trips except their combined outcome`(form: OutputForm, count: Int) throws {
        var kept = Kept(form)
        var outcomes = 0
        let ends: [FeedEnd] = [.reached(.complete), Self.end, .left]
        for number in 0..<count {
            let trip = try TripID("t\(number)")
            if kept.take(Self.polling(trip)) != nil { outcomes += 1 }
            if kept.take(.ended(trip, ends[number % 3])) != nil { outcomes += 1 }
            if number % 1000 == 0 { kept.said.lines.withLock { $0 = [] } }
        }
        #expect(outcomes == 0)
        #expect(kept.ending.trips.isEmpty)
        #expect(kept.lines.ended.isEmpty)
        #expect(kept.lines.plain.keptTrips == 0)
        // The first trip that failed decides the exit code, as if all trips were kept.
        #expect(kept.ending.close() == .failed(try TripID("t1"), .transport(.invalidURL)))
    }

    @Test func `keeps a trip until it ends and prints its end once`() throws {
        var kept = Kept()
        let (first, second) = (try TripID("a"), try TripID("b"))
        for trip in [first, second] { #expect(kept.take(Self.polling(trip)) == nil) }
        #expect(kept.ending.trips == [first, second])
        #expect(kept.take(.ended(first, .reached(.complete))) == nil)
        #expect(kept.ending.trips == [second])
        kept.lines.end(kept.ending, .interrupted(2), at: Self.now)
        #expect(kept.ends.count == 2)
        #expect(kept.ends.first?.contains(#""outcome":"reached""#) == true)
        #expect(kept.ends.last?.contains(#""outcome":"interrupted""#) == true)
    }

    @Test func `the last trip ends the session, and the outcomes of earlier trips count`() throws {
        var kept = Kept(goal: .status(.complete))
        let (first, second) = (try TripID("a"), try TripID("b"))
        for trip in [first, second] { #expect(kept.take(Self.polling(trip)) == nil) }
        #expect(kept.take(.ended(first, .reached(.canceled))) == nil)
        #expect(kept.take(.ended(second, .left)) == nil)
        #expect(kept.ending.trips.isEmpty)
        #expect(kept.ending.close() == .missed(first, .canceled))
    }

    @Test func `a trip that never answered counts at the timeout`() throws {
        var kept = Kept()
        let trip = try TripID("a")
        #expect(kept.take(Self.polling(trip)) == nil)
        #expect(kept.take(.ended(trip, Self.end)) == nil)
        #expect(kept.ending.timeout == .timedOut)
    }

    @Test func `keeps all trips to the end if they are known from the start`() throws {
        let trips = [try TripID("a"), try TripID("b")]
        var kept = Kept(isOpen: false, trips: trips)
        #expect(kept.take(.ended(trips[0], .reached(.complete))) == nil)
        #expect(kept.ending.trips == trips)
        #expect(kept.take(.ended(trips[1], .reached(.complete))) == .done)
        kept.lines.end(kept.ending, .done, at: Self.now)
        #expect(kept.ends.count == 2)
    }

    // MARK: Printed lines

    @Test func `prints every stored token, and a repeated event only once`() async throws {
        var kept = Kept()
        let trip = try TripID("t")
        var status = TokenStatus(state: .fresh, source: "s")
        func event(_ kind: TokenEvent.Kind) -> TokenEvent {
            TokenEvent(context: .trip(trip), at: Self.now, kind: kind, status: status)
        }
        kept.lines.take(event(.clockDisagreement(.seconds(9))), at: Self.now)
        kept.lines.take(event(.stored(generation: 1)), at: Self.now)
        status.fetches = 2
        kept.lines.take(event(.stored(generation: 2)), at: Self.now)
        kept.lines.take(event(.clockDisagreement(.seconds(9))), at: Self.now)
        let names = kept.said.lines.withLock(\.self).compactMap { $0.firstMatch(of: /"event":"(\w+)"/)?.1 }
        #expect(names == ["clock_disagreement", "stored", "stored"])
    }

    @Test func `a trip that is active at the timeout does not count as removed`() throws {
        let (one, two) = (try TripID("1"), try TripID("2"))
        var kept = Kept(isOpen: false, trips: [one, two])
        _ = kept.take(.ended(one, .left))
        kept.lines.end(kept.ending, .done, at: Self.now)
        #expect(kept.ends.map { $0.contains(#""outcome":"left""#) } == [true, false])
        #expect(kept.ends.last?.contains(#""outcome":"timed_out""#) == true)
    }
}
