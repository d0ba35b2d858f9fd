import Testing
import TripTestSupport

@testable import tripshare

@Suite("Line speed", .ends(within: .longTest))
struct LineSpeedTests {
    @Test func `a line is slow for ten seconds after bytes had to wait`() {
        var line = LineSpeed()
        #expect(!line.isSlow(at: .zero))
        line.observe(isBehind: false, at: .seconds(1))
        #expect(!line.isSlow(at: .seconds(1)))
        line.observe(isBehind: true, at: .seconds(2))
        line.observe(isBehind: false, at: .seconds(3))
        #expect(line.isSlow(at: .seconds(11.9)))
        #expect(!line.isSlow(at: .seconds(12)))
    }
}
