package import Canvas

/// The style of each role, chosen separately for each color depth.
package struct Theme: Sendable {
    /// The available themes.
    package enum Name: String, Sendable, CaseIterable {
        case dark
        case light
        /// Black background, pure colors.
        case contrast
        /// Blue, orange and white instead of green and red.
        case colorblind
        /// No colors on any terminal.
        case mono
    }

    /// A color at three depths.
    package struct Swatch: Sendable, Equatable {
        /// 0xRRGGBB.
        package var rgb: Int
        /// An index of the 256-color palette, 16 to 255; the lower ones are configured by the user.
        package var indexed: Int
        /// An index of the 16-color palette.
        package var sixteen: Int

        init(_ rgb: Int, _ indexed: Int, _ sixteen: Int) {
            self.rgb = rgb
            self.indexed = indexed
            self.sixteen = sixteen
        }

        /// Returns the color value for a depth; -1 for the terminal's default color.
        package func value(at depth: ColorDepth) -> Int {
            switch depth {
            case .mono: -1
            case .sixteen: sixteen
            case .indexed: indexed
            // With a direct-color entry, 0 to 7 are palette indices.
            case .truecolor: max(rgb, 8)
            }
        }
    }

    /// The attributes of a character.
    package struct Attributes: OptionSet, Sendable, Hashable {
        package let rawValue: Int32

        package init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        package static let bold = Attributes(rawValue: 1)
        package static let dim = Attributes(rawValue: 2)
        package static let underline = Attributes(rawValue: 4)
        package static let reverse = Attributes(rawValue: 8)
    }

    /// The style of a role at a depth.
    package struct Style: Sendable, Hashable {
        /// The value of ``Swatch/value(at:)``.
        package var foreground: Int
        package var background: Int
        package var attributes: Attributes
    }

    /// The colors of a theme by use.
    struct Palette: Sendable {
        var ground, text, secondary, heading, accent, good, warning, critical, border, focus: Swatch
        var route, driven, other, slow, jam, trail, faint: Swatch
        var vehicle, pickup, dropoff, stop: Swatch
        var roadMinor, roadMedium, roadMajor, roadPath, rail, water, park, building: Swatch
        var waterGround, parkGround, buildingGround: Swatch
        var track, keyGround, banner, bannerText, selection, badgeText: Swatch
    }

    package let name: Name
    private let palette: Palette

    package init(_ name: Name) {
        self.name = name
        palette =
            switch name {
            case .dark, .mono: .dark
            case .light: .light
            case .contrast: .contrast
            case .colorblind: .colorblind
            }
    }

    /// Returns the style of a role on an area of the map; the background of a role, if it has one, is preserved.
    package func style(_ role: Role, on ground: Canvas.Ground = .plain, at depth: ColorDepth) -> Style {
        guard name != .mono, depth != .mono else {
            return Style(foreground: -1, background: -1, attributes: Self.monoAttributes(role))
        }
        let colors = colors(role)
        var style = Style(
            foreground: colors.foreground.value(at: depth),
            background: background(colors.background, on: ground).value(at: depth),
            attributes: Self.attributes(role)
        )
        guard depth == .sixteen else { return style }
        // Many terminals draw bold black as gray, which is hard to read on a color.
        if style.foreground == 0 { style.attributes.remove(.bold) }
        // White, the gray after the darkest one, is the color of text.
        if role == .roadMajor, style.foreground == 7 { style.attributes.insert(.dim) }
        return style
    }

    /// Returns the tint of an area instead of the theme's usual background.
    package func background(_ usual: Swatch, on ground: Canvas.Ground) -> Swatch {
        guard usual == palette.ground else { return usual }
        return switch ground {
        case .plain: usual
        case .water: palette.waterGround
        case .park: palette.parkGround
        case .building: palette.buildingGround
        }
    }

    /// Returns the foreground and background colors of a role.
    package func colors(_ role: Role) -> (foreground: Swatch, background: Swatch) {
        let p = palette
        switch role {
        case .text: return (p.text, p.ground)
        case .secondary, .stale, .keyHelp, .grid, .roadName: return (p.secondary, p.ground)
        case .heading: return (p.heading, p.ground)
        case .accent, .chart, .match: return (p.accent, p.ground)
        case .positive, .added: return (p.good, p.ground)
        case .warning, .changed: return (p.warning, p.ground)
        case .critical, .removed: return (p.critical, p.ground)
        case .border: return (p.border, p.ground)
        case .focusedBorder: return (p.focus, p.ground)
        case .routeRemaining: return (p.route, p.ground)
        case .routeDriven: return (p.driven, p.ground)
        case .routeOther: return (p.other, p.ground)
        case .trafficSlow: return (p.slow, p.ground)
        case .trafficJam: return (p.jam, p.ground)
        case .trail: return (p.trail, p.ground)
        case .basemap: return (p.roadMinor, p.ground)
        case .graticule: return (p.faint, p.ground)
        case .accuracy: return (p.trail, p.ground)
        case .roadMedium: return (p.roadMedium, p.ground)
        case .roadMajor: return (p.roadMajor, p.ground)
        case .roadPath: return (p.roadPath, p.ground)
        case .rail: return (p.rail, p.ground)
        case .water: return (p.water, p.ground)
        case .park: return (p.park, p.ground)
        case .building: return (p.building, p.ground)
        case .placeName: return (p.text, p.ground)
        case .pickupPin: return (p.badgeText, p.pickup)
        case .dropoffPin: return (p.badgeText, p.dropoff)
        case .stopPin: return (p.badgeText, p.stop)
        case .vehicle: return (p.badgeText, p.vehicle)
        case .vehicleEstimated: return (p.vehicle, p.ground)
        case .pickup: return (p.pickup, p.ground)
        case .dropoff: return (p.dropoff, p.ground)
        case .stop: return (p.stop, p.ground)
        case .barFilled: return (p.good, p.track)
        case .barWarning: return (p.warning, p.track)
        case .barCritical: return (p.critical, p.track)
        case .barEmpty: return (p.track, p.track)
        case .barMark: return (p.text, p.track)
        case .keyName: return (p.accent, p.keyGround)
        case .banner: return (p.bannerText, p.banner)
        case .badge: return (p.badgeText, p.accent)
        case .badgePositive: return (p.badgeText, p.good)
        case .badgeWarning: return (p.badgeText, p.warning)
        case .badgeCritical: return (p.badgeText, p.critical)
        case .selection, .input: return (p.text, p.selection)
        }
    }

    /// Returns whether a role conveys information and therefore needs contrast; lines and backgrounds do not.
    package static func isRead(_ role: Role) -> Bool {
        switch role {
        case .border, .routeDriven, .routeOther, .basemap, .roadMedium, .roadMajor, .roadPath, .rail, .water, .park,
            .building, .graticule, .accuracy, .barEmpty, .barFilled, .barWarning,
            .barCritical:
            false
        default: true
        }
    }

    private static func attributes(_ role: Role) -> Attributes {
        switch role {
        case .heading, .accent, .critical, .vehicle, .pickup, .dropoff, .pickupPin, .dropoffPin,
            .stopPin, .placeName, .banner, .keyName, .badge, .badgePositive, .badgeWarning, .badgeCritical, .trafficJam:
            .bold
        case .match: [.bold, .underline]
        case .changed: .underline
        default: []
        }
    }

    private static func monoAttributes(_ role: Role) -> Attributes {
        switch role {
        case .text, .border, .positive, .added, .barEmpty, .routeOther, .trail, .stop, .vehicleEstimated, .keyHelp,
            .chart, .placeName:
            []
        case .secondary, .stale, .routeDriven, .basemap, .roadMedium, .roadMajor, .roadPath, .rail, .water, .park,
            .building, .roadName, .graticule, .grid, .accuracy:
            .dim
        case .heading, .accent, .warning, .focusedBorder, .routeRemaining, .trafficSlow, .pickup, .dropoff, .keyName,
            .barFilled, .badgePositive, .barWarning:
            .bold
        case .critical, .trafficJam, .badgeCritical: [.bold, .reverse]
        case .vehicle, .pickupPin, .dropoffPin, .stopPin, .banner, .badge, .selection, .barMark, .barCritical,
            .badgeWarning:
            .reverse
        case .match, .changed, .input, .removed: .underline
        }
    }
}
