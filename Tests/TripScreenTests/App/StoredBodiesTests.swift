import Canvas
import Failures
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import TripScreen

@Suite("Bodies stored by the screen", .ends(within: .quickTest))
struct StoredBodiesTests {
    private static let now = Moment(wall: Date(timeIntervalSince1970: 1_773_476_000), steady: .zero)

    private func screen(_ names: [String]) throws -> State {
        State(
            trips: try names.map { try .trip(TripID($0)) },
            settings: State.Settings(host: "h"),
            now: Self.now,
            width: 80,
            height: 24
        )
    }

    private func poll(_ screen: inout State, _ trip: TripID, _ body: [UInt8], isGood: Bool) throws {
        var report = PollReport(journey: .trip(trip), started: Self.now)
        report.call = .sample(body: body, at: Self.now)
        if isGood { report.outcome = .success(.trip(Trip(id: trip, provider: try ProviderID("p"), status: .new))) }
        let schedule = PollSchedule(interval: .seconds(5), next: nil)
        _ = screen.update(.feed(.polled(report, TripState(id: .trip(trip)), schedule)))
    }

    private func stored(_ screen: State) -> Int { screen.trips.flatMap(\.bodies).reduce(0) { $0 + $1.bytes.count } }

    @Test(arguments: [true, false])
    func `bodies use at most 8 MB, and the oldest are dropped first`(isGood: Bool) throws {
        let names = (0..<300).map { "t\($0)" }
        var screen = try screen(names)
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 3_800_000)
        for _ in 0..<2 {
            for name in names { try poll(&screen, TripID(name), body, isGood: isGood) }
        }
        #expect(stored(screen) <= BodyLedger.largest)
        #expect(stored(screen) > BodyLedger.largest - StoredBody.largest)
        #expect(stored(screen) == screen.followed.bodies.bytes)
        #expect(screen.trips.first?.bodies.isEmpty == true)
        #expect(screen.trips.last?.bodies.isEmpty == false)
        #expect(screen.trips.allSatisfy { $0.lastReport?.answer?.body == nil })
    }

    @Test func `a trip retains its last two good answers and the last failed one`() throws {
        var screen = try screen(["t"])
        let trip = try TripID("t")
        for number in 0..<3 { try poll(&screen, trip, Array("bad \(number)".utf8), isGood: false) }
        #expect(screen.trips[0].bodies.map(\.bytes) == [Array("bad 2".utf8)])
        for number in 0..<3 { try poll(&screen, trip, Array("good \(number)".utf8), isGood: true) }
        try poll(&screen, trip, Array("bad".utf8), isGood: false)
        #expect(screen.trips[0].bodies.map(\.bytes) == [Array("good 1".utf8), Array("good 2".utf8)])
        #expect(screen.trips[0].failedAnswer?.body.bytes == Array("bad".utf8))
        #expect(screen.followed.bodies.bytes == 15)
    }

    @Test func `a removed trip releases its bodies`() throws {
        var screen = try screen(["a", "b"])
        try poll(&screen, TripID("a"), [1, 2, 3], isGood: true)
        try poll(&screen, TripID("b"), [1], isGood: false)
        _ = screen.update(.feed(.ended(try .trip(TripID("a")), .left)))
        #expect(screen.followed.bodies.bytes == 1)
    }

    @Test func `the inspector marks a shortened answer`() throws {
        var screen = try screen(["t"])
        let list = (0..<50_000).map(String.init).joined(separator: ",")
        try poll(&screen, TripID("t"), Array("{\"list\":[\(list)]}".utf8), isGood: true)
        _ = screen.update(.key(.character("5")))
        let text = view(screen).text
        #expect(text.contains("shortened"))
        try poll(&screen, TripID("t"), Array(repeating: UInt8(ascii: "["), count: 100_000), isGood: true)
        #expect(view(screen).text.contains("too large to be shown"))
    }

    @Test func `shows the last 1000 of the trips that have ended`() throws {
        var screen = try screen(["first"])
        for number in 0..<3000 {
            let trip = try TripID("t\(number)")
            try poll(&screen, trip, [1], isGood: true)
            _ = screen.update(.feed(.ended(.trip(trip), .reached(.trip(.complete)))))
        }
        #expect(screen.trips.count == 1001)
        #expect(screen.trips.first?.id.rawValue == "first")
        #expect(screen.trips.last?.id.rawValue == "t2999")
        #expect(screen.followed.bodies.bytes == 1000)
    }
}
