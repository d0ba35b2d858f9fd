/// The lines of a log that were skipped, because they are no JSON objects.
package struct SkippedLines: Sendable, Equatable {
    /// The number of the first one, from 1.
    package let first: Int
    /// How many there are.
    package private(set) var count = 1

    init(_ line: Int) { first = line }

    /// Returns the lines with another, later one.
    func adding(_ line: Int) -> SkippedLines {
        var lines = self
        lines.count += 1
        return lines
    }
}
