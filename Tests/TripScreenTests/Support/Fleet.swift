import Canvas
import Foundation
import TripFeed
import TripModel
import TripScreen
import TripText

/// Several rides on one screen, each at another stage.
enum Fleet {
    static let names = ["trip-7f3a", "airport-0815", "名古屋駅前-配車", "night-shuttle", "trip-not-there"]

    static func screen(
        width: Int,
        height: Int,
        glyphs: GlyphSet = GlyphSet(),
        localizer: Localizer = .english
    ) throws -> State {
        var state = State(
            trips: try names.map { try .trip(TripID($0)) },
            settings: State.Settings(host: "127.0.0.1", localizer: localizer, glyphs: glyphs),
            now: Ride.moment(0),
            width: width,
            height: height
        )
        for (index, name) in names.enumerated() {
            var ride = Ride()
            ride.name = name
            switch index {
            case 1: ride.status = [(0, .new), (12, .enrouteToPickup), (95, .arrivedAtPickup)]
            case 2: ride.silentFrom = 40
            case 3: ride.status = [(0, .new), (12, .enrouteToPickup), (40, .canceled)]
            case 4: ride.failsFrom = 0
            default: break
            }
            for message in try ride.messages(until: 105) { _ = state.update(message) }
        }
        return state
    }
}
