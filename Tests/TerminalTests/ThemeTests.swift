import Canvas
import Terminal
import Testing
import TripTestSupport

@Suite("Themes", .ends(within: .quickTest))
struct ThemeTests {
    static let depths: [ColorDepth] = [.truecolor, .indexed, .sixteen]
    static let colored: [Theme.Name] = [.dark, .light, .contrast, .colorblind]

    private static func contrast(_ a: Theme.Swatch, _ b: Theme.Swatch, _ depth: ColorDepth) -> Double {
        ColorValues.contrast(ColorValues.rgb(a, depth), ColorValues.rgb(b, depth))
    }

    @Test(arguments: colored, depths)
    func `every text role is readable`(name: Theme.Name, depth: ColorDepth) {
        let theme = Theme(name)
        for role in Role.allCases where Theme.isRead(role) {
            let colors = theme.colors(role)
            let contrast = Self.contrast(colors.foreground, colors.background, depth)
            #expect(contrast >= 4.5, "\(role) has \(contrast)")
        }
    }

    @Test(arguments: colored, depths)
    func `text stays readable on water, parks and buildings`(name: Theme.Name, depth: ColorDepth) {
        let theme = Theme(name)
        for role in [Role.text, .roadName, .placeName, .routeRemaining, .trafficSlow, .trafficJam] {
            let colors = theme.colors(role)
            for ground in Canvas.Ground.allCases {
                let behind = theme.background(colors.background, on: ground)
                let contrast = Self.contrast(colors.foreground, behind, depth)
                #expect(contrast >= 4, "\(role) on \(ground) has \(contrast)")
            }
        }
    }

    @Test(arguments: colored, [ColorDepth.truecolor, .indexed])
    func `ornaments have a low but sufficient contrast`(name: Theme.Name, depth: ColorDepth) {
        for role in [Role.border, .routeDriven, .routeOther, .basemap, .barFilled, .barWarning, .barCritical] {
            let colors = Theme(name).colors(role)
            let contrast = Self.contrast(colors.foreground, colors.background, depth)
            #expect(contrast >= 1.4, "\(role) has \(contrast)")
        }
    }

    @Test(arguments: depths)
    func `text has a contrast of 7, and lines of 3, in the theme for contrast`(depth: ColorDepth) {
        let theme = Theme(.contrast)
        let lines: [Role] = [.border, .routeDriven, .routeOther, .basemap, .roadMedium, .roadMajor, .rail, .water]
        for role in Role.allCases where Theme.isRead(role) || lines.contains(role) {
            let colors = theme.colors(role)
            let contrast = Self.contrast(colors.foreground, colors.background, depth)
            // The 16 colors are the terminal's own; its red and its blue are darker.
            let least = depth == .sixteen ? (text: 4.5, line: 2.0) : (text: 7.0, line: 3.0)
            #expect(contrast >= (Theme.isRead(role) ? least.text : least.line), "\(role) has \(contrast)")
        }
    }

    @Test(arguments: Theme.Name.allCases)
    func `a monochrome terminal gets no colours`(name: Theme.Name) {
        for role in Role.allCases {
            let style = Theme(name).style(role, at: .mono)
            #expect(style.foreground == -1 && style.background == -1)
        }
        for role in Role.allCases where name == .mono {
            #expect(Theme(name).style(role, at: .truecolor).foreground == -1)
        }
    }

    @Test func `states differ without colour`() {
        let styles = [Role.text, .warning, .critical].map { Theme(.dark).style($0, at: .mono).attributes.rawValue }
        #expect(Set(styles).count == 3)
        let badges = [Role.badge, .badgePositive, .badgeCritical].map {
            Theme(.dark).style($0, at: .mono).attributes.rawValue
        }
        #expect(Set(badges).count == 3)
        #expect(Theme(.dark).style(.vehicle, at: .mono) != Theme(.dark).style(.vehicleEstimated, at: .mono))
        #expect(Theme(.dark).style(.trafficJam, at: .mono) != Theme(.dark).style(.trafficSlow, at: .mono))
    }

    @Test func `true colours avoid the eight values that terminals take for palette entries`() {
        for name in Self.colored {
            for role in Role.allCases {
                let style = Theme(name).style(role, at: .truecolor)
                #expect(style.foreground >= 8 && style.background >= 8)
            }
        }
    }
}
