import Canvas
import TripText

extension TripPanel {
    /// Returns the explanations of the map symbols.
    static func legend(in state: State) -> [[Canvas.Span]] {
        let glyphs = state.settings.glyphs
        let localizer = state.settings.localizer
        return [
            [.init(localizer(.map), .heading)],
            [.init(glyphs.vehicle(heading: 90), .vehicle), .init(localizer(.signVehicle))],
            [.init(glyphs.estimatedWay, .vehicleEstimated), .init(localizer(.signEstimate))],
            [
                .init(glyphs.pickup, .pickupPin), .init(localizer(.signPickup)), .init(glyphs.dropoff, .dropoffPin),
                .init(localizer(.signDropoff)), .init(glyphs.stop, .stopPin), .init(localizer(.signStop)),
            ],
            [.init(localizer(.lineSolid), .routeRemaining), .init(localizer(.lineSolidMeaning))],
            [
                .init(localizer(.lineDashed), .trafficSlow), .init(localizer(.lineDashedMeaning)),
                .init(localizer(.lineShort), .trafficJam), .init(localizer(.lineShortMeaning)),
            ],
            [
                .init(localizer(.lineDotted), .trail), .init(localizer(.lineDottedMeaning)),
                .init(localizer(.lineDim), .routeOther),
                .init(localizer(.lineDimMeaning)),
            ],
            [],
            [.init(localizer(.helpTimes), .heading)],
            [.init(localizer(.helpTimesFirst))],
            [.init(localizer(.helpTimesSecond))],
        ]
    }
}
