import Canvas
import Testing
import TripTestSupport

@testable import Terminal

@Suite("Eight colors", .ends(within: .quickTest))
struct EightColorsTests {
    private static let streets: [Role] = [.basemap, .roadMedium, .roadMajor, .roadPath, .rail]

    @Test(arguments: Theme.Name.allCases, Theme.Style.Gray.allCases)
    func `every role has colors of the eight and stays visible`(_ name: Theme.Name, gray: Theme.Style.Gray) {
        let theme = Theme(name)
        for role in Role.allCases {
            for ground in [Canvas.Ground.plain, .water, .park, .building] {
                let style = theme.style(role, on: ground, at: .sixteen)
                let eight = style.inEightColors(gray: gray)
                #expect(eight.foreground < 8 && eight.background < 8, "\(role)")
                if style.foreground != style.background {
                    let isBright = gray == .boldBlack && eight.attributes.contains(.bold)
                    #expect(
                        eight.foreground != eight.background || isBright || style.foreground < 0,
                        "\(role)"
                    )
                }
            }
        }
    }

    @Test(arguments: [Theme.Name.dark, .light, .contrast, .colorblind], Theme.Style.Gray.allCases)
    func `the streets differ from the route, its traffic, the trail and text`(
        _ name: Theme.Name,
        gray: Theme.Style.Gray
    ) {
        let theme = Theme(name)
        for role in [Role.routeRemaining, .trafficSlow, .trafficJam, .trail, .text, .roadName, .placeName] {
            let style = theme.style(role, at: .sixteen).inEightColors(gray: gray)
            for street in Self.streets {
                #expect(style != theme.style(street, at: .sixteen).inEightColors(gray: gray), "\(role) \(street)")
            }
        }
    }

    @Test(arguments: [Theme.Name.dark, .light, .contrast, .colorblind])
    func `a terminal without dim colors gets darker streets than text`(_ name: Theme.Name) {
        let theme = Theme(name)
        for street in Self.streets {
            let style = theme.style(street, at: .sixteen)
            #expect(style.inEightColors(gray: .blue).attributes.isDisjoint(with: [.bold, .dim]), "\(street)")
            #expect(style.inEightColors(gray: .boldBlack).foreground == 0, "\(street)")
            #expect(style.inEightColors(gray: .boldBlack).attributes == .bold, "\(street)")
        }
    }

    @Test(arguments: Theme.Name.allCases, Theme.Style.Gray.allCases)
    func `black symbols on a color are not bold, which many terminals draw as gray`(
        _ name: Theme.Name,
        gray: Theme.Style.Gray
    ) {
        for role in [Role.pickupPin, .dropoffPin, .stopPin, .vehicle, .badgePositive, .badgeWarning, .badgeCritical] {
            let style = Theme(name).style(role, at: .sixteen)
            for style in [style, style.inEightColors(gray: gray)] where style.foreground == 0 {
                #expect(!style.attributes.contains(.bold), "\(role)")
            }
        }
    }
}
