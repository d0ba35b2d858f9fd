/// A curve in one row of text with one column per value.
package enum Sparkline {
    /// Returns a curve scaled from its minimum at the bottom to its maximum at the top of the row.
    ///
    /// - Parameters:
    ///   - values: From left to right; non-finite values leave a gap.
    ///   - span: The minimum range that fills the row, above 0; smaller variations stay low.
    ///   - glyphs: The characters used for drawing.
    /// - Returns: One character per value; empty if there is no finite value.
    package static func text(_ values: [Double], span: Double, glyphs: GlyphSet) -> String {
        let known = values.filter(\.isFinite)
        guard let low = known.min(), let high = known.max() else { return "" }
        let steps = glyphs.chartSteps
        let scale = Double(steps.count - 1) / max(high - low, span)
        return values.reduce(into: "") { text, value in
            let level = ((value - low) * scale).rounded()
            guard level.isFinite else {
                text += " "
                return
            }
            text += steps[min(max(0, Int(level)), steps.count - 1)]
        }
    }
}
