import Canvas
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

extension PresenterView {
    func drawMap(on canvas: inout Canvas, in rect: Rect) {
        guard !trip.trip.map.isEmpty else { return }
        let age = PositionAge(of: trip.trip, at: trip.now)
        let camera = trip.state.camera(trip.trip.map, in: rect)
        let estimate = trip.state.estimate(trip.trip)
        MapView(
            picture: trip.trip.map,
            isStale: age?.reason != nil,
            camera: camera,
            age: age?.received ?? age?.measured,
            estimate: estimate,
            showsReports: trip.state.mapControl.showsReports,
            basemap: trip.state.settings.basemap,
            isMonochrome: trip.state.isMonochrome,
            localizer: localizer
        )
        .draw(on: &canvas, in: rect)
    }

    /// Whether there is no news since before an expected arrival.
    var isSilent: Bool {
        if case .noReport? = trip.state.audienceClaim(of: trip.trip) { true } else { false }
    }

    /// Whether ``caption`` states a problem.
    var hasProblem: Bool { caption != StatusWords(trip.trip.state, localizer: localizer).text }

    /// Whether ``caption`` tells how many stops come before, which the large words do not.
    var hasStops: Bool {
        let shown = trip.trip.state
        guard let journey = shown.journey, !journey.status.isTerminal else { return false }
        return shown.foreignWaypointsAhead > 0 || journey.shipment?.remainingStopCount != nil
    }

    /// The role of the status, or the role of a warning while a problem hides whether it is still true.
    var role: Role {
        hasProblem ? .warning : StatusWords(trip.trip.state, localizer: localizer).role
    }

    /// The status as a sentence, or the problem in a few words.
    var caption: String {
        if trip.trip.isPaused, trip.trip.end == nil { return localizer(.presenterPaused) }
        if trip.trip.lastReport?.failure != nil, trip.trip.end == nil { return localizer(.noReport) }
        if let reason = PositionAge(of: trip.trip, at: trip.now)?.reason {
            return localizer(reason == .paused ? .presenterPaused : .positionOldSentence)
        }
        return StatusWords(trip.trip.state, localizer: localizer).text
    }

    /// Whether ``caption`` says how many stops come before that of a shipment.
    var countsStops: Bool {
        !hasProblem && trip.trip.state.journey?.status == .shipment(.open)
            && trip.trip.state.journey?.shipment?.remainingStopCount != nil
    }

    /// The status in large words, the longest first; of an open shipment, how far the vehicle is.
    static func phrases(of journey: Journey) -> [Text] {
        // A ride that has a driver does not wait for one.
        if journey.status == .trip(.new), journey.vehicleID != nil { return [.bigAssigned] }
        guard journey.status == .shipment(.open) else { return [phrase(journey.status)] }
        switch journey.shipment?.remainingStopCount {
        case let stops? where stops > 1: return [.bigStops(count: stops - 1), .bigStopsShort(count: stops - 1)]
        case 1: return journey.isAtOwnStop ? [.bigHere] : [.bigNext, .bigNextShort]
        default: return [journey.isOnTour ? .bigOnTour : .bigOpen]
        }
    }

    /// A status in one to three large words.
    static func phrase(_ status: JourneyStatus) -> Text {
        switch status {
        case .trip(.new): .bigWaiting
        case .trip(.enrouteToPickup): .bigToPickup
        case .trip(.arrivedAtPickup): .bigAtPickup
        case .trip(.enrouteToIntermediateDestination): .bigToStop
        case .trip(.arrivedAtIntermediateDestination): .bigAtStop
        case .trip(.enrouteToDropoff): .bigToDropoff
        case .trip(.complete): .bigComplete
        case .trip(.canceled): .bigCanceled
        case .shipment(.open): .bigOpen
        case .shipment(.succeeded): .bigSucceeded
        case .shipment(.failed): .bigFailed
        case .shipment(.closed): .bigClosed
        case .trip(.unrecognized), .shipment(.unrecognized): .bigUnknown
        }
    }
}
