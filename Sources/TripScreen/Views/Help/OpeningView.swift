package import Canvas
package import TripText

/// Draws the screen of a demo while the signing keys are being generated, which takes an unpredictable time.
package func openingView(_ localizer: Localizer, width: Int, height: Int, glyphs: GlyphSet) -> Canvas {
    var canvas = Canvas(width: width, height: height, glyphs: glyphs)
    let screen = canvas.bounds
    canvas.put(localizer(.makingKeys), in: screen, row: screen.height / 2, align: .center, role: .secondary)
    return canvas
}
