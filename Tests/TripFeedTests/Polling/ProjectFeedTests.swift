import Failures
import FleetTokens
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// A feed of all trips of a project: what it requests, with which token, and what it reports.
@Suite("Feed of a project", .ends(within: .quickTest))
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

    @Test func `a page is one call with its bodies, before the polls of its trips, which are no calls`() async throws {
        let scene = try ProjectScene { what, _ in
            switch what {
            case "search": .page(["a", "b"], next: "2")
            case "search 2": .page(["c"])
            default: .trip(what)
            }
        }
        try await scene.run {
            try await scene.wait(for: "all trips") { record in
                ["a", "b", "c"].allSatisfy { !record.polls(of: $0).isEmpty }
            }
        }
        let calls = scene.now.searches.compactMap(\.call)
        #expect(calls.map(\.operation) == [.searchTrips, .searchTrips])
        #expect(calls.map(\.subject) == ["", ""])
        #expect(calls.map(\.token) == [1, 1])
        #expect(
            calls.map { $0.request.url }
                == Array(repeating: "https://engine.example/v1/providers/p/trips:search", count: 2)
        )
        let texts = calls.map { String(decoding: $0.request.body?.bytes ?? [], as: UTF8.self) }
        #expect(texts[0].contains("pageSize") && texts[1].contains(#""pageToken":"2""#), "\(texts)")
        let pages = [HTTPTransportResponse.page(["a", "b"], next: "2"), .page(["c"])]
        #expect(calls.map { $0.answer?.body?.bytes } == pages.map(\.body))
        #expect(calls.map { $0.answer?.bytes } == pages.map(\.body.count))
        let polls = ["a", "b", "c"].flatMap { scene.now.polls(of: $0) }
        #expect(polls.allSatisfy { ListedCall($0) == nil && $0.call?.request.body == nil && $0.answer?.body == nil })
        #expect(polls.map(\.answer?.status) == [200, 200, 200])
        #expect(
            zip(polls, [calls[0], calls[0], calls[1]]).allSatisfy {
                $0.started == $1.started && $0.finished == $1.ended
            }
        )
    }

    @Test func `a page of many trips is shortened, and a token in it is in none of its texts`() async throws {
        let token = FakeToken(.server, issuedAt: ManualClock().now().wall).text
        let names = (0..<1000).map { "trip-\($0)" }
        let scene = try ProjectScene { what, number in
            guard what == "search" else { return .trip(what) }
            var answer = HTTPTransportResponse.page(number == 1 ? ["a"] : names)
            let text = String(decoding: answer.body, as: UTF8.self)
            answer.body = Array(text.replacing(#""v""#, with: "\"\(token)\"", maxReplacements: 1).utf8)
            answer.headers.append(("server", "gateway \(token)"))
            return answer
        }
        try await scene.run {
            try await scene.pass(until: "two sweeps") { $0.searches.count >= 2 }
        }
        let calls = scene.now.searches.compactMap(\.call)
        let secret = try #require(token.split(separator: ".").last)
        for call in calls.prefix(2) {
            let body = try #require(call.answer?.body)
            #expect(!String(decoding: body.bytes, as: UTF8.self).contains(secret))
            #expect(call.answer?.headers.contains { $0.value.contains(secret) } == false)
            #expect(call.request.headers.contains { $0.value == "Bearer <token>" })
            #expect(body.bytes.count <= StoredBody.largest)
        }
        #expect(calls[1].answer?.body?.isCut == true)
        #expect(calls[1].answer?.body.flatMap { JSONValue($0.bytes) } != nil, "an excerpt stays JSON")
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

    @Test func `a trip that the user views is polled until another is shown`() async throws {
        let scene = try ProjectScene { what, _ in what == "search" ? .page(["a", "b"]) : .trip(what) }
        let (first, second) = (try TripID("a"), try TripID("b"))
        try await scene.run {
            try await scene.wait(for: "the list") { !$0.polls(of: "b").isEmpty }
            scene.feed.view([.trip(first)])
            try await scene.pass(until: "polls of the shown trip") { $0.requests(for: "a").count == 2 }
            scene.feed.view([.trip(second)])
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
