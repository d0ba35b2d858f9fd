import Canvas
import FleetTokens
import TripFeed
import TripText

/// The notes of a presenter: plain text with a section for each scenario or chapter.
///
/// ```text
/// What is in front of the first section is shown with every scenario.
///
/// # traffic-jam
/// Wait until the delay is shown.
/// ```
package struct PresenterNotes: Sendable, Equatable {
    private struct Section: Equatable {
        var name: String
        var lines: [String]
    }

    /// The lines in front of the first section.
    private var common: [String] = []
    private var sections: [Section] = []

    /// Reads notes; every text is valid.
    package init(_ text: String) {
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init) {
            if line.hasPrefix("# ") {
                sections.append(Section(name: Self.normalized(line.dropFirst(2)), lines: []))
            } else if sections.isEmpty {
                common.append(line)
            } else {
                sections[sections.count - 1].lines.append(line)
            }
        }
    }

    /// Returns the common lines and the lines of the sections with one of these names, regardless of case.
    package func lines(for names: [String]) -> [String] {
        let names = Set(names.map { Self.normalized($0[...]) })
        let blocks = [common] + sections.filter { names.contains($0.name) }.map(\.lines)
        return blocks.map(Self.trimmed).filter { !$0.isEmpty }.joined(separator: [""]).map(\.self)
    }

    private static func normalized(_ name: Substring) -> String {
        name.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    }

    /// Returns lines without empty ones at both ends.
    private static func trimmed(_ lines: [String]) -> [String] {
        func isEmpty(_ line: String) -> Bool { line.allSatisfy(\.isWhitespace) }
        let rest = lines.drop(while: isEmpty)
        return Array(rest[..<(rest.lastIndex { !isEmpty($0) }.map { $0 + 1 } ?? rest.startIndex)])
    }
}

/// What a presenter's console shows about the screen of the audience.
extension State {
    /// The status of the trip and of the connection.
    package var presenterTrip: PresenterReport.Sentence {
        guard let trip else { return PresenterReport.Sentence(settings.localizer(.noTripFollowed), .warning) }
        let words = StatusWords(trip.state, localizer: settings.localizer)
        let connection = Connection(of: trip, in: self)
        let tone = connection.isGood ? words.role : connection.role
        return PresenterReport.Sentence(
            "\(words.text) \(settings.glyphs.separator) \(connection.text)",
            PresenterReport.Tone(tone)
        )
    }

    /// What the token of the trip does now and next.
    package var presenterToken: PresenterReport.Sentence {
        guard let trip else { return PresenterReport.Sentence("") }
        let view = TripView(state: self, trip: trip)
        guard let token = trip.token else { return PresenterReport.Sentence(view.whyNoToken) }
        let life = TokenLife(token, now: view.serviceNow(token))
        let story = view.story(of: token, life, isOver: trip.end != nil, width: Self.consoleLine)
        return PresenterReport.Sentence(story.text, PresenterReport.Tone(story.role))
    }

    /// The columns of a sentence in a console of 80 columns, beside its label.
    private static let consoleLine = 70

    /// What the audience reads: the caption, or the page between two rides.
    package var presenterCaption: String {
        titlePage.map { "\($0.title) \(settings.glyphs.separator) \($0.about)" } ?? audienceCaption
    }
}
