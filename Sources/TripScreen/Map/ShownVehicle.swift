import Canvas
import Runtime
import TripFeed
import TripText

extension TripView {
    /// What the map shows of the vehicle, and the emphasis of its panel: all that time alone changes on it.
    struct ShownVehicle: Sendable, Equatable {
        /// The place in dots; `nil` if it is the place of the last report, or unknown.
        fileprivate var place: BrailleGrid.Point?
        /// The direction of its symbol.
        fileprivate var eighth: Int?
        /// The estimated way since the last report, in dots.
        fileprivate var tail: [BrailleGrid.Point] = []
        /// Why the position is old.
        fileprivate var reason: PositionAge.Reason?
        /// The age of an old position in words.
        fileprivate var age = ""
        /// The style of the panel's frame.
        fileprivate var frame = Role.border
    }

    /// Returns what the panel of the map shows of the vehicle now.
    func shownVehicle(in rect: Rect) -> ShownVehicle {
        var vehicle = ShownVehicle(frame: state.frameRole(.map))
        if let age = PositionAge(of: trip, at: now), let reason = age.reason {
            vehicle.reason = reason
            vehicle.age = (age.received ?? age.measured).map(localizer.age) ?? ""
        }
        guard !trip.map.isEmpty, let estimate = state.estimate(trip) else { return vehicle }
        let camera = state.camera(trip.map, in: rect.inset(by: 1))
        vehicle.place = camera.drawnDot(estimate.place)
        vehicle.eighth = estimate.heading.map(GlyphSet.eighth)
        vehicle.tail = camera.dots(estimate.tail).map(camera.drawnDot)
        return vehicle
    }
}

extension MapCamera {
    /// Returns the dot that is drawn for a point.
    fileprivate func drawnDot(_ point: MapPicture.Point) -> BrailleGrid.Point { drawnDot(dot(point)) }

    /// Returns the dot that is drawn for a position; outside of the map the position, because it decides where a line enters.
    fileprivate func drawnDot(_ dot: BrailleGrid.Point) -> BrailleGrid.Point {
        guard (0..<Double(rect.width * 2)).contains(dot.x), (0..<Double(rect.height * 4)).contains(dot.y) else {
            return dot
        }
        return BrailleGrid.Point(x: dot.x.rounded(.down), y: dot.y.rounded(.down))
    }
}
