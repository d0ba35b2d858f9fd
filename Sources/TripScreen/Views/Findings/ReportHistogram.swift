import Canvas
import Runtime
import TripFeed
import TripText

/// The times between the reports of a vehicle as columns, with the thresholds of the findings about them.
struct ReportHistogram {
    /// The thresholds that the picture marks.
    static let thresholds: [FindingLimit] = [.frequentReports, .rareReports]
    /// The greatest number of times that are counted.
    static let mostIntervals = 60

    /// The number of classes below the first threshold, and of those above the second one.
    private static let outer = 3
    /// The number of classes between the thresholds.
    private static let inner = 6
    /// The columns of a class, with a blank after it.
    private static let columns = 4
    /// The blanks before the picture.
    private static let indent = 2
    /// The narrowest picture: the classes, and the name of the second threshold behind its mark.
    private static let narrowest = 56

    /// The thresholds with their values in seconds, the smaller one first.
    private let marks: [(limit: FindingLimit, value: Double)]
    /// The number of times in each class.
    private let counts: [Int]

    /// Counts times in seconds.
    init(_ intervals: [Double], limits: FindingLimits) {
        let marks = Self.thresholds.map { (limit: $0, value: limits[$0]) }.sorted { $0.value < $1.value }
        let (low, high) = (marks[0].value, marks[marks.count - 1].value)
        // A time that is equal to a threshold does not violate it: it belongs to the classes between them.
        let below = (1...Self.outer).map { low * Double($0) / Double(Self.outer) }
        let above =
            (1...Self.inner).map { low + (high - low) * Double($0) / Double(Self.inner) }
            + (2...Self.outer).map { high * Double($0) }
        var counts = Array(repeating: 0, count: Self.outer + Self.inner + Self.outer)
        for interval in intervals { counts[below.count { $0 <= interval } + above.count { $0 < interval }] += 1 }
        (self.marks, self.counts) = (marks, counts)
    }

    /// Adds the picture; nothing without a time, or without room for the names of the thresholds.
    func add(to block: inout TextBlock, _ glyphs: GlyphSet, _ localizer: Localizer) {
        let total = counts.reduce(0, +)
        guard total > 0, block.width >= Self.narrowest else { return }
        block.add([])
        block.add(nil, localizer(.findingReportTimes(reports: String(total + 1))), .secondary, indent: Self.indent)
        for line in lines(glyphs, localizer) {
            block.add([Canvas.Span(String(repeating: " ", count: Self.indent))] + line)
        }
    }

    /// Returns the numbers, the columns, the axis, and the names of its marks.
    private func lines(_ glyphs: GlyphSet, _ localizer: Localizer) -> [[Canvas.Span]] {
        // The zero is the foot of all columns.
        let bars = Sparkline.text([0] + counts.map(Double.init), span: 1, glyphs: glyphs).map(String.init).dropFirst()
        let numbers = counts.map { $0 == 0 ? "" : String($0) }
        let columns = zip(counts, bars).map { $0 == 0 ? "" : String(repeating: $1, count: Self.columns - 1) }
        func row(_ cells: [String], _ role: (Int) -> Role) -> [Canvas.Span] {
            cells.enumerated().map { Canvas.Span($1.padding(Self.columns), role($0)) }
        }
        let isNormal = Self.outer..<(Self.outer + Self.inner)
        let axis = (1...counts.count).map { index in
            let isMark = index == isNormal.lowerBound || index == isNormal.upperBound
            return String(repeating: glyphs.box.horizontal, count: Self.columns - 1)
                + (isMark ? glyphs.box.cross : glyphs.box.horizontal)
        }
        let names = marks.map { "\($0.limit.id) \(localizer.span(.seconds($0.value)))" }
        let first = String(repeating: " ", count: Self.outer * Self.columns - 1)
        return [
            row(numbers) { _ in .text },
            row(columns) { isNormal.contains($0) ? .chart : .warning },
            [Canvas.Span(axis.joined(), .secondary)],
            [Canvas.Span(first + names[0].padding(Self.inner * Self.columns) + names[1], .secondary)],
        ]
    }
}
