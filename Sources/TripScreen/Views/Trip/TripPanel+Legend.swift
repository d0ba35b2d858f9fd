import Canvas
import TripText

extension TripPanel {
    /// Returns the explanations of the map symbols.
    static func legend(in state: State) -> [[Canvas.Span]] {
        let glyphs = state.settings.glyphs
        let localizer = state.settings.localizer
        /// Returns what a line looks like: in words, or as a piece of it without colors and in ASCII, where the words are not true.
        func line(_ path: MapPicture.Path, _ words: Text) -> Canvas.Span {
            let isDrawn = state.isMonochrome || glyphs.level == .ascii
            let piece = isDrawn ? MapView.piece(of: path, glyphs, isMonochrome: state.isMonochrome) : localizer(words)
            return Canvas.Span(piece, MapView.style(path).layer.role)
        }
        return [
            [.init(localizer(.map), .heading)],
            [.init(glyphs.vehicle(heading: 90), .vehicle), .init(localizer(.signVehicle))],
            [.init(glyphs.estimatedWay, .vehicleEstimated), .init(localizer(.signEstimate))],
            [
                .init(glyphs.pickup, .pickupPin), .init(localizer(.signPickup)), .init(glyphs.dropoff, .dropoffPin),
                .init(localizer(.signDropoff)), .init(glyphs.stop, .stopPin), .init(localizer(.signStop)),
            ],
            [line(.remaining, .lineSolid), .init(localizer(.lineSolidMeaning))],
            [
                line(.slow, .lineDashed), .init(localizer(.lineDashedMeaning)),
                line(.jam, .lineShort), .init(localizer(.lineShortMeaning)),
            ],
            [
                line(.trail, .lineDotted), .init(localizer(.lineDottedMeaning)),
                line(.later, .lineDim), .init(localizer(.lineDimMeaning)),
            ],
            [],
            [.init(localizer(.helpTimes), .heading)],
            [.init(localizer(.helpTimesFirst))],
            [.init(localizer(.helpTimesSecond))],
        ]
    }
}

extension MapView {
    /// Returns a short straight piece of a path as the map draws it.
    static func piece(of path: MapPicture.Path, _ glyphs: GlyphSet, isMonochrome: Bool) -> String {
        var canvas = Canvas(width: 8, height: 1, glyphs: glyphs)
        var grid = BrailleGrid(in: canvas.bounds)
        let style = style(path, glyphs.level, isMonochrome: isMonochrome)
        grid.polyline(
            [.init(x: 0, y: 1), .init(x: 15, y: 1)],
            style.layer,
            pattern: style.pattern,
            width: style.width
        )
        grid.render(into: &canvas, isMonochrome: isMonochrome)
        return canvas.text
    }
}
