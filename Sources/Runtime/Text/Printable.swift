/// Sanitizes and measures untrusted text.
///
/// The result cannot move the cursor, start an escape sequence or reorder a line. Control characters become pictures (`ESC` is
/// `␛`) or escapes (`\u{9B}`), and so do characters that reorder a line (`\u{202E}`) or have no width (`\u{200D}`). What
/// changes only the appearance of the previous character is removed. Characters that the terminal library cannot measure become `\u{FFFD}`.
package enum Printable {
    /// The content of one cell: a scalar with its combining marks, and its width (1 or 2 columns).
    package struct Cluster: Sendable, Equatable {
        /// The text, at most one base and four marks (the capacity of an ncurses cell).
        package var text: String
        /// The columns: 1 or 2.
        package var width: Int
    }

    /// The maximum number of scalars processed; longer text is truncated with an ellipsis.
    package static let longest = 8192

    /// Returns the sanitized text; the operation is idempotent.
    ///
    /// - Returns: At most `limit` scalars of the original, followed by `…` if there were more.
    package static func clean(_ text: String, limit: Int = longest) -> String {
        clusters(text, limit: limit).reduce(into: "") { $0 += $1.text }
    }

    /// Returns the sanitized text for data formats: harmless characters without width and all combining marks remain.
    ///
    /// - Returns: At most `limit` scalars of the original, followed by `…` if there were more.
    package static func data(_ text: String, limit: Int) -> String {
        var result = String.UnicodeScalarView()
        for (index, scalar) in KnownSecrets.ofProcess.redacted(text).unicodeScalars.enumerated() {
            guard index < limit else {
                result.append("…")
                break
            }
            if ControlCharacters.isHarmless(scalar) {
                result.append(scalar)
                continue
            }
            switch kind(of: scalar) {
            case .drawn, .mark: result.append(scalar)
            case .replaced(let shown): result.append(contentsOf: shown.unicodeScalars)
            case .dropped: break
            }
        }
        return String(result)
    }

    /// Truncates `text` to `width` columns, including `ellipsis` if something was removed.
    package static func truncated(_ text: String, to width: Int, ellipsis: String = "…") -> String {
        truncated(clusters(text), to: width, ellipsis: ellipsis).reduce(into: "") { $0 += $1.text }
    }

    /// Wraps `text` at spaces, between Chinese characters and at line feeds to at most `width` columns.
    ///
    /// - Returns: At least one line and at most `limit`; the last one ends with `…` if text is left.
    package static func wrapped(_ text: String, to width: Int, limit: Int = 200) -> [String] {
        guard width > 0, limit > 0 else { return [""] }
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line: [Cluster] = []
            var columns = 0
            for cluster in clusters(String(paragraph)) {
                if columns + cluster.width > width {
                    let rest: [Cluster]
                    if cluster.text == " " {
                        rest = []
                    } else if let end = LineBreaks.last(in: line, before: cluster) {
                        rest = Array(line[end...].drop { $0.text == " " }) + [cluster]
                        line.removeSubrange(end...)
                    } else {
                        rest = [cluster]
                    }
                    lines.append(line.reduce(into: "") { $0 += $1.text })
                    line = rest
                    columns = rest.reduce(0) { $0 + $1.width }
                } else {
                    line.append(cluster)
                    columns += cluster.width
                }
            }
            lines.append(line.reduce(into: "") { $0 += $1.text })
        }
        guard lines.count > limit else { return lines }
        let last = lines[limit - 1]
        return lines[..<(limit - 1)] + [truncated(last + "…", to: width)]
    }

    /// Truncates clusters to `width` columns.
    package static func truncated(_ clusters: [Cluster], to width: Int, ellipsis: String) -> [Cluster] {
        let whole = clusters.reduce(0) { $0 + $1.width }
        guard whole > width else { return clusters }
        guard width > 0 else { return [] }
        var retained: [Cluster] = []
        var columns = 0
        for cluster in clusters {
            guard columns + cluster.width <= width - 1 else { break }
            retained.append(cluster)
            columns += cluster.width
        }
        return retained + [Cluster(text: ellipsis, width: 1)]
    }

    /// Splits text into sanitized clusters.
    ///
    /// Fragments of this process's secrets are removed here, because all text for screens, pictures and lines passes this
    /// function.
    package static func clusters(_ text: String, limit: Int = longest) -> [Cluster] {
        var result: [Cluster] = []
        var marks = 0
        var seen = 0
        // Only the displayed part of a very long text is searched.
        let isCut = text.utf8.count > 4 * limit + 4096
        let text = KnownSecrets.ofProcess.redacted(isCut ? String(text.unicodeScalars.prefix(limit + 1024)) : text)
        for scalar in text.unicodeScalars {
            guard seen < limit else {
                result.append(Cluster(text: "…", width: 1))
                break
            }
            seen += 1
            switch kind(of: scalar) {
            case .drawn(let width):
                result.append(Cluster(text: String(Character(scalar)), width: width))
                marks = 0
            case .mark:
                // Four marks fill an ncurses cell; more are dropped.
                guard let last = result.indices.last, marks < 4 else { continue }
                result[last].text.unicodeScalars.append(scalar)
                marks += 1
            case .replaced(let picture):
                result += picture.map { Cluster(text: String($0), width: 1) }
                marks = 4
            case .dropped:
                continue
            }
        }
        if isCut, seen < limit { result.append(Cluster(text: "…", width: 1)) }
        return result
    }

    private enum Kind {
        case drawn(width: Int)
        case mark
        case replaced(String)
        case dropped
    }

    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        let value = scalar.value
        if value >= 0x20, value < 0x7F { return .drawn(width: 1) }
        if let shown = ControlCharacters.shown(scalar) { return shown.isEmpty ? .dropped : .replaced(shown) }
        guard let width = TextWidth.of(scalar) else { return .replaced("\u{FFFD}") }
        return width == 0 ? .mark : .drawn(width: width)
    }
}

extension Printable {
    /// Returns the text without its first columns, for a line scrolled to the left.
    package static func dropping(_ columns: Int, from text: String) -> String {
        guard columns > 0 else { return text }
        var left = columns
        return clusters(text).drop { cluster in
            left -= cluster.width
            return left >= 0
        }.map(\.text).joined()
    }
}

extension String {
    /// Sanitizes untrusted text for output: removes secrets, makes control characters visible and limits the length.
    ///
    /// - Parameter limit: The maximum number of scalars.
    /// - Returns: The text; the operation is idempotent.
    package func sanitized(limit: Int = Printable.longest) -> String {
        Printable.clean(beginning(limit).withoutTokens, limit: limit)
    }

    /// Sanitizes untrusted text for data formats, in which a value has to stay the same; see ``Printable/data(_:limit:)``.
    package func sanitizedData(limit: Int) -> String { Printable.data(beginning(limit).withoutTokens, limit: limit) }

    /// The text as far as it has to be searched; a truncated token is still recognized by its beginning.
    private func beginning(_ limit: Int) -> String {
        utf8.count > 4 * limit + 16_384 ? String(unicodeScalars.prefix(limit + 4096)) : self
    }
}
