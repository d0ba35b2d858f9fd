import Canvas
import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

/// The token that lists the trips of the project.
@Suite("Server token on the screen", .ends(within: .quickTest))
struct ServerTokenTests {
    private func screen(
        _ width: Int,
        _ height: Int,
        _ token: TokenState = .fresh,
        localizer: Localizer = .english
    ) throws -> State {
        let ride = Ride()
        var state = try ride.screen(at: 100, width: width, height: height, localizer: localizer)
        var status = TokenStatus(source: "credentials")
        (status.state, status.generation, status.fetches) = (token, 2, 2)
        status.issuedAt = Ride.moment(40).wall
        status.expiresAt = Ride.moment(3640).wall
        status.refreshAt = Ride.moment(2800).wall
        if token == .failing { status.lastError = .unavailable(.sourceTimedOut, retryAfter: .seconds(5)) }
        let kind: TokenEvent.Kind =
            status.lastError.map { .failed($0) } ?? .stored(generation: 2)
        let event = TokenEvent(context: .server, at: Ride.moment(100), kind: kind, status: status)
        #expect(state.update(.token(event)).isEmpty)
        #expect(state.update(.key(.character("3"))).isEmpty)
        return state
    }

    @Test(arguments: [(80, 24), (120, 40)])
    func `the token view shows it below the token of the trip`(_ size: (Int, Int)) throws {
        let state = try screen(size.0, size.1)
        let text = view(state).text
        #expect(text.contains("Server token") && text.contains("Credentials"))
        #expect(text.contains("Token 2 is good. The next one is fetched in 44 min 58 s"))
        #expect(state.trip?.token?.source != "credentials", "the token of the trip is another one")
        try ScreenFile(name: "server-token-\(size.0)x\(size.1)").expect(view(state))
    }

    @Test func `the evidence of its state is its last event`() throws {
        let events = try Ride().messages(until: 100).count { message in
            switch message {
            case .feed, .token: true
            default: false
            }
        }
        var state = try screen(120, 40)
        _ = state.update(.key(.character("y")))
        let text = view(state).text
        #expect(text.contains("Server token") && text.contains("17:01:40, event \(events + 1)"), "\(text)")
    }

    @Test func `its failure is shown with the project`() throws {
        let text = view(try screen(120, 40, .failing)).text
        #expect(text.contains("because its source fails"))
        #expect(text.contains("a server of project"))
    }

    @Test(arguments: Language.allCases)
    func `it has a name in every language`(_ language: Language) throws {
        let localizer = Localizer(language)
        #expect(view(try screen(100, 30, localizer: localizer)).text.contains(localizer(.serverTokenTitle)))
    }

    @Test func `without one the view has no room for it`() throws {
        var state = try Ride().screen(at: 100, width: 120, height: 40)
        #expect(state.update(.key(.character("3"))).isEmpty)
        #expect(!view(state).text.contains("Server token"))
    }
}
