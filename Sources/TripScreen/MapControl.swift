import Canvas
import Foundation
import TripFeed
import TripModel
import TripText

/// What a person wants to see of the map.
package struct MapControl: Sendable, Equatable {
    /// Who decides what is shown.
    package enum Mode: Sendable, Equatable {
        /// Everything there is to see is shown.
        case fit
        /// The vehicle stays near the middle.
        case follow
        /// A person moves the map.
        case free
    }

    /// Who decides what is shown.
    package internal(set) var mode = Mode.fit
    /// Whether the map takes the place of the panels.
    package internal(set) var isLarge = false
    /// What stands in the middle, unless all is shown.
    var center = MapPicture.Point(x: 0, y: 0)
    /// Dots for a Mercator unit, unless all is shown.
    var scale = 1.0

    /// A scale at which the world is about as wide as a small map, and one at which a dot is a quarter of a metre.
    static let scales = 128.0...1.6e8

    /// How far one press of a key moves the map, as a share of its size.
    static let panStep = 0.2
    /// How much one press of a key, or one notch of the wheel, zooms.
    static let zoomStep = 1.5
}

extension State {
    /// Whether the screen is for people who look from afar.
    var showsPresenter: Bool { settings.isPresenter && view == .trip }

    /// Whether arrival and timeline are shown alone.
    var showsLargeArrival: Bool { hasLargeArrival && view == .trip && !showsPresenter }

    /// Where the map of the shown trip lies on the screen; empty where it is not shown.
    var mapRect: Rect {
        guard !showsLargeArrival else { return Rect(x: 0, y: 0, width: 0, height: 0) }
        let screen = Rect(x: 0, y: 0, width: width, height: height)
        let layout = ScreenLayout(screen, mapIsLarge: map.isLarge)
        if showsPresenter { return PresenterView.map(of: self, in: screen) }
        return view == .trip && !layout.isReduced ? layout.map.inset(by: 1) : Rect(x: 0, y: 0, width: 0, height: 0)
    }

    /// What the map shows in a rectangle.
    func camera(_ picture: MapPicture, in rect: Rect) -> MapCamera {
        let closest = 2 / picture.unitsPerMeter
        var camera = MapCamera(fitting: picture.corners, in: rect, closest: closest, squeeze: settings.squeeze)
        guard map.mode != .fit else { return camera }
        camera.center = map.center
        camera.scale = map.scale
        return camera
    }

    /// Where the vehicle should be by now, unless that is not known or its position is too old to guess from.
    func estimate(_ trip: FollowedTrip) -> MapPicture.Estimate? {
        guard trip.end == nil, PositionAge(of: trip, at: now)?.reason == nil else { return nil }
        return trip.map.estimate(at: trip.state.serviceTime(now))
    }

    /// Moves the map by a share of its size, and from then on leaves it where it is put.
    mutating func pan(right: Double, down: Double) {
        guard let trip, !trip.map.isEmpty else { return }
        let rect = mapRect
        let camera = camera(trip.map, in: rect)
        hold(camera)
        map.center.x += right * Double(rect.width * 2) / camera.scale
        map.center.y = min(max(map.center.y + down * Double(rect.height * 4) / camera.scale / camera.squeeze, 0), 1)
        map.mode = .free
    }

    /// Zooms in by a factor, or out by one below 1, about a cell of the screen, or about the middle.
    mutating func zoom(by factor: Double, about cell: (x: Int, y: Int)? = nil) {
        guard let trip, !trip.map.isEmpty else { return }
        let rect = mapRect
        guard !rect.isEmpty else { return }
        let camera = camera(trip.map, in: rect)
        let scale = min(max(camera.scale * factor, MapControl.scales.lowerBound), MapControl.scales.upperBound)
        hold(camera)
        if let cell, map.mode != .follow {
            // What lies under the pointer stays there.
            let x = Double((cell.x - rect.x) * 2 + 1 - rect.width)
            let y = Double((cell.y - rect.y) * 4 + 2 - rect.height * 2) / camera.squeeze
            map.center.x += x / camera.scale - x / scale
            map.center.y += y / camera.scale - y / scale
        }
        map.scale = scale
        if map.mode == .fit { map.mode = .free }
        keepVehicleInSight()
    }

    /// Keeps the vehicle near the middle from now on, and comes closer where all was shown before.
    mutating func follow() {
        guard let trip, let vehicle = trip.map.vehicle else { return }
        let camera = camera(trip.map, in: mapRect)
        // Some 20 m to a cell: two or three streets ahead on a small map.
        if map.mode == .fit { map.scale = max(camera.scale, 0.1 / trip.map.unitsPerMeter) }
        map.center = vehicle
        map.mode = .follow
    }

    /// Moves a following map when the vehicle leaves its middle third, so that not every step redraws all of it.
    mutating func keepVehicleInSight() {
        guard map.mode == .follow, let trip, let vehicle = estimate(trip)?.place ?? trip.map.vehicle else { return }
        let rect = mapRect
        let across = abs(vehicle.x - map.center.x) * map.scale
        let down = abs(vehicle.y - map.center.y) * map.scale * settings.squeeze
        if across > Double(rect.width) / 3 || down > Double(rect.height * 2) / 3 { map.center = vehicle }
    }

    private mutating func hold(_ camera: MapCamera) {
        map.center = camera.center
        map.scale = camera.scale
    }
}
