/// A key, a mouse action or a paste that changed something on the screen.
package struct RecordedKey: Sendable, Equatable, Codable {
    /// The name of a key as in scripts, such as `a`, `tab` or `c-l`; `nil` for the mouse and for a paste.
    package var key: String?
    /// The mouse action: `press`, `drag`, `release`, `wheelUp` or `wheelDown`.
    package var mouse: String?
    /// The column of the mouse, starting at 0.
    package var x: Int?
    /// The row of the mouse, starting at 0.
    package var y: Int?
    /// The pasted text, without possible tokens.
    package var paste: String?

    package init(
        key: String? = nil,
        mouse: String? = nil,
        x: Int? = nil,
        y: Int? = nil,
        paste: String? = nil
    ) {
        (self.key, self.mouse, self.x, self.y) = (key, mouse, x, y)
        self.paste = paste.map { RecordedText.redacted($0, limit: RecordedText.longestNote) }
    }
}

/// The new size of the terminal in cells.
package struct RecordedSize: Sendable, Equatable, Codable {
    /// The number of columns.
    package var width: Int
    /// The number of rows.
    package var height: Int
}

/// A change of the clock; the times of the line are those after the change.
package struct RecordedClock: Sendable, Equatable, Codable {
    /// Virtual seconds per real second; 0 while the clock is paused.
    package var speed: Double
}

/// An injected fault.
package struct RecordedFault: Sendable, Equatable, Codable {
    /// The name of the fault.
    package var name: String
    /// Whether it was injected; `false` if it was cleared.
    package var isActive: Bool
    /// The parameters by name.
    package var parameters: [String: String]

    package init(name: String, isActive: Bool, parameters: [String: String] = [:]) {
        (self.name, self.isActive) = (name, isActive)
        self.parameters = parameters.mapValues { RecordedText.redacted($0, limit: RecordedText.longestNote) }
    }
}

/// A text about this time of the session.
package struct RecordedNote: Sendable, Equatable, Codable {
    /// The origin of a text.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// The user wrote it.
        case note
        /// The user marked the time; the text may be empty.
        case mark
        /// The caption of a scenario.
        case caption
    }

    /// The origin.
    package var kind: Kind
    /// The text, without possible tokens.
    package var text: String
    /// The conditions under which a caption is shown, such as `status ENROUTE_TO_PICKUP`; `nil` without any.
    package var `while`: String?
    /// When the user began to write: RFC 3339, UTC; `nil` for a caption.
    package var noted: String?
    /// The shown trip.
    package var trip: String?
    /// The status of that trip.
    package var status: String?
    /// The rows of the screen when the user began to write, without possible tokens.
    package var screen: [String]?

    /// The maximum number of rows.
    static let mostRows = 500

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = RecordedText.redacted(text, limit: RecordedText.longestNote)
    }
}
