import Canvas
import Foundation
package import Runtime
import TripFeed
import TripModel
import TripText

/// The user's settings of the map section.
package struct MapControl: Sendable, Equatable {
    /// What determines the section.
    package enum Mode: Sendable, Equatable {
        /// Everything is visible.
        case fit
        /// The vehicle stays near the middle.
        case follow
        /// The user moves the map.
        case free
    }

    /// What determines the section.
    package internal(set) var mode = Mode.fit
    /// Whether the map replaces the panels.
    package internal(set) var isLarge = false
    /// Whether the vehicle is shown at its last report, and all reports are marked.
    package internal(set) var showsReports = false
    /// The center, unless the mode is `fit`.
    var center = MapPicture.Point(x: 0, y: 0)
    /// The dots per Mercator unit, unless the mode is `fit`.
    var scale = 1.0
    /// The section of the mode `fit`.
    var fitted: FittedArea?

    /// The minimum shows the world at about the width of a small map; at the maximum a dot is 0.25 m.
    static let scales = 128.0...1.6e8

    /// The step of a pan key as a fraction of the map's size.
    static let panStep = 0.2
    /// The zoom factor of a key press or a wheel step.
    static let zoomStep = 1.5
}

extension State {
    /// The name of the theme without colors.
    package static let monochromeTheme = "mono"

    /// Whether there are no colors, so that patterns have to distinguish the lines.
    var isMonochrome: Bool { display.theme == Self.monochromeTheme }

    /// Whether the presenter mode is shown.
    var showsPresenter: Bool { settings.isPresenter && view == .trip }

    /// The rectangle of the shown trip's map; empty if it is not visible.
    var mapRect: Rect {
        guard !showsLargeArrival else { return Rect(x: 0, y: 0, width: 0, height: 0) }
        if showsPresenter { return PresenterView.map(of: self, in: presenterRect) }
        return view == .trip && !layout.isReduced ? layout.map.inset(by: 1) : Rect(x: 0, y: 0, width: 0, height: 0)
    }

    /// Returns the section of the map for a rectangle.
    func camera(_ picture: MapPicture, in rect: Rect) -> MapCamera {
        var camera = bestFit(picture, in: rect)
        guard mapControl.mode != .fit else {
            if let fitted = mapControl.fitted?.camera, fitted.rect == rect, fitted.squeeze == camera.squeeze {
                return fitted
            }
            return camera
        }
        camera.center = mapControl.center
        camera.scale = mapControl.scale
        return camera
    }

    /// Returns where the vehicle is shown; `nil` if that is the place of its last report, or unknown.
    func estimate(_ trip: FollowedTrip) -> MapPicture.Estimate? { estimate(trip, at: now) }

    /// Returns where the vehicle is shown at a moment.
    private func estimate(_ trip: FollowedTrip, at moment: Moment) -> MapPicture.Estimate? {
        guard !mapControl.showsReports, trip.end == nil else { return nil }
        switch PositionAge(of: trip, at: moment)?.reason {
        // The age is unknown.
        case .deliveredLate, .clocksDiffer: return nil
        case .paused, .pollingFails, .unanswered, .cached, .serverUnchanged, .driverSilent, nil: break
        }
        return trip.map.estimate(at: trip.state.serviceTime(moment))
    }

    /// The maximum number of frames in a real second because the vehicle moves.
    static let glideFrames = 8

    /// Returns the time after which the vehicle is shown in another place of the screen.
    ///
    /// It is a multiple of an eighth of a real second; `nil` if the vehicle stays where it is until `limit`.
    package func nextGlide(after moment: Moment, within limit: Duration) -> Duration? {
        guard !isFrozen, view == .trip, titlePage == nil, settings.speed > 0, let trip, !trip.map.isEmpty else {
            return nil
        }
        let rect = mapRect
        guard !rect.isEmpty else { return nil }
        let camera = camera(trip.map, in: rect)
        let step = settings.speed / Double(Self.glideFrames)
        let hasDots = settings.glyphs.level > .blocks
        let start = estimate(trip).map { camera.spot($0.place, hasDots: hasDots) }
        for number in 1...Self.glideFrames * 4 {
            let wait = Duration.seconds(step * Double(number))
            guard wait < limit else { return nil }
            let next = estimate(trip, at: moment.advanced(by: wait)).map { camera.spot($0.place, hasDots: hasDots) }
            if next != start { return wait }
        }
        return nil
    }

    // MARK: After each change

    /// Computes the map of the shown trip if its last answer arrived while another trip was shown.
    ///
    /// This avoids the cost for thousands of trips that are not shown.
    mutating func prepareMap() {
        guard trips.indices.contains(selected), !trips[selected].isMapCurrent else { return }
        trips[selected].drawMap()
    }

    /// Moves the map if the vehicle leaves its middle.
    mutating func scrollToVehicle() {
        if mapControl.mode == .follow { change(TripPanel.self) { $0.scrollToVehicle(in: $1) } }
    }

    /// Retains or replaces the section of the map that shows everything.
    mutating func updateFit(isNew: Bool = false) { change(TripPanel.self) { $0.updateFit(isNew: isNew, in: $1) } }
}
