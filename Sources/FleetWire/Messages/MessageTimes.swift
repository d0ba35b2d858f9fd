import FleetEngineProtos
package import Foundation
import Runtime
package import SwiftProtobuf
package import TripModel

extension Google_Protobuf_Timestamp {
    /// Creates a timestamp with microsecond precision within the range of the message: year 1 to year 9999.
    package init(_ date: Date) {
        let seconds = date.timeIntervalSince1970
        let total = ((seconds.isNaN ? 0 : min(max(seconds, -62_135_596_800), 253_402_300_799)) * 1e6).rounded()
        let (whole, micros) = Int64(total).flooredDivision(by: 1_000_000)
        self.init(seconds: whole, nanos: Int32(micros * 1000))
    }

    /// The time in whole microseconds, rounded down: 999,999,999 ns are not yet the next second.
    package var time: Date { Date(timeIntervalSince1970: Double(seconds) + Double(nanos / 1000) / 1e6) }

    /// The version, in the only form that ProtoJSON has for the time.
    package var version: TripModel.Version { TripModel.Version(text) }
}

extension Date {
    /// The time as a message.
    var timestamp: Google_Protobuf_Timestamp { Google_Protobuf_Timestamp(self) }
}

extension TripModel.Version {
    /// The version as a timestamp; `nil` if it is none.
    package var timestamp: Google_Protobuf_Timestamp? { Timestamp.message(rawValue) }
}

extension Google_Protobuf_Duration {
    /// Creates a duration with millisecond precision within the range of the message.
    package init(_ duration: Duration) {
        // ±10,000 years.
        let millis = Int((min(max(duration.seconds, -315_576_000_000), 315_576_000_000) * 1000).rounded())
        self.init(seconds: Int64(millis / 1000), nanos: Int32(millis % 1000 * 1_000_000))
    }

    /// The duration.
    package var length: Duration { .seconds(seconds) + .nanoseconds(Int64(nanos)) }
}

extension Google_Protobuf_Int32Value {
    package init(_ distance: Distance) { self.init(distance.wholeMeters) }
}

extension Distance {
    /// The length in whole meters, as an `int32`.
    var wholeMeters: Int32 {
        meters.isFinite ? Int32(min(max(meters.rounded(), -2_147_483_648), 2_147_483_647)) : 0
    }
}

extension LatLngMessage {
    package init(_ coordinate: Coordinate) {
        self.init()
        (latitude, longitude) = (coordinate.latitude, coordinate.longitude)
    }

    /// The coordinate; `nil` if the numbers are out of range.
    package var coordinate: Coordinate? {
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        return coordinate.isValid ? coordinate : nil
    }
}

extension TerminalMessage {
    package init(_ coordinate: Coordinate) {
        self.init()
        point = LatLngMessage(coordinate)
    }

    /// The coordinate; `nil` without one.
    package var coordinate: Coordinate? { hasPoint ? point.coordinate : nil }
}

extension String {
    /// The text; `nil` if it is empty, which is the same as none.
    var nonEmpty: String? { isEmpty ? nil : self }
}

extension Array {
    /// The list; `nil` if it is empty, which is the same as none.
    var nonEmpty: Self? { isEmpty ? nil : self }
}

extension Int64 {
    /// Divides, rounding down, with a non-negative remainder.
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension Message {
    /// The text of a message whose JSON form is a string, such as a time in its range.
    var text: String {
        // Times and durations that were decoded or created here are in the ranges of those that have a text.
        (try? jsonString()).map { String($0.dropFirst().dropLast()) } ?? ""
    }

    /// Sets a field; `nil` leaves it unset.
    mutating func set<Value>(_ field: WritableKeyPath<Self, Value>, _ value: Value?) {
        if let value { self[keyPath: field] = value }
    }
}

extension Timestamp {
    /// Parses a time with all its digits; `nil` if it is invalid.
    static func message(_ text: String) -> Google_Protobuf_Timestamp? {
        // The reason does not matter: an invalid time counts as missing, or its caller reports it.
        try? Google_Protobuf_Timestamp(jsonUTF8Bytes: Array("\"\(text)\"".utf8))
    }
}

/// A ProtoJSON duration: seconds with 0 to 9 fractional digits and an `s`, such as `"53.076652s"`; may be negative.
package enum DurationText {
    /// Parses a duration; `nil` if it is invalid.
    package static func duration(_ text: String) -> Duration? {
        // The reason does not matter: an invalid duration counts as missing, or its caller reports it.
        (try? Google_Protobuf_Duration(jsonUTF8Bytes: Array("\"\(text)\"".utf8)))?.length
    }

    /// Formats a duration with millisecond precision.
    package static func text(_ duration: Duration) -> String { Google_Protobuf_Duration(duration).text }
}

extension Date {
    /// This time with the precision of its text in a message.
    package var inWholeMicroseconds: Date { timestamp.time }
}
