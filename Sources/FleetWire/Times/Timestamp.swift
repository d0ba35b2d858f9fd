package import Foundation
import SwiftProtobuf
import TripModel

/// A ProtoJSON timestamp: RFC 3339 with `Z` and 0, 3, 6 or 9 fractional digits; any offset up to 13 hours is accepted.
///
/// A `Date` has a precision of about 0.1 µs for current times, so six digits survive a round trip and nine do not. Times that
/// must be returned unchanged are stored as `Version`.
package enum Timestamp {
    /// Parses a time; `nil` if it is invalid.
    package static func date(_ text: String) -> Date? { message(text)?.time }

    /// Parses a time; `nil` if it is invalid.
    static func message(_ text: String) -> Google_Protobuf_Timestamp? {
        // The reason does not matter: an invalid time counts as missing, or its caller reports it.
        try? Google_Protobuf_Timestamp(jsonUTF8Bytes: Array("\"\(text)\"".utf8))
    }

    /// Formats a time in UTC with microsecond precision and as few digits as possible.
    package static func text(_ date: Date) -> String { Google_Protobuf_Timestamp(date).text }
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
    /// The time that remains of this one in a message: ``Timestamp/date(_:)`` of its ``Timestamp/text(_:)``.
    package var inWholeMicroseconds: Date { timestamp.time }
}
