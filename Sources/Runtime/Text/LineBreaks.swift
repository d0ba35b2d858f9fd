/// Where a line may end: at a space, or after a Chinese character.
///
/// Korean is written with spaces, and has no line end within a word. These are the usual cases of Unicode's line breaking
/// (UAX 14), not all of it.
enum LineBreaks {
    /// Finds the cluster with which the next line begins, if it may begin with one; a space is left out there.
    ///
    /// - Parameters:
    ///   - line: The clusters of the line.
    ///   - next: The cluster after the line, for which it has no room; no space.
    /// - Returns: The index of the cluster, the end of `line` for `next`.
    static func last(in line: [Printable.Cluster], before next: Printable.Cluster) -> Int? {
        let texts = (line + [next]).map(\.text)
        return texts.indices.last { index in
            let previous = index > 0 ? texts[index - 1] : ""
            guard texts[index] == " " else { return isEnd(between: previous, and: texts[index]) }
            // A number stays with its unit.
            return !(isDigit(previous) && isIdeograph(texts[index + 1]))
        }
    }

    private static func isEnd(between left: String, and right: String) -> Bool {
        isIdeograph(left) && !opening.contains(left) && !closing.contains(right)
    }

    private static func isDigit(_ text: String) -> Bool { text.first.map { $0.isASCII && $0.isNumber } ?? false }

    /// Whether it is a Chinese or Japanese character or one of their punctuation marks.
    private static func isIdeograph(_ text: String) -> Bool {
        switch text.unicodeScalars.first?.value ?? 0 {
        case 0x2E80...0x30FF, 0x3400...0x9FFF, 0xF900...0xFAFF, 0xFF01...0xFF60, 0x20000...0x3FFFD: true
        default: false
        }
    }

    /// What begins no line.
    private static let closing = Set("，。、；：！？）」』》〉】”’…,.;:!?)]}%".map(String.init))
    /// What ends no line.
    private static let opening = Set("（「『《〈【".map(String.init))
}
