import Runtime
import Testing
import TripTestSupport

@Suite("Numbers from outside", .ends(within: .quickTest))
struct OutsideNumberTests {
    @Test(
        arguments: [
            ("nan", nil), ("NaN", nil), ("inf", nil), ("-Infinity", nil), ("1e999", nil), ("0x1p3", nil), ("", nil),
            ("1,5", nil), (" 1", nil), ("١", nil), ("e", nil), ("1e308", 1e308), ("4.9e-324", .leastNonzeroMagnitude),
            ("-2.5", -2.5),
            ("+3", 3), ("1E2", 100),
        ] as [(String, Double?)]
    )
    func `only decimal numbers are read`(text: String, number: Double?) { #expect(Double(decimal: text) == number) }

    @Test(
        arguments: [
            (Double.nan, 0), (.infinity, .max), (-.infinity, .min), (1e308, .max), (-1e308, .min),
            (.leastNonzeroMagnitude, 0),
            (9.223372036854776e18, .max), (-9.223372036854776e18, .min), (2.9, 2), (-2.9, -2),
        ] as [(Double, Int)]
    )
    func `every number has an integer`(number: Double, integer: Int) { #expect(Int(clamped: number) == integer) }

    @Test(
        arguments: [
            (Double.nan, 0), (.infinity, 3_155_760_000), (-.infinity, -3_155_760_000), (1e308, 3_155_760_000),
            (.leastNonzeroMagnitude, 0),
            (1.5, 1.5),
        ] as [(Double, Double)]
    )
    func `every number has a duration`(number: Double, seconds: Double) {
        #expect(Duration(clampedSeconds: number).seconds == seconds)
    }

    @Test func `what is not a number is clamped to the lower bound`() {
        #expect(Double.nan.clamped(to: 1...5) == 1 && Double.infinity.clamped(to: 1...5) == 5)
        #expect((-Double.infinity).clamped(to: 1...5) == 1 && 2.5.clamped(to: 1...5) == 2.5)
    }
}
