import Canvas
import Testing
import TripTestSupport

@testable import Terminal

@Suite("Eight colors", .ends(within: .minutes(10)))
struct EightColorsTests {
    @Test(arguments: Theme.Name.allCases)
    func `every role has colors of the eight and stays visible`(_ name: Theme.Name) {
        let theme = Theme(name)
        for role in Role.allCases {
            for ground in [Canvas.Ground.plain, .water, .park, .building] {
                let style = theme.style(role, on: ground, at: .sixteen)
                let eight = style.inEightColors
                #expect(eight.foreground < 8 && eight.background < 8, "\(role)")
                if style.foreground != style.background {
                    #expect(eight.foreground != eight.background || style.foreground < 0, "\(role)")
                }
            }
        }
    }

    @Test func `the route differs from the streets`() {
        for name in [Theme.Name.dark, .light, .contrast, .colorblind] {
            let theme = Theme(name)
            let route = theme.style(.routeRemaining, at: .sixteen).inEightColors
            for street in [Role.basemap, .roadMedium, .roadMajor, .roadPath] {
                #expect(route != theme.style(street, at: .sixteen).inEightColors, "\(name) \(street)")
            }
        }
    }
}
