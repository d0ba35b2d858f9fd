import Failures
import Foundation
import Runtime
package import TripFeed
package import TripModel

/// The words for what driver, server and rider know about a trip.
extension Localizer {
    /// The name of a side of a trip or a shipment.
    package func name(of side: TripSide, in kind: JourneyKind) -> String {
        switch side {
        case .driver: self(.sideDriver)
        case .server: self(.sideServer)
        case .rider: self(kind == .trip ? .sideRider : .sideRecipient)
        }
    }

    /// Returns a position in degrees with five digits, about 1 m: `37.34309, -122.06970`.
    package func position(_ coordinate: Coordinate) -> String {
        String(
            format: "%.5f, %.5f",
            locale: Locale(identifier: "en_US_POSIX"),
            coordinate.latitude,
            coordinate.longitude
        )
    }

    /// Returns a report as one line: `Driver: UpdateVehicle, Vehicle_1, 37.34309, -122.06970, 35 km/h, 2 waypoints`.
    package func line(of report: SideReport, side: TripSide, in kind: JourneyKind, zone: Zone) -> String {
        let values: [String?] = [
            report.method, report.status?.name, report.vehicle?.rawValue, report.navigation,
            report.location?.coordinate.map(position), report.location?.speed.map { speed($0) },
            report.waypointsLeft.map { self(.waypoints(count: $0)) },
            report.distance.map { self(.distanceToGo(distance: distance($0))) },
            report.arrival.map { "\(self(.arrival)) \(zone.clock($0))" },
        ]
        let line = values.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: self(.listComma))
        return "\(name(of: side, in: kind)): \(Reporter.sanitized(line, limit: 400))"
    }

    /// Returns a difference as a sentence without a full stop.
    package func sentence(of difference: SideDifference) -> String {
        let duration = span(.seconds(abs(difference.seconds ?? 0).rounded()))
        let server = Reporter.sanitized(difference.server ?? "", limit: 64)
        let rider = Reporter.sanitized(difference.rider ?? "", limit: 64)
        return switch difference.kind {
        case .status: self(.sideStatus(rider: rider, server: server))
        case .statusNotFetched: self(.sideStatusNotFetched(server: server, rider: rider))
        case .vehicle: self(.sideVehicle(rider: rider, server: server))
        case .positionOlder: self(.sidePositionOlder(duration: duration))
        case .positionNotFetched: self(.sidePositionNotFetched(duration: duration))
        case .positionApart: self(.sidePositionApart(distance: distance(Distance(meters: difference.meters ?? 0))))
        case .waypoints: self(.sideWaypoints(rider: rider, server: server))
        case .arrival:
            self(
                (difference.seconds ?? 0) < 0
                    ? .sideArrivalLater(duration: duration) : .sideArrivalEarlier(duration: duration)
            )
        }
    }
}

extension UserMessage {
    /// Describes why the service refused a call of a side, and what to do.
    package init(_ refused: SideError, side: TripSide, journey: JourneyID, localizer: Localizer = .english) {
        let error = refused.error
        let failure = Failure.service(error, retryAfter: nil)
        let status = error.httpStatus == 0 ? "" : "\(error.httpStatus) "
        let code = error.status.map { Reporter.sanitized($0, limit: 40) } ?? localizer(.errorWord)
        let message =
            error.message.map { localizer(.saidDetail(message: Reporter.sanitized($0, limit: 160))) } ?? ""
        let times = refused.count == 1 ? "" : localizer(.findingTimes(number: String(refused.count)))
        let host = "Fleet Engine"
        // The rider's refusals are refusals of polls, whose advice depends on the service's message.
        let advice =
            Self.sideAdvice(error.httpStatus, side)
            .map { localizer($0) }
            ?? UserMessage(failure, nil, journey: journey, host: host, localizer: localizer).last.advice
        self.init(
            status + code,
            localizer(
                .sideRefused(
                    side: localizer.name(of: side, in: journey.kind),
                    call: refused.method,
                    status: status + code,
                    detail: message
                )
            ) + times,
            advice
        )
        blame(Diagnosis(failure), localizer)
    }

    /// The causes that depend on the side.
    private static func sideAdvice(_ status: Int, _ side: TripSide) -> Text? {
        switch (status, side) {
        case (401, _): .sideUnauthorized
        case (403, .driver): .sideForbiddenDriver
        case (403, .server): .sideForbiddenServer
        case (404, .driver): .sideNoVehicle
        case (404, .server): .sideNoTrip
        case (409, _): .sideExists
        case (400, .driver), (400, .server): .sideBadRequest
        case (429, .driver), (429, .server): .sideQuota
        default: nil
        }
    }
}
