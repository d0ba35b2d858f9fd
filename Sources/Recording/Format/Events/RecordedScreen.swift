/// How far the screen had read the events of the session, and what it showed then.
///
/// The time of the line is the time that the screen knew. With it, the screen depends on the lines of the recording only.
package struct RecordedScreen: Sendable, Equatable, Codable {
    /// The number of preceding lines of polls and tokens that the screen had read.
    package var seen: Int
    /// Virtual seconds per real second, if it differs from the speed of the previous screen.
    package var speed: Double?
    /// The columns of a complete picture; `nil` for one that repeats rows of the picture before.
    package var width: Int?
    /// The rows of a complete picture.
    package var height: Int?
    /// The text of the rows by their numbers, starting at 0, without trailing blanks; `nil` without a picture.
    ///
    /// Rows that are missing are blank in a complete picture, otherwise as in the picture before.
    package var rows: [String: String]?

    package init(seen: Int, speed: Double? = nil, _ changes: ScreenPicture.Changes? = nil) {
        (self.seen, self.speed) = (seen, speed)
        (width, height, rows) = (changes?.width, changes?.height, changes?.rows)
    }
}

/// A message that the screen received from outside of polls, tokens and the terminal.
package struct RecordedMessage: Sendable, Equatable, Codable {
    /// The kind of message.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// The result of a command, in the bottom line.
        case complaint, saved
        /// An entry of the event log.
        case notice
        /// The active faults, separated by commas.
        case faults
        /// What the screen says about notices that are not delivered yet; empty if there is nothing to say.
        case delivery
        /// The map of the demo town appeared.
        case town
        /// Another map appeared, which the recording does not contain.
        case map
        /// The screen lost the sequence of the events, or shows what the recording does not contain.
        case untraced
    }

    /// The kind.
    package var kind: Kind
    /// The text, without possible tokens.
    package var text: String

    package init(_ kind: Kind, _ text: String = "") {
        self.kind = kind
        self.text = RecordedText.redacted(text, limit: RecordedText.longestNote)
    }
}

/// The picture of a screen in text: rows without trailing blanks.
package struct ScreenPicture: Sendable, Equatable {
    /// The rows that differ from the picture before.
    package struct Changes: Sendable, Equatable {
        /// The size of a complete picture.
        package var width: Int?
        package var height: Int?
        /// The changed rows by number.
        package var rows: [String: String]

        /// The approximate size of the line in bytes.
        var size: Int { rows.values.reduce(120) { $0 + $1.utf8.count + 8 } }
    }

    /// The maximum number of columns and of rows.
    package static let largest = 1000

    /// The columns of the terminal.
    package var width: Int
    /// The rows.
    package var rows: [String]

    /// The rows that differ from another picture; all that are not blank if there is none or its size differs.
    package func changes(since old: ScreenPicture?) -> Changes {
        guard let old, old.width == width, old.rows.count == rows.count else {
            let filled = rows.enumerated().filter { !$1.isEmpty }.map { (String($0), $1) }
            return Changes(width: width, height: rows.count, rows: Dictionary(uniqueKeysWithValues: filled))
        }
        let changed = rows.indices.filter { rows[$0] != old.rows[$0] }.map { (String($0), rows[$0]) }
        return Changes(rows: Dictionary(uniqueKeysWithValues: changed))
    }

    /// Returns the picture of a line; `nil` without one, and if the picture before is missing.
    package static func picture(of line: RecordedScreen, after old: ScreenPicture?) -> ScreenPicture? {
        guard let rows = line.rows else { return nil }
        var picture: ScreenPicture
        if let width = line.width, let height = line.height {
            guard (0...largest).contains(width), (0...largest).contains(height) else { return nil }
            picture = ScreenPicture(width: width, rows: Array(repeating: "", count: height))
        } else {
            guard let old else { return nil }
            picture = old
        }
        for (number, text) in rows {
            guard let number = Int(number), picture.rows.indices.contains(number) else { return nil }
            picture.rows[number] = text
        }
        return picture
    }
}

/// Decides which pictures of the screen are recorded, so that they stay a small part of the recording.
package struct ScreenPictureLog: Sendable {
    /// The number of bytes of pictures that every recording may contain.
    static let allowance = 64 << 10
    /// The size of the other lines divided by the further size of the pictures.
    static let share = 4

    private var last: ScreenPicture?
    private var size = 0
    /// The size of the changes that were too large last; 0 if the last ones were recorded.
    private var missing = 0

    /// Creates an empty log.
    package init() {}

    /// Decides whether a picture may be recorded now; if not, it need not be made.
    ///
    /// A picture that was too large is tried again when there is room for it.
    ///
    /// - Parameter bytes: The size of all lines of the recording.
    /// - Returns: Whether there is room.
    package func hasRoom(bytes: Int) -> Bool { size + missing <= limit(bytes: bytes) }

    /// The size that the pictures may have now.
    private func limit(bytes: Int) -> Int { Self.allowance + max(0, bytes - size) / Self.share }

    /// Decides what to record of a picture.
    ///
    /// - Parameters:
    ///   - picture: What the screen shows.
    ///   - bytes: The size of all lines of the recording.
    ///   - isLast: Whether it is the last picture, which is recorded in any case.
    /// - Returns: What to record; `nil` if the picture is equal to the last one or too large for now.
    package mutating func changes(to picture: ScreenPicture, bytes: Int, isLast: Bool = false) -> ScreenPicture.Changes?
    {
        guard picture != last else { return nil }
        let changes = picture.changes(since: last)
        guard isLast || size + changes.size <= limit(bytes: bytes) else {
            missing = changes.size
            return nil
        }
        missing = 0
        size += changes.size
        last = picture
        return changes
    }
}
