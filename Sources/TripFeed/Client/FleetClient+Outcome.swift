package import Failures
import FleetTokens
package import FleetWire
package import Foundation
import Runtime
import TokenSigning
package import TripModel

extension FleetClient {
    /// Returns the clock that is the cause of a refusal if the token breaks a rule by the service's clock alone.
    static func wrongClock(
        breaking rule: TokenFinding,
        _ token: BearerToken,
        _ call: AuthorizedCall,
        _ expectations: TokenInspection.Expectations
    ) -> TokenFinding? {
        guard rule.rule == .issuedAt || rule.rule == .expiry, let serverDate = call.serverDate else { return nil }
        // With an offset, the clock of the token's source differs from the local one, too. If its clock is not known, it may be
        // this machine's clock, as for a command or a key: then the service's clock decides.
        let source = token.properties.clockOffset
        guard abs((source ?? .zero).seconds) <= 5 else { return nil }
        let received = call.finished.wall
        guard !TripState.agrees(serverDate, sent: call.started.wall, received: received) else { return nil }
        let byLocalClock = TokenInspection.inspect(token, expectations, now: received).findings
        guard !byLocalClock.contains(where: { $0.rule == rule.rule && $0.verdict == .broken }) else { return nil }
        let offset = Duration(clampedSeconds: serverDate.timeIntervalSince(received))
        return .wrongClock(source == nil ? .here : .service, breaking: rule.rule, offset: offset)
    }

    /// Interprets an answer over REST.
    package static func outcome(
        of response: HTTPTransportResponse,
        for request: JourneyRequest,
        now: Date
    ) -> Result<Journey, Failure> {
        outcome(of: FleetAnswer(response), for: request, now: now)
    }

    /// Interprets an answer.
    package static func outcome(
        of answer: FleetAnswer,
        for request: JourneyRequest,
        now: Date
    ) -> Result<Journey, Failure> {
        Result { () throws(Failure) in
            let body = try body(of: answer, now: now)
            let journey: Journey
            do throws(WireError) {
                journey = try self.journey(request.journey, in: body)
            } catch {
                throw .unreadable(error)
            }
            guard journey.id == request.journey else { throw .anotherTrip(journey.id) }
            return journey
        }
    }

    /// Reads a trip or a shipment, with the requested spelling of its ID.
    ///
    /// The service normalizes IDs: it may answer with another spelling of the same characters.
    static func journey(_ id: JourneyID, in body: [UInt8]) throws(WireError) -> Journey {
        switch id {
        case .trip(let id):
            var trip = try TripCoding.decode(body)
            if trip.id.rawValue == id.rawValue { trip.id = id }
            return .trip(trip)
        case .shipment(let id):
            var shipment = try TaskTrackingCoding.decode(body)
            if shipment.trackingID.rawValue == id.rawValue { shipment.trackingID = id }
            return .shipment(shipment)
        }
    }

    /// Returns the body of a successful answer.
    static func body(of answer: FleetAnswer, now: Date) throws(Failure) -> [UInt8] {
        let response = answer.response
        if let reason = answer.remote?.problem { throw .unreadable(.unexpected(path: "", reason: reason)) }
        let title = webPageTitle(response)
        // The front ends of services write their own errors as web pages.
        if let title, response.status < 500 {
            throw .webPage(httpStatus: response.status, title: title.isEmpty ? nil : title)
        }
        switch response.status {
        case 200..<300: return response.body
        // A 304 answers a conditional request, which this client does not send: it is the error of a cache.
        case 300..<304, 305..<400: throw .redirected(httpStatus: response.status)
        default:
            var error = ServiceAnswer(httpStatus: response.status, body: response.body)
            error.grpcStatus = answer.remote?.status
            if let title, !title.isEmpty { error.message = title }
            let header = response.header("retry-after").flatMap { HTTPDate.retryAfter($0, now: now) }
            throw .service(error, retryAfter: [header, error.retryDelay].compactMap(\.self).max())
        }
    }

    /// Returns the title of a web page, empty if it has none; `nil` if the body is not a web page.
    private static func webPageTitle(_ response: HTTPTransportResponse) -> String? {
        let start = String(decoding: response.body.prefix(4096), as: UTF8.self)
        let opening = start.drop { $0.isWhitespace }.prefix(15).lowercased()
        let isPage =
            response.header("content-type")?.lowercased().hasPrefix("text/html") == true
            || opening.hasPrefix("<!doctype html") || opening.hasPrefix("<html")
        guard isPage else { return nil }
        guard let open = start.range(of: "<title>", options: .caseInsensitive),
            let close = start.range(of: "</title>", options: .caseInsensitive),
            open.upperBound <= close.lowerBound
        else { return "" }
        return String(start[open.upperBound..<close.lowerBound]).bounded(to: 120)
    }
}
