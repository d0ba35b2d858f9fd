import Failures
import Foundation
import Runtime
import TripFeed

/// Texts of exported files: without tokens, control characters and direction marks.
///
/// Joiners and other harmless characters without width are part of a value, and stay.
///
/// A recording is redacted when it is written. Exports redact again, because a file may have been edited or have another origin.
enum ExportText {
    /// The maximum number of characters of a text other than an answer.
    static let longest = RecordedText.longest

    /// Returns a short text: a name or a message.
    static func short(_ text: String) -> String {
        visible(RecordedText.redacted(text))
    }

    /// Returns the body of an answer; line feeds and tabs are preserved.
    static func body(_ text: String) -> String {
        visible(AnswerText.redacted(text), preservesLines: true)
    }

    /// Returns a JSON value as one line without a line feed.
    static func json(_ value: JSONValue) -> [UInt8] { JSONBytes.encode(value) }

    private static func visible(_ text: String, preservesLines: Bool = false) -> String {
        guard text.unicodeScalars.contains(where: { isInvisible($0) }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            let isLine = preservesLines && (scalar == "\n" || scalar == "\r" || scalar == "\t")
            result.unicodeScalars.append(isInvisible(scalar) && !isLine ? "\u{FFFD}" : scalar)
        }
        return result
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.properties.generalCategory {
        case .format where ControlCharacters.isHarmless(scalar): return false
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: return true
        default: return scalar.value & 0xFFFE == 0xFFFE
        }
    }
}

extension JSONValue {
    /// An object of members; those that are `nil` are left out.
    static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
    }

    /// A short text of outside.
    static func text(_ text: String) -> JSONValue { .string(ExportText.short(text)) }

    /// The value with texts as ``ExportText/body(_:)`` returns them, in keys, too.
    var withExportedTexts: JSONValue {
        switch self {
        case .null, .bool, .number: self
        case .string(let text): .string(ExportText.body(text))
        case .array(let values): .array(values.map(\.withExportedTexts))
        case .object(let members):
            .object(members.map { Member(key: ExportText.body($0.key), value: $0.value.withExportedTexts) })
        }
    }

    /// A time in RFC 3339.
    static func time(_ date: Date) -> JSONValue { .string(Timestamp.text(date)) }

    /// An integer.
    static func integer(_ number: Int) -> JSONValue { .number(Double(number)) }
}

/// Converts the events of a session to a file of another format.
package protocol RecordingExporter {
    /// Takes the next event.
    mutating func handle(_ event: RecordedSession.Event)

    /// Returns the file after the last event.
    func finished() throws(ExportFailure) -> [UInt8]
}

/// Why a session cannot be exported in a format.
package enum ExportFailure: Error, Sendable, Equatable {
    /// The file contains no polls; a log never does.
    case noPolls
    /// No answer contains a position, a stop or a route.
    case noPlaces
    /// No trip was observed.
    case noTrips
}

extension RecordedSession {
    /// Returns the file of an exporter.
    package func export(with exporter: some RecordingExporter) throws(ExportFailure) -> [UInt8] {
        var exporter = exporter
        read { exporter.handle($0) }
        return try exporter.finished()
    }
}
