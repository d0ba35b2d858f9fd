import Failures
import FleetTokens
import FleetWire
import Synchronization
import Testing
import Transport
import TripFeed
import TripModel
import TripTestSupport

/// A feed of all trips of a project: what it requests, with which token, and what it reports.
@Suite("Feed of a project", .ends(within: .minutes(20)))
struct ProjectFeedTests {
    @Test func `a sweep reads all pages with the server token and reports each trip that has not ended`() async throws {
        let scene = try ProjectScene { what, _ in
            switch what {
            case "search": .page(["a", "b"], next: "2")
            case "search 2": .page(["c"], ended: ["d"])
            default: .trip(what)
            }
        }
        try await scene.run {
            try await scene.wait(for: "all trips") { record in
                ["a", "b", "c"].allSatisfy { !record.polls(of: $0).isEmpty }
            }
        }
        let record = scene.now
        #expect(record.requests.map(\.what) == ["search", "search 2"])
        #expect(record.requests.allSatisfy { $0.token == "server" })
        #expect(record.polls(of: "a").map(\.operation) == [.searchTrips])
        #expect(record.polls(of: "d").isEmpty)
    }

    @Test func `the report of a listed trip has the headers of its page, and no size`() async throws {
        let date = "Thu, 01 Jan 2026 00:00:11 GMT"
        let scene = try ProjectScene { what, _ in
            var answer = what == "search" ? HTTPTransportResponse.page(["a"]) : .trip(what)
            answer.headers.append(("date", date))
            return answer
        }
        try await scene.run {
            try await scene.wait(for: "the trip") { !$0.polls(of: "a").isEmpty }
        }
        let report = try #require(scene.now.polls(of: "a").first)
        #expect(report.answer?.header("date") == date)
        #expect(report.serverDate != nil)
        #expect(report.answer?.bytes == nil)
        #expect(report.answer?.body == nil)
    }

    @Test func `a sweep starts every 20 s and not earlier`() async throws {
        let scene = try ProjectScene { what, _ in what == "search" ? .page(["a"]) : .trip(what) }
        try await scene.run {
            try await scene.pass(until: "three sweeps") { $0.requests(for: "search").count == 3 }
        }
        let times = scene.now.requests(for: "search").map(\.at)
        for (first, second) in zip(times, times.dropFirst()) { #expect(second - first >= .seconds(20)) }
        #expect(times.last ?? .zero < .seconds(50))
    }

    @Test func `a named trip is polled at the full rate with its own token`() async throws {
        let scene = try ProjectScene(named: ["a"]) { what, _ in what == "search" ? .page(["a", "b"]) : .trip(what) }
        try await scene.run {
            try await scene.pass(until: "four polls") { $0.polls(of: "a").count { $0.operation == .getTrip } == 4 }
        }
        let requests = scene.now.requests(for: "a")
        #expect(requests.allSatisfy { $0.token == "a" })
        for (first, second) in zip(requests, requests.dropFirst()) { #expect(second.at - first.at >= .seconds(5)) }
        #expect(scene.now.requests(for: "b").isEmpty, "its vehicle has no position, so it does not move")
    }

    @Test func `a trip that the user looks at is polled until another is shown`() async throws {
        let scene = try ProjectScene { what, _ in what == "search" ? .page(["a", "b"]) : .trip(what) }
        let (first, second) = (try TripID("a"), try TripID("b"))
        try await scene.run {
            try await scene.wait(for: "the list") { !$0.polls(of: "b").isEmpty }
            scene.feed.look(at: [.trip(first)])
            try await scene.pass(until: "polls of the shown trip") { $0.requests(for: "a").count == 2 }
            scene.feed.look(at: [.trip(second)])
            let count = scene.now.requests(for: "a").count
            try await scene.pass(until: "polls of the other trip") { $0.requests(for: "b").count == 3 }
            #expect(scene.now.requests(for: "a").count == count)
        }
    }

    @Test func `a trip that is no longer listed is read once to learn how it ended`() async throws {
        let scene = try ProjectScene { what, number in
            switch what {
            case "search": number == 1 ? .page(["a", "b"]) : .page(["b"])
            default: .trip(what, "COMPLETE")
            }
        }
        try await scene.run {
            try await scene.pass(until: "the end") { $0.end(of: "a") != nil }
            try await scene.pass(.seconds(60))
        }
        guard case .reached(let status)? = scene.now.end(of: "a") else {
            Issue.record("\(String(describing: scene.now.end(of: "a")))")
            return
        }
        #expect(status == .trip(.complete))
        #expect(scene.now.requests(for: "a").map(\.token) == ["server"])
        #expect(scene.now.end(of: "b") == nil)
    }

    @Test func `a trip that was deleted fails`() async throws {
        let scene = try ProjectScene { what, number in
            switch what {
            case "search": number == 1 ? .page(["a", "b"]) : .page(["b"])
            default: .failed(404, "NOT_FOUND")
            }
        }
        try await scene.run {
            try await scene.pass(until: "the end") { $0.end(of: "a") != nil }
        }
        guard case .failed(let failure)? = scene.now.end(of: "a") else {
            Issue.record("\(String(describing: scene.now.end(of: "a")))")
            return
        }
        #expect(failure.nameInJSON == "NOT_FOUND")
    }

    @Test func `a named trip that does not exist yet is waited for`() async throws {
        let scene = try ProjectScene(named: ["a"]) { what, number in
            if what == "search" { return .page([]) }
            return number < 3 ? .failed(404, "NOT_FOUND") : .trip(what)
        }
        try await scene.run {
            try await scene.pass(until: "an answer") { $0.polls(of: "a").contains { $0.failure == nil } }
        }
        #expect(scene.now.end(of: "a") == nil)
        #expect(scene.now.polls(of: "a").map { $0.failure == nil } == [false, false, true])
    }

    @Test func `the listing of an ended trip by a later page does not bring it back`() async throws {
        let scene = try ProjectScene(named: ["a"]) { what, _ in
            what == "search" ? .page(["a"]) : .trip(what, "COMPLETE")
        }
        try await scene.run {
            try await scene.pass(until: "the end") { $0.end(of: "a") != nil }
            let polls = scene.now.polls(of: "a").count
            try await scene.pass(until: "another sweep") { $0.requests(for: "search").count == 2 }
            try await scene.pass(.seconds(2))
            #expect(scene.now.polls(of: "a").count == polls)
        }
    }
}
