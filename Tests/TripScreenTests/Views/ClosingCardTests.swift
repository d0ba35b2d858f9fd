import Canvas
import Testing
import TripFeed
import TripTestSupport
import TripText

@testable import TripScreen

@Suite("Card after a ride", .ends(within: .quickTest))
struct ClosingCardTests {
    private func blankRows(_ canvas: Canvas, _ rows: Range<Int>) -> Int {
        canvas.rows[rows].count { $0.allSatisfy { " │".contains($0) } }
    }

    @Test(arguments: [(200, 60), (120, 60)])
    func `the card after a ride has the receipt below the curve, and a map where it is wide`(
        _ width: Int,
        _ height: Int
    ) throws {
        var state = try Ride().screen(at: 180, width: width, height: height)
        _ = state.update(.key(.character("P")))
        let trip = try #require(state.trip)
        #expect(ClosingCard(TripView(state: state, trip: trip)) != nil)
        let canvas = view(state)
        let receipt = Localizer.english.rows(of: trip.receipt, in: .utc)
        #expect(receipt.allSatisfy { canvas.text.contains($0.label) }, "\(canvas.text)")
        #expect(canvas.cells.contains { $0.role == .pickupPin } == (width == 200))
        // The lower third, above the progress and the caption.
        #expect(blankRows(canvas, 40..<54) < 8, "\(canvas.text)")
    }

    @Test func `the card has only the curve where there is no room for more`() throws {
        var state = try Ride().screen(at: 180, width: 120, height: 40)
        _ = state.update(.key(.character("P")))
        #expect(view(state).text.contains("The promised arrival"))
        #expect(!view(state).text.contains(Localizer.english(.receiptTokens)))
    }
}
