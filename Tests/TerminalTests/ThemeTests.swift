import Canvas
import Terminal
import Testing
import TripTestSupport

@Suite("Themes", .ends(within: .minutes(10)))
struct ThemeTests {
    static let depths: [ColorDepth] = [.truecolor, .indexed, .sixteen]
    static let colored: [Theme.Name] = [.dark, .light, .contrast, .colorblind]

    @Test(arguments: colored, depths)
    func `every text role is readable`(name: Theme.Name, depth: ColorDepth) {
        let theme = Theme(name)
        for role in Role.allCases where Theme.isRead(role) {
            let colors = theme.colors(role)
            let contrast = Self.contrast(Self.rgb(colors.foreground, depth), Self.rgb(colors.background, depth))
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
                let contrast = Self.contrast(Self.rgb(colors.foreground, depth), Self.rgb(behind, depth))
                #expect(contrast >= 4, "\(role) on \(ground) has \(contrast)")
            }
        }
    }

    @Test(arguments: colored, [ColorDepth.truecolor, .indexed])
    func `ornaments have a low but sufficient contrast`(name: Theme.Name, depth: ColorDepth) {
        for role in [Role.border, .routeDriven, .routeOther, .basemap, .barFilled, .barWarning, .barCritical] {
            let colors = Theme(name).colors(role)
            let contrast = Self.contrast(Self.rgb(colors.foreground, depth), Self.rgb(colors.background, depth))
            #expect(contrast >= 1.4, "\(role) has \(contrast)")
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
        let looks = [Role.text, .warning, .critical].map { Theme(.dark).style($0, at: .mono).attributes.rawValue }
        #expect(Set(looks).count == 3)
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

    // MARK: Contrast according to WCAG 2

    private static func contrast(_ a: Int, _ b: Int) -> Double {
        let (high, low) = (max(luminance(a), luminance(b)), min(luminance(a), luminance(b)))
        return (high + 0.05) / (low + 0.05)
    }

    private static func luminance(_ rgb: Int) -> Double {
        let parts = [rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255].map { part -> Double in
            let value = Double(part) / 255
            return value <= 0.03928 ? value / 12.92 : power((value + 0.055) / 1.055)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    /// x to the power of 2.4: the square times the fifth root of the square, by Newton's method.
    private static func power(_ x: Double) -> Double {
        var root = 1.0
        for _ in 0..<60 { root -= (root * root * root * root * root - x * x) / (5 * root * root * root * root) }
        return x * x * root
    }

    private static func rgb(_ swatch: Theme.Swatch, _ depth: ColorDepth) -> Int {
        switch depth {
        case .truecolor, .mono: return swatch.rgb
        case .sixteen: return xterm16[swatch.sixteen]
        case .indexed:
            let index = swatch.indexed
            guard index >= 16 else { return xterm16[index] }
            guard index < 232 else { return (8 + 10 * (index - 232)) * 0x01_0101 }
            let levels = [0, 95, 135, 175, 215, 255]
            let cube = index - 16
            return levels[cube / 36] << 16 | levels[cube / 6 % 6] << 8 | levels[cube % 6]
        }
    }

    /// The default palette of xterm.
    private static let xterm16 = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]
}
