package import Foundation
import Runtime
import SwiftProtobuf

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
