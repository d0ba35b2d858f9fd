import Canvas
import Foundation
import Terminal
import Testing
import TripTestSupport

/// Whether the lines of the map and the states can be told apart, also by people who do not see red or green.
@Suite("Color vision", .ends(within: .quickTest))
struct ColorVisionTests {
    /// A kind of color vision.
    enum Vision: CaseIterable {
        case normal
        case deuteranopia
        case protanopia

        /// The matrix for linear RGB (Machado, Oliveira and Fernandes, 2009, severity 1).
        var matrix: [[Double]] {
            switch self {
            case .normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
            case .deuteranopia:
                [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
            case .protanopia:
                [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
            }
        }
    }

    /// The CIE76 distance of colors that differ at a glance, also as lines of dots.
    private static let clear = 20.0
    private static let depths: [ColorDepth] = [.truecolor, .indexed]

    @Test(arguments: Vision.allCases, depths)
    func `route, traffic levels and errors of the theme for color blindness differ for everyone`(
        _ vision: Vision,
        depth: ColorDepth
    ) {
        let pairs: [(Role, Role)] = [
            (.routeRemaining, .trafficSlow), (.routeRemaining, .trafficJam), (.trafficSlow, .trafficJam),
            (.positive, .warning), (.positive, .critical), (.warning, .critical), (.text, .critical), (.text, .warning),
            (.badgePositive, .badgeWarning), (.badgePositive, .badgeCritical), (.badgeWarning, .badgeCritical),
            (.barFilled, .barWarning), (.barFilled, .barCritical), (.barWarning, .barCritical),
        ]
        for (one, other) in pairs { expect(one, other, .colorblind, vision, depth) }
    }

    @Test(arguments: [Theme.Name.dark, .light, .contrast, .colorblind], Vision.allCases)
    func `the lines of the trip differ from the streets`(_ name: Theme.Name, vision: Vision) {
        for depth in Self.depths {
            for line in [Role.routeRemaining, .trafficSlow, .trafficJam, .trail, .routeOther] {
                for street in [Role.basemap, .roadMedium, .roadMajor, .roadPath] {
                    expect(line, street, name, vision, depth)
                }
            }
        }
    }

    @Test(arguments: [Theme.Name.dark, .light, .contrast, .colorblind])
    func `the route ahead differs from the other lines of the trip`(_ name: Theme.Name) {
        for depth in Self.depths {
            for line in [Role.trafficSlow, .trafficJam, .routeDriven, .routeOther, .rail, .water] {
                expect(.routeRemaining, line, name, .normal, depth)
            }
        }
    }

    private func expect(_ one: Role, _ other: Role, _ name: Theme.Name, _ vision: Vision, _ depth: ColorDepth) {
        let theme = Theme(name)
        let colors = [one, other].map { role in
            let colors = theme.colors(role)
            return Self.isBadge(role) ? colors.background : colors.foreground
        }
        let labs = colors.map { Self.lab(ColorValues.rgb($0, depth), vision) }
        let distance = zip(labs[0], labs[1]).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
        #expect(distance >= Self.clear, "\(one) and \(other) in \(name) at \(depth): \(distance)")
    }

    private static func isBadge(_ role: Role) -> Bool {
        [.badgePositive, .badgeWarning, .badgeCritical].contains(role)
    }

    /// Returns the CIELAB coordinates of a color as people with a kind of color vision perceive it.
    private static func lab(_ rgb: Int, _ vision: Vision) -> [Double] {
        let linear = ColorValues.linear(rgb)
        let seen = vision.matrix.map { row in min(max(zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 }, 0), 1) }
        let toXYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
        let white = [0.95047, 1, 1.08883]
        let xyz = zip(toXYZ, white).map { row, white in zip(row, seen).reduce(0) { $0 + $1.0 * $1.1 } / white }
            .map { $0 > 0.008856 ? cbrt($0) : 7.787 * $0 + 16 / 116 }
        return [116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])]
    }
}
