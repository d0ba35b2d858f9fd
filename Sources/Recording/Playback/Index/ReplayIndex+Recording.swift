import Failures
import Foundation
package import Runtime
import TripFeed
import TripModel

extension ReplayIndex {
    /// The types of lines that are played; the others belong to the screen of that time.
    private static let played: Set<RecordedEventType> = [
        .request, .poll, .search, .schedule, .findings, .omission, .driver, .end, .token, .fault, .note,
    ]

    /// Reads the types and times of all lines of a recording, and what is marked; answers are not decoded.
    ///
    /// - Parameters:
    ///   - bytes: The whole recording, with its header.
    ///   - start: The moment at which the recording begins.
    package init(of bytes: RecordingBytes, start: Moment) {
        var pieces = LinePieces(bytes)
        var entries: [Entry] = []
        var marks = ReplayMarks()
        var (last, skipped) = (Int64(0), 0)
        let begin = Self.microseconds(start.steady)
        var isHeader = true
        while let piece = pieces.next() {
            for line in piece.lines {
                if isHeader {
                    isHeader = false
                    continue
                }
                guard let glance = LineGlance(piece.bytes, line) else {
                    if piece.bytes[line].contains(where: { $0 > 0x20 }) { skipped += 1 }
                    continue
                }
                last = max(last, glance.time - begin)
                guard Self.played.contains(glance.type) else { continue }
                entries.append(
                    Entry(
                        time: last,
                        offset: piece.offset + line.lowerBound,
                        length: Int32(line.count),
                        isPoll: glance.type == .poll
                    )
                )
                glance.add(to: &marks, at: .microseconds(last))
            }
        }
        self.init(
            start: start,
            entries: entries,
            marks: marks.marks,
            end: .microseconds(last),
            skipped: skipped
        )
    }
}

/// What a line of a recording shows without being decoded.
///
/// This program writes members in a fixed order, so that they are found by searching. Another order costs only marks.
struct LineGlance {
    /// The type of the event.
    let type: RecordedEventType
    /// The steady time in microseconds.
    let time: Int64
    private let bytes: [UInt8]
    private let line: Range<Int>

    /// Returns the type and the time; `nil` if the line is no event of a known type.
    init?(_ bytes: [UInt8], _ line: Range<Int>) {
        (self.bytes, self.line) = (bytes, line)
        if let (type, time) = Self.head(bytes, line) {
            (self.type, self.time) = (type, time)
        } else {
            // An edited line may have other blanks or another order. An invalid one is counted by the caller.
            guard let event = try? RecordingLine.event(bytes[line]) else { return nil }
            type = event.content.type
            time = ReplayIndex.microseconds(event.at)
        }
    }

