import Failures
import FleetTokens
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// A feed of all trips of a project: failures, quotas and commands.
@Suite("Failures and commands of the feed of a project", .ends(within: .quickTest))
struct ProjectFeedFailureTests {
    @Test func `every search is one event, and a call after a failed one says so`() async throws {
        let scene = try ProjectScene { what, number in
            guard what == "search" else { return .trip(what) }
            return [1, 2, 4].contains(number) ? .failed(503, "UNAVAILABLE") : .page(["a"])
        }
        try await scene.run {
            try await scene.pass(until: "the second outage") { $0.searchFailures.count == 3 }
            try await scene.pass(until: "a sweep after it") { $0.requests(for: "search").count >= 5 }
        }
        let searches = scene.now.searches.prefix(5)
        #expect(
            searches.map { $0.failure?.nameInJSON ?? "page" } == [
                "UNAVAILABLE", "UNAVAILABLE", "page", "UNAVAILABLE", "page",
            ]
        )
        #expect(searches.map { $0.call?.failure?.nameInJSON } == searches.map { $0.failure?.nameInJSON })
        #expect(searches.map { $0.call?.cause } == [nil, .retry, .retry, nil, .retry])
        let times = scene.now.requests(for: "search").map(\.at)
        #expect(
            times[1] - times[0] >= .seconds(4) && times[2] - times[1] >= .seconds(8),
            "each delay is twice the last"
        )
    }

    @Test func `a search with an outdated page token starts again at the first page`() async throws {
        let scene = try ProjectScene { what, number in
            switch what {
            case "search": .page(["a"], next: "2")
            case "search 2": number == 1 ? .failed(400, "INVALID_ARGUMENT") : .page(["b"])
            default: .trip(what)
            }
        }
        try await scene.run {
            try await scene.pass(until: "the second page") { !$0.polls(of: "b").isEmpty }
        }
        #expect(scene.now.requests.map(\.what).prefix(4) == ["search", "search 2", "search", "search 2"])
    }

    @Test(arguments: ["search", "a"])
    func `429 holds all requests for the time that the service requests`(refused: String) async throws {
        let isRefused = Mutex(false)
        let scene = try ProjectScene(named: ["a"]) { what, _ in
            let isFirst =
                what == refused
                && isRefused.withLock { seen in
                    defer { seen = true }
                    return !seen
                }
            if isFirst { return .failed(429, "RESOURCE_EXHAUSTED", wait: .seconds(30)) }
            return what == "search" ? .page(["a"]) : .trip(what)
        }
        try await scene.run {
            try await scene.pass(until: "further requests", within: .seconds(600)) { $0.requests.count >= 6 }
        }
        let requests = scene.now.requests
        let refusal = try #require(requests.first { $0.what == refused })
        // Requests that were on their way with the refused one are not taken back.
        let later = try #require(requests.first { $0.at > refusal.at })
        #expect(later.at - refusal.at >= .seconds(30))
    }

    @Test func `a failed poll of a named trip is repeated with growing delays and its cause`() async throws {
        let scene = try ProjectScene(named: ["a"]) { what, number in
            if what == "search" { return .page(["a"]) }
            return number <= 2 ? .failed(503, "UNAVAILABLE") : .trip(what)
        }
        try await scene.run {
            try await scene.pass(until: "an answer") { record in
                record.polls(of: "a").contains { $0.operation == .getTrip && $0.failure == nil }
            }
        }
        let times = scene.now.requests(for: "a").map(\.at)
        #expect(times.count == 3 && times[1] - times[0] >= .seconds(5) && times[2] - times[1] >= .seconds(8))
    }

    @Test func `a removed trip is left, and no answer brings it back until it is added`() async throws {
        let trip = try TripID("a")
        let scene = try ProjectScene(named: ["a"]) { what, _ in what == "search" ? .page(["a"]) : .trip(what) }
        try await scene.run {
            // Until then, its first request may not have been sent yet.
            try await scene.wait(for: "an answer") { $0.polls(of: "a").contains { $0.operation == .getTrip } }
            await scene.feed.remove(.trip(trip))
            guard case .left? = scene.now.end(of: "a") else {
                Issue.record("\(String(describing: scene.now.end(of: "a")))")
                return
            }
            let (polls, requests) = (scene.now.polls(of: "a").count, scene.now.requests(for: "a").count)
            try await scene.pass(until: "another sweep") { $0.requests(for: "search").count == 2 }
            try await scene.pass(.seconds(10))
            #expect(scene.now.polls(of: "a").count == polls && scene.now.requests(for: "a").count == requests)
            scene.feed.add(.trip(trip))
            try await scene.pass(until: "a new poll") { $0.requests(for: "a").count > requests }
        }
    }

    @Test func `commands answer with the new schedule`() async throws {
        let trip = try TripID("a")
        let scene = try ProjectScene(named: ["a"]) { what, _ in what == "search" ? .page(["a", "b"]) : .trip(what) }
        try await scene.run {
            try await scene.wait(for: "a poll") { !$0.polls(of: "a").isEmpty }
            await scene.feed.command(.setInterval(.seconds(30)), journey: .trip(trip))
            #expect(scene.now.schedule(of: "a")?.interval == .seconds(30))
            await scene.feed.command(.setInterval(.milliseconds(1)), journey: .trip(trip))
            #expect(scene.now.schedule(of: "a")?.interval == .seconds(1), "the minimum interval")
            await scene.feed.command(.pause, journey: .trip(trip))
            #expect(scene.now.schedule(of: "a")?.isPaused == true)
            try await scene.settle()
            let count = scene.now.requests(for: "a").count
            try await scene.pass(until: "a sweep") { $0.requests(for: "search").count == 2 }
            #expect(scene.now.requests(for: "a").count == count)
            await scene.feed.command(.pollNow, journey: .trip(trip))
            try await scene.pass(until: "the requested poll") { $0.requests(for: "a").count == count + 1 }
            await scene.feed.command(.resume, journey: .trip(trip))
            #expect(scene.now.schedule(of: "a")?.isPaused == false)
            try await scene.pass(until: "further polls") { $0.requests(for: "a").count > count + 2 }
        }
    }

    @Test func `nothing is sent or reported after the end`() async throws {
        let scene = try ProjectScene(named: ["a"]) { what, _ in what == "search" ? .page(["a"]) : .trip(what) }
        try await scene.run {
            try await scene.wait(for: "a poll") { !$0.polls(of: "a").isEmpty }
        }
        let (requests, events) = (scene.now.requests.count, scene.now.events.count)
        scene.clock.advance(by: .seconds(120))
        #expect(scene.now.requests.count == requests && scene.now.events.count == events)
        #expect(scene.clock.sleeping == 0)
    }
}
