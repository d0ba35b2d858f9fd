import Foundation
import Testing
import TripTestSupport

@testable import Canvas

/// The table of glyphs: `GlyphSet.swift`, whose members are read from the source, so that none is forgotten.
@Suite("Glyphs", .ends(within: .quickTest))
struct GlyphSetTests {
    /// The single glyphs of a set by their names.
    private static let singles: [(name: String, glyph: @Sendable (GlyphSet) -> String)] = [
        ("barEmpty", { $0.barEmpty }), ("barMark", { $0.barMark }), ("wayDone", { $0.wayDone }),
        ("wayAhead", { $0.wayAhead }), ("estimatedWay", { $0.estimatedWay }), ("check", { $0.check }),
        ("cross", { $0.cross }), ("attention", { $0.attention }), ("pending", { $0.pending }),
        ("current", { $0.current }), ("pickup", { $0.pickup }), ("dropoff", { $0.dropoff }), ("stop", { $0.stop }),
        ("pause", { $0.pause }), ("end", { $0.end }), ("note", { $0.note }), ("bullet", { $0.bullet }),
        ("separator", { $0.separator }), ("ellipsis", { $0.ellipsis }), ("pointer", { $0.pointer }),
        ("pointerLeft", { $0.pointerLeft }), ("opened", { $0.opened }), ("closed", { $0.closed }), ("to", { $0.to }),
        ("unknown", { $0.unknown }), ("times", { $0.times }),
    ]

    /// All glyphs of a set.
    private static func glyphs(_ level: GlyphSet.Level) -> [String] {
        let set = GlyphSet(level)
        let box = set.box
        let frame = [
            box.topLeft, box.topRight, box.bottomLeft, box.bottomRight, box.horizontal, box.vertical, box.teeLeft,
            box.teeRight, box.teeTop, box.teeBottom, box.cross,
        ]
        let headings = stride(from: 0.0, to: 360, by: 45)
        let arrows = headings.map(set.arrow) + headings.map { set.vehicle(heading: $0) } + [set.vehicle(heading: nil)]
        let areas = Canvas.Ground.allCases.flatMap { ground in
            (0..<16).flatMap { cell in
                [false, true].compactMap {
                    set.pattern(of: ground, x: cell % 4, y: cell / 4, isMonochrome: $0)
                }
            }
        }
        return singles.map { $0.glyph(set) } + frame + set.barSteps + set.chartSteps + arrows + areas
    }

    @Test func `the list of this suite has every single glyph`() throws {
        let file = Checkout.folder.appending(path: "Sources/Canvas/GlyphSet.swift")
        let source = try String(contentsOf: file, encoding: .utf8)
        let names = source.matches(of: /package var (\w+): String \{/).map { String($0.output.1) }
        #expect(names.count > 20 && Set(names) == Set(Self.singles.map(\.name)))
    }

    @Test func `every glyph has an ASCII form of the same width`() {
        let (ascii, braille) = (Self.glyphs(.ascii), Self.glyphs(.braille))
        #expect(ascii.allSatisfy { glyph in glyph.utf8.allSatisfy { (0x21...0x7E).contains($0) } })
        for (name, glyph) in Self.singles {
            #expect(glyph(GlyphSet(.ascii)).count == glyph(GlyphSet(.braille)).count, "\(name)")
        }
        #expect(!braille.isEmpty && braille.count > ascii.count)
    }

    @Test(arguments: [GlyphSet.Level.blocks, .sextants, .braille])
    func `every glyph in a text has a likeness in ASCII`(level: GlyphSet.Level) {
        for glyph in Set(Self.glyphs(level)) {
            var canvas = Canvas(width: 4, height: 1, glyphs: GlyphSet(.ascii))
            canvas.put(glyph, x: 0, y: 0)
            #expect(canvas.rows[0].utf8.allSatisfy { $0 < 0x7F } && !canvas.rows[0].contains("?"), "\(glyph)")
        }
    }
}
