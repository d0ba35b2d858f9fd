package import Canvas
package import TripText

/// Draws what a demo shows before it has a trip to show: it makes keys to sign tokens with, which takes as long as chance
/// wants it to.
package func openingView(_ say: Wording, width: Int, height: Int, glyphs: GlyphSet) -> Canvas {
    var canvas = Canvas(width: width, height: height, glyphs: glyphs)
    let screen = canvas.bounds
    canvas.put(say(.makingKeys), in: screen, row: screen.height / 2, align: .center, role: .secondary)
    return canvas
}
