import Foundation
import Runtime

/// Converts headers and events to lines of a recording and back.
///
/// A line is one JSON object and a line feed; `Assets/Schemas/recording-3.0.schema.json` describes all of them. Every line begins with its `type`; `at` and `time` follow, so that a reader finds
/// them without parsing the rest.
package enum RecordingLine {
    /// The maximum length of a line in bytes that a reader accepts; the program writes at most about 200 kB.
    package static let longest = 4 << 20

    /// The maximum length of a header in bytes that a reader accepts; the program writes at most about 80 kB.
    package static let longestHeader = 256 << 10

    /// Why a line is not an event.
    package enum Problem: Error, Sendable, Equatable {
        /// Not JSON; the last line of a file may have been cut off.
        case notJSON
        /// The type is unknown; a newer program wrote it.
        case unknownType(String)
        /// A member is missing or has another type.
        case unexpected
        /// The line exceeds ``RecordingLine/longest``.
        case tooLong
    }

    /// Returns the first line of a recording, including the line feed.
    package static func bytes(_ header: RecordingHeader) -> [UInt8] {
        finished(#"{"type":"header","# + members(of: header))
            // A header has the names of trips only, so it can contain a token only by intent.
            ?? Array("{}\n".utf8)
    }

    /// Returns an event as a line, including the line feed.
    ///
    /// Known tokens and parts of them are replaced in the whole line, also if they are split over several members. If the
    /// result is not JSON, a note replaces the event.
    package static func bytes(_ event: RecordedEvent) -> [UInt8] {
        let start = """
            {"type":"\(event.content.type.rawValue)","at":\(event.at.recorded),"time":"\(Timestamp.text(event.time))",
            """
        if let line = finished(start + members(of: event.content.payload)) { return line }
        let note = RecordedNote(.note, "An event of type \(event.content.type.rawValue) contained a token.")
        return bytes(RecordedEvent(.note(note), at: event.moment))
    }

    /// Returns the event of a line without the line feed.
    package static func event(_ line: some Collection<UInt8>) throws(Problem) -> RecordedEvent {
        guard line.count <= longest else { throw .tooLong }
        do {
            return try JSONDecoder().decode(RecordedEvent.self, from: Data(line))
        } catch {
            throw problem(of: Data(line))
        }
    }

    /// Returns the header of a line; `nil` if the line is not a header of a recording.
    package static func header(_ line: some Collection<UInt8>) -> RecordingHeader? {
        guard line.count <= longest else { return nil }
        // The reason does not matter: a file with another first line is not a recording.
        let header = try? JSONDecoder().decode(RecordingHeader.self, from: Data(line))
        return header?.format == RecordingHeader.formatName ? header : nil
    }

    /// Returns the format version of a line; `nil` if it is not the first line of a recording of any version.
    package static func version(_ line: some Collection<UInt8>) -> RecordingHeader.Version? {
        guard line.count <= longest,
            // See ``header(_:)``.
            let head = try? JSONDecoder().decode(HeaderVersion.self, from: Data(line)),
            head.format == RecordingHeader.formatName
        else { return nil }
        return head.version
    }

    private static func problem(of line: Data) -> Problem {
        do {
            let type = try JSONDecoder().decode(EventType.self, from: line).type
            return RecordedEventType(rawValue: type) == nil ? .unknownType(String(type.prefix(40))) : .unexpected
        } catch DecodingError.dataCorrupted {
            return .notJSON
        } catch {
            return .unexpected
        }
    }

    /// The members of a header in every version of the format.
    private struct HeaderVersion: Decodable {
        var format: String
        var version: RecordingHeader.Version
    }

    /// The member that every event has.
    private struct EventType: Decodable {
        var type: String
    }

    /// Returns the members of an object with the closing brace.
    private static func members(of value: any Encodable) -> String {
        String(decoding: JSONBytes.encode(value).dropFirst(), as: UTF8.self)
    }

    /// Removes known tokens, escapes invisible characters and appends the line feed; `nil` if the line is no longer JSON.
    private static func finished(_ line: String) -> [UInt8]? {
        let redacted = KnownSecrets.ofProcess.redacted(line)
        if redacted != line, JSONValue(Array(redacted.utf8)) == nil { return nil }
        return Array(redacted.escapingInvisibleCharacters.utf8) + [UInt8(ascii: "\n")]
    }
}

extension String {
    /// The JSON text with control characters and direction marks as escapes, so that a terminal shows the file safely.
    fileprivate var escapingInvisibleCharacters: String {
        guard utf8.contains(where: { $0 >= 0x7F }) else { return self }
        var result = ""
        result.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            guard scalar.value >= 0x7F, scalar.isInvisible else {
                result.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }
}
