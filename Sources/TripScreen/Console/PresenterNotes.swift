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
