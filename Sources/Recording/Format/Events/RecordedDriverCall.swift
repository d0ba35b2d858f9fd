import FleetWire
import Foundation
import TripFeed
package import TripModel

/// A report of the driver of a followed trip, in a demo.
package struct RecordedDriverCall: Sendable, Equatable, Codable {
    /// The trip.
    package var trip: String
    /// The ID of the vehicle.
    package var vehicle: String
    /// The HTTP method.
    package var method: String
    /// The URL with its query.
    package var url: String
    /// The body of the request.
    package var body: String
    /// When the call ended.
    package var finished: RecordedMoment
    /// The duration in real time, in seconds.
    package var latency: Double
    /// The HTTP status of the answer; `nil` without one.
    package var status: Int?
    /// The size of the answer in bytes; `nil` without one.
    package var size: Int?
    /// Why it failed, as a code; `nil` if it succeeded.
    package var code: String?
    /// The message about the failure; `nil` if there is none.
    package var message: String?

    /// Converts a call.
    package init(trip: JourneyID, _ call: DriverCall) {
        self.trip = trip.name
        (vehicle, method) = (call.vehicle, call.method)
        url = AnswerText.redacted(call.url)
        body = AnswerText.redacted(call.body)
        (finished, latency) = (RecordedMoment(call.finished), call.latency.recordedExactly)
        (status, size, code) = (call.status, call.bytes, call.failure?.code)
        message = call.failure?.message.map { RecordedText.redacted($0) }
    }

    /// The call; `nil` if a value is invalid, as only in an edited file.
    var driverCall: DriverCall? {
        guard let finished = finished.moment else { return nil }
        var call = DriverCall(
            vehicle: vehicle,
            method: method,
            url: url,
            body: body,
            finished: finished,
            latency: Duration(recorded: latency)
        )
        (call.status, call.bytes) = (status, size)
        call.failure = code.map { DriverCall.Failure(code: $0, message: message) }
        return call
    }
}
