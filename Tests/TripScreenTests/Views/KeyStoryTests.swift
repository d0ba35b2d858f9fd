import Canvas
import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

/// What the screens say about the tokens of a trip, to people who do not know what a token is.
@Suite("Key story", .ends(within: .quickTest))
struct KeyStoryTests {
    private static let claims = #"{"authorization":{"tripid":"trip-7"}}"#

    /// A ride at 98 s whose driver has reported with its own token; the second token is inspected.
    private func screen(
        _ width: Int,
        _ height: Int,
        _ localizer: Localizer = .english,
        claims: String = claims
    ) throws -> State {
        var ride = Ride()
        ride.name = "trip-7"
        ride.hasTraffic = false
        var state = try ride.screen(at: 98, width: width, height: height, localizer: localizer)
        func part(_ json: String) -> String { Base64URL.encode(Array(json.utf8)) }
        let token = "\(part(#"{"alg":"RS256"}"#)).\(part(claims)).\(part("s"))"
        let verdict = TokenVerdict(claims: try TokenClaims(token: token), findings: [])
        _ = state.update(.inspected(try ride.id(), verdict))
        for second in [98.0, 99] {
            let now = Ride.moment(second)
            let call = Call(
                Call.Operation(rawValue: "UpdateVehicle"),
                from: .driver,
                about: "trip-7",
                Call.Request("PUT", "http://h/v1/providers/p/vehicles/taxi-42?updateMask=x"),
                Call.Answer(status: 200, body: []),
                started: now,
                ended: now,
                duration: .milliseconds(4),
                token: 1
            )
            _ = state.update(.feed(.driver(try ride.id(), call)))
        }
        return state
    }

    /// Returns the text of the screen on one line.
    private func text(_ state: State) -> String {
        view(state).text.split { $0.isWhitespace || $0 == "│" }.joined(separator: " ")
    }

    @Test(arguments: [(80, 24), (120, 40), (200, 60), (45, 30)])
    func `the token view says what the token opens and how often it was used`(_ size: (Int, Int)) throws {
        var state = try screen(size.0, size.1)
        _ = state.update(.key(.character("3")))
        let text = text(state)
        #expect(text.contains("opens trip-7 only") || text.contains("opens trip-7 and nothing else"), "\(text)")
        #expect(text.contains("ame token, used 8 times"), "\(text)")
    }

    @Test(arguments: [(80, 24), (120, 40), (200, 60), (45, 30)])
    func `so does the presenter view, with the driver's token beside it`(_ size: (Int, Int)) throws {
        var state = try screen(size.0, size.1)
        for key in "PW" { _ = state.update(.key(.character(key))) }
        let text = text(state)
        #expect(text.contains("opens trip-7 only") || text.contains("opens trip-7 and nothing else"), "\(text)")
        #expect(text.contains("ame token, used 8 times"), "\(text)")
        #expect(text.contains("taxi-42 only"), "\(text)")
    }

    @Test func `a large screen says what happens with another trip`() throws {
        var state = try screen(120, 40)
        _ = state.update(.key(.character("3")))
        #expect(text(state).contains("Another trip would be refused with it (403)."))
    }

    @Test func `a token for all trips is not said to open one only`() throws {
        var state = try screen(120, 40, claims: #"{"authorization":{"tripid":"*"}}"#)
        _ = state.update(.key(.character("3")))
        let text = text(state)
        #expect(text.contains("is a key that opens all trips") && !text.contains("nothing else"), "\(text)")
    }

    @Test(arguments: Language.allCases)
    func `the sentences fit on a stage in every language`(_ language: Language) throws {
        let state = try screen(80, 24, Localizer(language))
        let story = KeyStory(TripView(state: state, trip: try #require(state.trip)))
        for (width, limit) in [(76, 2), (41, 3)] {
            let lines = story.lines(width: width, limit: limit)
            #expect(!lines.isEmpty && lines.count <= limit, "\(lines)")
            #expect(lines.allSatisfy { TextWidth.of($0) <= width && !$0.contains("…") }, "\(lines)")
            #expect(lines.joined().contains("trip-7") && lines.joined().contains("8"), "\(lines)")
        }
    }

    @Test func `the list of calls names whose token each call carried`() throws {
        var state = try screen(120, 40)
        _ = state.update(.key(.character("4")))
        let lines = view(state).text.split(separator: "\n")
        #expect(lines.contains { $0.contains("UpdateVehicle") && $0.contains("driver's token 1") })
        #expect(lines.contains { $0.contains("GetTrip") && $0.contains("app's token 2") })
    }

    @Test func `a driver whose reports are known is not unknown while polls fail`() throws {
        var state = try screen(120, 40)
        _ = state.update(.key(.character("W")))
        let trip = try #require(state.trip)
        var report = try #require(trip.lastReport)
        report.outcome = .failure(.refused)
        _ = state.update(.feed(.polled(report, trip.state, try #require(trip.schedule))))
        let lines = view(state).text.split(separator: "\n")
        let strip = try #require(lines.firstIndex { $0.contains("this app") })
        #expect(lines[strip + 1].contains("driver's token 1"), "\(lines[strip + 1])")
        #expect(!lines[strip + 1].contains("not known"), "\(lines[strip + 1])")
    }

    @Test func `a dot carries the number of its token`() throws {
        var state = try screen(120, 40)
        _ = state.update(.key(.character("W")))
        let trip = try #require(state.trip)
        var report = try #require(trip.lastReport)
        (report.started, report.finished) = (state.now, state.now)
        _ = state.update(.feed(.polled(report, trip.state, try #require(trip.schedule))))
        _ = state.update(.tick(state.now.advanced(by: .seconds(0.25))))
        let strip = view(state).text.split(separator: "\n").first { $0.contains("this app") }
        #expect(strip?.contains("2●") == true, "\(strip ?? "")")
    }

    @Test func `what the answers have shown is evidence for the sentences`() throws {
        let state = try screen(120, 40)
        let claims = try #require(state.trip).keyClaims(at: state.now)
        #expect(claims.count >= 3)
        for claim in claims { #expect(!claim.evidence.isEmpty, "\(claim.kind)") }
    }
}
