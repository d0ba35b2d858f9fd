package import Canvas

/// A sequence of screens as an animated SVG that a web page plays without a script, again and again.
///
/// It contains each row once per change, so that a still part of the screen costs nothing.
package struct AnimatedPicture {
    /// The shortest time between two frames in seconds.
    static let step = 0.5
    /// How long the last frame is shown, in seconds.
    private static let rest = 3.0

    /// The frames with the number of their step, ascending.
    private var frames: [(step: Int, canvas: Canvas)] = []

    /// Creates a picture without frames.
    package init() {}

    /// Adds a screen at a time in seconds; of several screens within one step the last one counts.
    package mutating func add(_ canvas: Canvas, at seconds: Double) {
        let step = Int((seconds / Self.step).rounded(.down))
        guard let last = frames.last else { return frames.append((step, canvas)) }
        guard canvas.width == last.canvas.width, canvas.height == last.canvas.height else { return }
        if step <= last.step {
            frames[frames.count - 1].canvas = canvas
        } else {
            frames.append((step, canvas))
        }
    }

    /// Returns the content of the file in the colors of a theme; empty without frames.
    package func text(theme: Theme) -> String {
        guard let first = frames.first, let last = frames.last else { return "" }
        let end = Double(last.step - first.step) * Self.step + Self.rest
        var groups = ""
        for row in 0..<first.canvas.height {
            var start = 0
            for index in frames.indices where index + 1 == frames.count || !same(row, index, index + 1) {
                let from = Double(frames[start].step - first.step) * Self.step / end
                let isLast = index + 1 == frames.count
                let to = isLast ? 1 : Double(frames[index + 1].step - first.step) * Self.step / end
                let content = PictureFile(frames[index].canvas, theme: theme, rows: row..<(row + 1)).content
                groups += group(content, from: from, to: to, seconds: end)
                start = index + 1
            }
        }
        return PictureFile(first.canvas, theme: theme, rows: 0..<0).file(containing: groups)
    }

    /// Returns whether a row is equal in two frames.
    private func same(_ row: Int, _ a: Int, _ b: Int) -> Bool {
        let (one, other) = (frames[a].canvas, frames[b].canvas)
        return (0..<one.width).allSatisfy { one[$0, row] == other[$0, row] }
    }

    /// Returns a group that is visible during a part of each repetition; without animation the last frame is visible.
    private func group(_ content: String, from: Double, to: Double, seconds: Double) -> String {
        guard !content.isEmpty else { return "" }
        guard from > 0 || to < 1 else { return "<g>\(content)</g>\n" }
        var times = ["0"]
        var values = [from > 0 ? "none" : "inline"]
        if from > 0 {
            times.append(Self.number(from))
            values.append("inline")
        }
        if to < 1 {
            times.append(Self.number(to))
            values.append("none")
        }
        return #"<g display="\#(to < 1 ? "none" : "inline")">\#(content)<animate attributeName="display" "#
            + #"values="\#(values.joined(separator: ";"))" keyTimes="\#(times.joined(separator: ";"))" "#
            + #"dur="\#(Self.number(seconds))s" calcMode="discrete" repeatCount="indefinite"/></g>"# + "\n"
    }

    /// Returns a number from 0 with up to five decimals.
    private static func number(_ value: Double) -> String {
        let scaled = Int((value * 100_000).rounded())
        let digits = String(scaled % 100_000)
        return "\(scaled / 100_000)." + String(repeating: "0", count: 5 - digits.count) + digits
    }
}