    private static let typeKey = Array(#"{"type":""#.utf8)
    private static let timeKey = Array(#"","at":"#.utf8)
    private static let types = Dictionary(
        uniqueKeysWithValues: RecordedEventType.allCases.map { (Array($0.rawValue.utf8), $0) }
    )

    private static func head(_ bytes: [UInt8], _ line: Range<Int>) -> (RecordedEventType, Int64)? {
        let rest = bytes[line].dropFirst(typeKey.count)
        guard bytes[line].starts(with: typeKey), bytes[line.upperBound - 1] == UInt8(ascii: "}"),
            let quote = rest.prefix(16).firstIndex(of: UInt8(ascii: "\"")),
            let type = types[Array(bytes[rest.startIndex..<quote])],
            bytes[quote..<line.upperBound].starts(with: timeKey)
        else { return nil }
        let number = bytes[(quote + timeKey.count)..<line.upperBound].prefix(24).prefix { $0 != UInt8(ascii: ",") }
        guard let seconds = Double(decimal: String(decoding: number, as: UTF8.self)),
            RecordedNumber.isValid(seconds, "at")
        else {
            return nil
        }
        return (type, Int64(clamped: (seconds * 1e6).rounded()))
    }

    // MARK: Marks

    private static let schedule = ByteSearch.Needle(#","schedule":{"#, rare: "h")
    private static let listed = ByteSearch.Needle(#","listed":""#, rare: "l")
    private static let failure = ByteSearch.Needle(#""failure":{"code":""#, rare: "f")
    private static let status = ByteSearch.Needle(#"\"tripStatus\""#, rare: "S")
    private static let trip = ByteSearch.Needle(#","trip":""#, rare: "p")
    private static let rule = ByteSearch.Needle(#""rule":""#, rare: "u")
    private static let error = ByteSearch.Needle(#""severity":"error""#, rare: "y")
    private static let warning = ByteSearch.Needle(#""severity":"warning""#, rare: "y")
    /// The maximum number of bytes after the call of a poll or a search: its failure, the listed trip and its schedule.
    private static let tail = 16_384

    /// Adds the marks of the line.
    func add(to marks: inout ReplayMarks, at time: Duration) {
        switch type {
        case .poll: addPoll(to: &marks, at: time)
        case .search: addSearch(to: &marks, at: time)
        case .findings:
            guard find(Self.error) ?? find(Self.warning) != nil else { return }
            marks.add(.finding, at: time, find(Self.rule).map { text(after: $0 + Self.rule.bytes.count) } ?? "")
        case .end, .note, .fault:
            // These are few. A line that cannot be decoded is not played either.
            guard let event = try? RecordingLine.event(bytes[line]) else { return }
            switch event.content {
            case .end(let end): if end.kind == .failed { marks.add(.error, at: time, end.failure?.nameInJSON ?? "") }
            case .fault(let fault): marks.add(.note, at: time, fault.name)
            case .note(let note): if note.kind != .caption { marks.add(.note, at: time, note.text) }
            default: break
            }
        default: break
        }
    }

    private func addPoll(to marks: inout ReplayMarks, at time: Duration) {
        let tail = max(line.lowerBound, line.upperBound - Self.tail)..<line.upperBound
        guard let end = ByteSearch.first(Self.schedule, in: bytes, tail) else { return }
        let trip =
            ByteSearch.first(Self.trip, in: bytes, end..<line.upperBound)
            .map { text(after: $0 + Self.trip.bytes.count) } ?? ""
        if let failure = ByteSearch.first(Self.failure, in: bytes, tail.lowerBound..<end) {
            let code = text(after: failure + Self.failure.bytes.count)
            marks.failure(code, of: trip, at: time) { failureName ?? "" }
        } else {
            // The answer to a search has other trips, too: the listed one follows.
            let start = ByteSearch.first(Self.listed, in: bytes, tail.lowerBound..<end) ?? line.lowerBound
            guard let key = ByteSearch.first(Self.status, in: bytes, start..<end) else { return }
            var value = bytes[(key + Self.status.bytes.count)..<end].prefix(80)
            value = value.drop { !Self.isLetter($0) }
            marks.status(String(decoding: value.prefix(while: Self.isLetter), as: UTF8.self), of: trip, at: time)
        }
    }

    private func addSearch(to marks: inout ReplayMarks, at time: Duration) {
        let tail = max(line.lowerBound, line.upperBound - Self.tail)..<line.upperBound
        guard let failure = ByteSearch.first(Self.failure, in: bytes, tail) else { return marks.searched() }
        marks.failure(text(after: failure + Self.failure.bytes.count), of: nil, at: time) { failureName ?? "" }
    }

    /// The name for programs of the failure of the poll or the search; `nil` for a line that cannot be decoded, which is not
    /// played either.
    private var failureName: String? {
        switch try? RecordingLine.event(bytes[line]).content {
        case .poll(let poll): poll.failure?.nameInJSON
        case .search(let search): search.failure?.nameInJSON
        default: nil
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || byte == UInt8(ascii: "_") }

    private func find(_ needle: ByteSearch.Needle) -> Int? { ByteSearch.first(needle, in: bytes, line) }

    /// Returns the text from an index to the next quote.
    private func text(after start: Int) -> String {
        let end = ByteSearch.first(UInt8(ascii: "\""), in: bytes, from: start, to: line.upperBound) ?? start
        return String(decoding: bytes[start..<min(end, start + ReplayMark.longest)], as: UTF8.self)
    }
}
