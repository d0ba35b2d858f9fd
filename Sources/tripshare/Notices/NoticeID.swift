import Crypto
import Foundation
import Runtime
import TripModel
import TripText

/// The stable ID of a notice: the same event has the same ID, also in a second run of the same recording.
///
/// It is a part of a SHA-256 hash in hexadecimal digits, so that it is the same on every machine and tells nothing about the trip.
struct NoticeID: Hashable, Sendable {
    /// 32 hexadecimal digits.
    let text: String

    /// Takes over the ID of a notice that was stored.
    init(text: String) { self.text = text }

    /// Creates the ID of an event.
    ///
    /// - Parameters:
    ///   - provider: The project that owns the trip.
    ///   - journey: The journey's name.
    ///   - event: The event with its number, such as `arrival:5`.
    ///   - time: When it was noticed; whole milliseconds count.
    ///   - number: The number among the events with the same name, journey and time, from 0.
    init(provider: String, journey: String, event: String, time: Date, number: Int) {
        let milliseconds = Int(clamped: (time.timeIntervalSince1970 * 1000).rounded())
        // Lengths separate the parts, because an ID from outside may contain every character.
        let parts = [provider, journey, event, String(milliseconds), String(number)]
        text = Self.hash(parts.map { "\($0.utf8.count):\($0)" }.joined(), bytes: 16)
    }

    /// Returns the first bytes of the SHA-256 hash of a text in hexadecimal digits.
    static func hash(_ text: String, bytes: Int) -> String {
        SHA256.hash(data: Data(text.utf8)).prefix(bytes)
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// Gives each notice its ID: counts the equal ones of each journey at one time.
struct NoticeNumbering: Sendable {
    private struct Last {
        var milliseconds: Int
        var count: Int
    }

    private let provider: String
    /// The latest time of each event of each journey, and how many equal ones it has.
    private var last: [String: [String: Last]] = [:]

    /// Starts with no notices.
    init(provider: String) { self.provider = provider }

    /// Returns the ID of the next notice.
    mutating func id(of notice: Notice) -> NoticeID {
        let (journey, event) = (notice.journey.name, notice.name)
        let milliseconds = Int(clamped: (notice.time.wall.timeIntervalSince1970 * 1000).rounded())
        let before = last[journey]?[event]
        let number = before?.milliseconds == milliseconds ? before?.count ?? 0 : 0
        last[journey, default: [:]][event] = Last(milliseconds: milliseconds, count: number + 1)
        return NoticeID(
            provider: provider,
            journey: journey,
            event: event,
            time: notice.time.wall,
            number: number
        )
    }
}
