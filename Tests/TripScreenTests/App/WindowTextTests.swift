import Canvas
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import TripScreen

@Suite("Title, progress and links", .ends(within: .quickTest))
struct WindowTextTests {
    @Test func `the title has the time of the next arrival and no countdown`() throws {
        var state = try Ride().screen(at: 40)
        let title = state.windowTitle
        #expect(title.hasPrefix("Pickup ") && title.hasSuffix(" · tripshare"), "\(title)")
        #expect(title.contains(/\d+:\d\d/), "\(title)")
        _ = state.update(.tick(Ride.moment(41)))
        #expect(state.windowTitle == title)
    }

    @Test func `an audience sees no ID in the title`() throws {
        let state = try Ride().screen(at: 40) { $0.isPresenter = true }
        let id = try Ride().id().rawValue
        #expect(!state.windowTitle.contains(id))
        #expect(try Ride().screen(at: 60).windowTitle.contains(id))
    }

    @Test func `the progress grows while the ride is under way`() throws {
        let shares = try [60.0, 75, 90].map { try Ride().screen(at: $0).ridePercentage }
        let known = shares.compactMap(\.self)
        #expect(known.count == 3 && known == known.sorted() && Set(known).count > 1, "\(shares)")
        #expect(try Ride().screen(at: 0).ridePercentage == nil)
    }

    @Test func `the ID of the trip and the saved file are links`() throws {
        var state = try Ride().screen(at: 40)
        _ = state.update(.saved("ride-1.svg"))
        var canvas = view(state)
        state.addLinks(to: &canvas, page: { "https://e.com/\($0)" }, file: { "file:///\($0)" })
        let id = try Ride().id().rawValue
        #expect(canvas.links.map(\.address) == ["https://e.com/\(id)", "file:///ride-1.svg"])
        #expect(canvas.links.map(\.place.y) == [0, canvas.height - 1])
        // A file that the bottom line does not name is none.
        _ = state.update(.key(.character("2")))
        var next = view(state)
        state.addLinks(to: &next, page: { _ in nil }, file: { "file:///\($0)" })
        #expect(next.links.isEmpty)
    }
}
