package import Foundation

extension HTTPDate {
    /// Returns the time of the sender when it sent an answer; `nil` without a valid `Date`.
    ///
    /// The answer of a cache has the `Date` of its origin and an `Age` (RFC 9111, section 4.2.3).
    ///
    /// - Parameters:
    ///   - date: The header `Date`.
    ///   - age: The header `Age`.
    /// - Returns: The time in whole seconds.
    package static func timeOfSending(date: String?, age: String?) -> Date? {
        date.flatMap(HTTPDate.date).map { $0 + seconds(ofAge: age) }
    }

    /// Parses an `Age` header in seconds, from 0 to one day; 0 if there is none.
    package static func seconds(ofAge text: String?) -> Double {
        text.flatMap { Int($0) }.map { Double(min(max($0, 0), 86_400)) } ?? 0
    }
}
