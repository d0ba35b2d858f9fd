import Recording
import Runtime
import TripFeed
import TripModel

/// Feeds the inputs of a recording to this program and compares its conclusions and screens with the recorded ones.
struct SessionVerification {
    /// What differs.
    enum Content: Equatable {
        /// A conclusion from an answer.
        case event(OutcomeCheck.Difference)
        /// A row of the screen, starting at 1.
        case screen(row: Int, recorded: String, computed: String)
    }

    /// The first difference.
    struct Difference: Equatable {
        /// The line of the file, starting at 1.
        var line: Int
        /// The recorded time.
        var moment: Moment
        /// What differs.
        var content: Content
        /// The computed screen, if a screen differs.
        var computed: ScreenPicture?
    }

    /// The first difference; `nil` if there is none.
    private(set) var first: Difference?
    /// The number of events that differ.
    private(set) var differentEvents = 0
    /// The number of screens that differ.
    private(set) var differentScreens = 0
    /// The number of compared polls.
    private(set) var polls = 0
    /// The number of compared screens.
    private(set) var screens = 0
    /// The number of recorded screens that show what the recording does not contain.
    private(set) var untracedScreens = 0
    /// The number of lines that were skipped because they are torn or unknown.
    private(set) var skipped = 0

    /// Whether this program concludes and shows what was recorded.
    var isEqual: Bool { first == nil }

    /// Verifies a recording.
    init(_ reader: RecordingReader, provider: ProviderID) {
        var reader = reader
        let count = max(1, reader.header.configuration.trips.count)
        var player = RecordingPlayer(provider: provider, trailLength: TripFeed.trailLength(for: count))
        var outcomes = OutcomeCheck(reader.header, provider: provider)
        var screen = ScreenReplay(reader.header, provider: provider)
        var picture: ScreenPicture?
        while let event = reader.next() {
            let item = player.item(of: event)
            for difference in outcomes.handle(event, item) {
                differentEvents += 1
                note(.event(difference), at: event.moment, reader.line)
            }
            screen?.handle(event, item)
            guard case .screen(let line) = event.content, line.rows != nil else { continue }
            picture = ScreenPicture.picture(of: line, after: picture)
            guard let screen, screen.isTraced, reader.skippedCount == 0, let picture else {
                untracedScreens += 1
                continue
            }
            screens += 1
            let computed = screen.picture
            guard computed != picture else { continue }
            differentScreens += 1
            note(Self.difference(picture, computed), at: event.moment, reader.line, computed)
        }
        polls = outcomes.polls
        skipped = reader.skippedCount
    }

    private mutating func note(_ content: Content, at moment: Moment, _ line: Int, _ picture: ScreenPicture? = nil) {
        guard first == nil else { return }
        first = Difference(line: line, moment: moment, content: content, computed: picture)
    }

    private static func difference(_ recorded: ScreenPicture, _ computed: ScreenPicture) -> Content {
        let rows = max(recorded.rows.count, computed.rows.count)
        func text(_ row: Int, of picture: ScreenPicture) -> String {
            picture.rows.indices.contains(row) ? picture.rows[row] : ""
        }
        let row = (0..<rows).first { text($0, of: recorded) != text($0, of: computed) } ?? 0
        return .screen(row: row + 1, recorded: text(row, of: recorded), computed: text(row, of: computed))
    }
}
