import Canvas
import Runtime
import Testing
import TripScreen
import TripTestSupport

/// The panel that shows what the sentences about the arrival stand on.
@Suite("Evidence for what is said", .ends(within: .quickTest))
struct EvidencePanelTests {
    private func text(_ state: State) -> String { view(state).text }

    @Test func `shows of when each sentence is, how sure, what ends it, and the poll that shows it`() throws {
        var state = try Ride().screen(at: 20, width: 100, height: 40)
        #expect(!text(state).contains("Evidence for"))
        _ = state.update(.key(.character("y")))
        let shown = text(state)
        for words in ["Evidence for trip-7f3a", "an estimate of the service", "or the next answer", "GetTrip"] {
            #expect(shown.contains(words), "\(words): \(shown)")
        }
        #expect(shown.contains(/as of 17:00:\d\d, 0:0\d old/), "\(shown)")
        #expect(shown.contains(/event \d+/), "\(shown)")
        _ = state.update(.key(.escape))
        #expect(!text(state).contains("Evidence for"))
    }

    @Test func `says since when there is no report`() throws {
        var state = try Ride().screen(at: 20, width: 100, height: 40)
        _ = state.update(.tick(Ride.moment(200)))
        _ = state.update(.key(.character("y")))
        let shown = text(state)
        #expect(shown.contains("no news") && shown.contains("the service says so"), "\(shown)")
        #expect(!shown.contains("overdue"), "\(shown)")
    }

    @Test func `shows the events of the status and of the position`() throws {
        var state = try Ride().screen(at: 20, width: 100, height: 40)
        _ = state.update(.key(.character("y")))
        let shown = text(state)
        #expect(
            shown.contains(/Status +ENROUTE_TO_PICKUP/) && shown.contains(/since 17:00:\d\d, event \d+/),
            "\(shown)"
        )
        #expect(shown.contains(/Position +-?\d+\.\d{5}, -?\d+\.\d{5}/), "\(shown)")
        #expect(shown.contains(/received 17:00:\d\d, event \d+/), "\(shown)")
    }

    @Test func `Enter shows it on the Trip view while nothing fails, and the failure otherwise`() throws {
        var state = try Ride().screen(at: 20, width: 100, height: 40)
        _ = state.update(.key(.enter))
        #expect(text(state).contains("Evidence for"))
        _ = state.update(.key(.enter))
        #expect(!text(state).contains("Evidence for"))
        state = try PictureTests.Scene.retrying.screen(100, 40, .blocks)
        _ = state.update(.key(.enter))
        #expect(!text(state).contains("Evidence for") && state.overlay == .details(.failure, row: 0))
    }

    @Test func `shows the event of the status while no arrival is known`() throws {
        // Waiting for a driver.
        var state = try Ride().screen(at: 4, width: 100, height: 40)
        _ = state.update(.key(.enter))
        #expect(text(state).contains(/since 17:00:\d\d, event \d+/), "\(text(state))")
    }

    @Test func `is not offered before the first answer`() throws {
        var state = try Ride().screen(at: 20, width: 100, height: 40)
        state = State(
            trips: [try #require(state.trip).id],
            settings: state.settings,
            now: state.now,
            width: 100,
            height: 40
        )
        _ = state.update(.key(.character("y")))
        #expect(!text(state).contains("Evidence for"))
    }
}
