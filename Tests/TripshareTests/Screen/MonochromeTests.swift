import Terminal
import Testing
import TripScreen
import TripTestSupport

@testable import tripshare

@Suite("A screen without colors", .ends(within: .longTest))
struct MonochromeTests {
    @Test func `the name of its theme is that of the terminal's theme`() {
        #expect(Theme.Name(rawValue: State.monochromeTheme) == .mono)
    }
}
