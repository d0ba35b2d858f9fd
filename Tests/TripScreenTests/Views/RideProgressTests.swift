import Canvas
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

@Suite("Progress of a ride", .ends(within: .quickTest))
struct RideProgressTests {
    private func progress(at second: Double, _ ride: Ride = Ride()) throws -> RideProgress? {
        let state = try ride.screen(at: second)
        let trip = try #require(state.trip)
        return RideProgress(of: trip.state, at: trip.state.serviceTime(state.now))
    }

    @Test func `is unknown before the vehicle sets off and after a cancellation`() throws {
        #expect(try progress(at: 8) == nil)
        var ride = Ride()
        ride.status = [(0, .new), (12, .enrouteToPickup), (40, .canceled)]
        #expect(try progress(at: 60, ride) == nil)
    }

    @Test func `grows from the first movement to the drop-off`() throws {
        let shares = try [15.0, 40, 80, 120, 160].map { second in
            let known = try progress(at: second)
            return try #require(known).share
        }
        #expect(shares == shares.sorted() && Set(shares).count == shares.count)
        #expect(shares.allSatisfy { $0 > 0 && $0 < 1 })
        #expect(try progress(at: 178)?.share == 1)
    }

    @Test func `marks the pickup and the drop-off`() throws {
        for second in [20.0, 65, 120, 178] {
            let known = try progress(at: second)
            let marks = try #require(known).marks
            #expect(marks.map(\.kind) == [.pickup, .dropoff], "at \(second)")
            #expect(marks[0].share > 0.2 && marks[0].share < 0.6 && marks[1].share == 1, "at \(second): \(marks)")
        }
    }

    @Test func `is drawn as a line with the vehicle`() throws {
        var canvas = Canvas(width: 40, height: 1)
        let known = try progress(at: 120)
        let shown = try #require(known)
        shown.draw(on: &canvas, in: canvas.bounds)
        #expect(canvas.text.contains("━►─") && canvas.text.contains("◉") && canvas.text.hasSuffix("⚑─"))
        var plain = Canvas(width: 40, height: 1, glyphs: GlyphSet(.ascii))
        shown.draw(on: &plain, in: plain.bounds)
        #expect(plain.text.contains("=@-") && plain.text.contains("P") && plain.text.hasSuffix("D-"))
    }
}
