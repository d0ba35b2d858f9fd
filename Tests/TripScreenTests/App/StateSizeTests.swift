import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@testable import TripScreen

/// What all panels share stays small: each panel owns the rest.
@Suite("State of the screen", .ends(within: .minutes(10)))
struct StateSizeTests {
    @Test func `has at most 15 properties`() throws {
        let state = State(
            trips: [try TripID("t-1")],
            settings: State.Settings(host: "h"),
            now: Moment(wall: .distantPast, steady: .zero),
            width: 80,
            height: 24
        )
        let names = Mirror(reflecting: state).children.compactMap(\.label)
        #expect(names.count <= 15, "\(names)")
    }
}
