import Canvas
import Testing
import TripTestSupport

@Suite("Sparkline", .ends(within: .quickTest))
struct SparklineTests {
    @Test func `scales from the lowest to the highest value`() {
        #expect(Sparkline.text([0, 10, 20, 70], span: 1, glyphs: GlyphSet()) == "▁▂▃█")
        #expect(Sparkline.text([0, 35, 70], span: 1, glyphs: GlyphSet(.ascii)) == ".:|")
    }

    @Test func `draws values low that hardly differ`() {
        #expect(Sparkline.text([5, 5, 6], span: 60, glyphs: GlyphSet()) == "▁▁▁")
        #expect(Sparkline.text([0, 60], span: 60, glyphs: GlyphSet()) == "▁█")
    }

    @Test func `leaves a gap for values that are not finite`() {
        #expect(Sparkline.text([.nan, 0, .infinity, 60], span: 60, glyphs: GlyphSet()) == " ▁ █")
        #expect(Sparkline.text([], span: 60, glyphs: GlyphSet()).isEmpty)
        #expect(Sparkline.text([-1e308, 1e308], span: 60, glyphs: GlyphSet()).count == 2)
    }
}
