/// A curve in one row of text, as wide as it has values.
package enum Sparkline {
    /// The curve from its lowest value at the bottom of the row to its highest at the top.
    ///
    /// - Parameters:
    ///   - values: From left to right; what is not a finite number leaves a gap.
    ///   - span: The least difference that fills the row, above 0: what varies by less stays low.
    ///   - glyphs: The characters to draw with.
    /// - Returns: One character for each value; nothing where no value is a number.
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
