import Foundation
import Runtime

/// A table in CSV (RFC 4180): UTF-8, CRLF, a line with the names of the columns.
struct CSVTable {
    /// A value of a cell.
    enum Cell {
        case empty
        case number(Double)
        case integer(Int)
        case time(Date)
        /// A text of outside.
        case text(String)
    }

    private let columns: [String]
    private var lines: [UInt8]
    private(set) var rows = 0

    /// Creates a table with the names of its columns.
    init(_ columns: [String]) {
        self.columns = columns
        lines = Array((columns.joined(separator: ",") + "\r\n").utf8)
    }

    /// Appends a row with one cell per column.
    mutating func append(_ cells: [Cell]) {
        precondition(cells.count == columns.count, "a row has one cell per column")
        lines += Array((cells.map(\.text).joined(separator: ",") + "\r\n").utf8)
        rows += 1
    }

    /// The bytes of the file.
    var bytes: [UInt8] { lines }
}

extension CSVTable.Cell {
    static func number(_ number: Double?) -> Self { number.map(Self.number) ?? .empty }
    static func integer(_ number: Int?) -> Self { number.map(Self.integer) ?? .empty }
    static func time(_ date: Date?) -> Self { date.map(Self.time) ?? .empty }
    static func text(_ text: String?) -> Self { text.map(Self.text) ?? .empty }

    fileprivate var text: String {
        switch self {
        case .empty: return ""
        case .number(let number):
            return number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : "\(number)"
        case .integer(let number): return String(number)
        case .time(let date): return Timestamp.text(date)
        case .text(let text):
            var text = ExportText.short(text)
            // A spreadsheet would evaluate such a text as a formula.
            if let first = text.first, "=+-@".contains(first) { text = "'" + text }
            guard text.contains(where: { ",\"\r\n".contains($0) }) else { return text }
            return "\"" + text.replacing("\"", with: "\"\"") + "\""
        }
    }
}
