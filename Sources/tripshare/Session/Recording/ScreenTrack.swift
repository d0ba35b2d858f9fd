import Recording
import Runtime
import TripModel
import TripScreen

/// Follows how far the screen has read the events of a session, so that it can be computed again from the recording.
struct ScreenTrack: Sendable {
    /// The number of events that were posted when the screen last read all that had arrived.
    private var seen = 0
    private var recordedSeen = 0
    private var moment: Moment
    private var rate: Double
    private var recordedRate: Double
    /// Whether the current time is not recorded.
    private var isNew = true
    /// Whether the screen may have changed since the last picture by more than time.
    private var isDue = true
    private var pictures = ScreenPictureLog()

    /// Creates a track at the start of a session.
    init(at moment: Moment, rate: Double) {
        self.moment = moment
        (self.rate, recordedRate) = (rate, rate)
    }

    /// Sets the time that the screen knows.
    mutating func advance(to now: Moment, rate: Double) {
        (moment, self.rate, isNew) = (now, rate, true)
    }

    /// Notes that the screen reads all events up to a number.
    mutating func read(upTo number: Int) { seen = number }

    /// Returns the line before an input of the screen; `nil` if the time is recorded.
    mutating func step() -> RecordedEvent? {
        isDue = true
        return isNew ? line() : nil
    }

    /// Records that the screen was drawn.
    ///
    /// - Parameters:
    ///   - picture: What the screen shows; `nil` for a picture that must not be recorded. It is made only if it may be recorded:
    ///     most frames differ from the previous frame by time alone.
    ///   - bytes: The size of the recording.
    ///   - dependsOnTime: Whether the screen depends on each time at which it was drawn.
    ///   - isLast: Whether the session has ended.
    /// - Returns: The line to write; `nil` if there is nothing to record.
    mutating func drawn(
        _ picture: @autoclosure () -> ScreenPicture?,
        bytes: Int,
        dependsOnTime: Bool,
        isLast: Bool
    ) -> RecordedEvent? {
        if isDue || isLast || seen != recordedSeen, isLast || pictures.hasRoom(bytes: bytes),
            let changes = picture().flatMap({ pictures.changes(to: $0, bytes: bytes, isLast: isLast) })
        {
            isDue = false
            return line(changes)
        }
        if seen != recordedSeen { isDue = true }
        return seen != recordedSeen || dependsOnTime ? line() : nil
    }

    private mutating func line(_ changes: ScreenPicture.Changes? = nil) -> RecordedEvent {
        let speed = rate == recordedRate ? nil : rate
        (recordedSeen, recordedRate, isNew) = (seen, rate, false)
        return RecordedEvent(.screen(RecordedScreen(seen: seen, speed: speed, changes)), at: moment)
    }
}

/// The text that is being typed, so that a token in it is not recorded key by key.
///
/// Each key is a line of its own in a recording, so that the redaction of lines does not find a token. From the character
/// with which the word is recognized as a part of a token, each character of the word is recorded as a bullet.
struct TypedText {
    private static let longestWord = 4096

    private let secrets: KnownSecrets
    private var word = ""

    init(secrets: KnownSecrets = .ofProcess) { self.secrets = secrets }

    /// Returns the key as it is recorded.
    mutating func recorded(_ key: Key) -> Key {
        switch key {
        case .character(let character) where !character.isWhitespace:
            if word.utf8.count < Self.longestWord { word.append(character) }
            return secrets.redacted(word) == word && word.withoutTokens == word ? key : .character("•")
        case .backspace:
            word = String(word.dropLast())
            return key
        default:
            word = ""
            return key
        }
    }
}
