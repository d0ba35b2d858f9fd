import Canvas
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

/// What the trip list says about the next arrival.
@Suite("Next arrival in the trip list", .ends(within: .quickTest))
struct NextColumnTests {
    private static let widths = [44, 60, 80, 120]

    /// Returns a screen with the list of one ride at its 230th second.
    private static func list(of ride: Ride, _ width: Int, _ language: Language) throws -> State {
        var state = State(
            trips: [try ride.id()],
            settings: State.Settings(host: "127.0.0.1", localizer: Localizer(language)),
            now: Ride.moment(0),
            width: width,
            height: 24
        )
        for message in try ride.messages(until: 230) { _ = state.update(message) }
        _ = state.update(.key(.character("2")))
        return state
    }

    @Test(arguments: Language.allCases, widths)
    func `says in whole how late the vehicle is`(_ language: Language, width: Int) throws {
        var ride = Ride()
        ride.status[4].from = 300
        let state = try Self.list(of: ride, width, language)
        let text = view(state).text
        guard case .overdue(_, _, let late)? = state.trips[0].claims(at: state.now).next?.kind else {
            Issue.record("not overdue: \(text)")
            return
        }
        let localizer = Localizer(language)
        #expect(text.contains(localizer(.countdownOverdue(duration: localizer.watch(late)))), "\(text)")
    }

    @Test(arguments: Language.allCases, widths)
    func `says in whole that there is no report`(_ language: Language, width: Int) throws {
        var ride = Ride()
        (ride.status[4].from, ride.silentFrom) = (300, 90)
        let state = try Self.list(of: ride, width, language)
        let text = view(state).text
        guard case .noReport(let silence, _?)? = state.trips[0].claims(at: state.now).next?.kind else {
            Issue.record("there is a report: \(text)")
            return
        }
        let localizer = Localizer(language)
        let words = [localizer(.countdownNoReport(duration: localizer.watch(silence))), localizer(.shortNoReport)]
        #expect(words.contains(where: text.contains), "\(text)")
    }
}
