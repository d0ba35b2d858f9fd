import Canvas
import Foundation
import Runtime
import Testing
import TripTestSupport

@Suite("Character widths", .ends(within: .quickTest))
struct WidthTests {
    #if os(Linux)
    @Test func `widths match the C library for every scalar`() throws {
        // Swift does not import these functions, though the library has them.
        let symbol = try unsafe #require(dlsym(nil, "wcwidth"))
        let wcwidth = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
        let versionSymbol = try unsafe #require(dlsym(nil, "gnu_get_libc_version"))
        let version = unsafe unsafeBitCast(versionSymbol, to: (@convention(c) () -> UnsafePointer<CChar>).self)
        let isTheLibraryOfTheTable = unsafe String(cString: version()) == "2.36"
        _ = try unsafe #require(setlocale(LC_CTYPE, "C.UTF-8"))
        var differing: [String] = []
        for value in UInt32(0x20)...0x10_FFFF {
            guard let scalar = Unicode.Scalar(value), let ours = TextWidth.of(scalar) else { continue }
            let theirs = Int(wcwidth(Int32(value)))
            if theirs != ours { differing.append("U+\(String(value, radix: 16)): \(ours) not \(theirs)") }
        }
        // Other versions of the library know other characters; up to a few hundred may differ.
        #expect(differing.count <= (isTheLibraryOfTheTable ? 0 : 500), "\(differing.prefix(20))")
    }
    #endif

    @Test(arguments: GlyphSet.Level.allCases)
    func `all drawing characters are one column wide`(level: GlyphSet.Level) {
        let glyphs = GlyphSet(level)
        let box = glyphs.box
        var texts = [
            box.topLeft, box.topRight, box.bottomLeft, box.bottomRight, box.horizontal, box.vertical, box.teeLeft,
            box.teeRight, box.teeTop, box.teeBottom, box.cross, glyphs.barEmpty, glyphs.barMark, glyphs.check,
            glyphs.cross,
            glyphs.attention, glyphs.pending, glyphs.current, glyphs.pickup, glyphs.dropoff, glyphs.stop, glyphs.bullet,
            glyphs.separator, glyphs.ellipsis, glyphs.pointer, glyphs.opened, glyphs.closed, glyphs.to, glyphs.unknown,
            glyphs.times,
        ]
        texts += glyphs.barSteps + glyphs.chartSteps
        for degrees in stride(from: -400.0, through: 800, by: 22.5) {
            texts.append(glyphs.arrow(degrees))
            texts.append(glyphs.vehicle(heading: degrees))
        }
        #expect(texts.allSatisfy { $0.unicodeScalars.count == 1 && TextWidth.of($0) == 1 })
        if level == .ascii { #expect(texts.allSatisfy { $0.utf8.count == 1 }) }
    }

    @Test func `points the vehicle symbol in its heading`() {
        #expect([0.0, 45, 90, 180, 270, 359, -45].map { GlyphSet().arrow($0) }.joined() == "↑↗→↓←↑↖")
        #expect(GlyphSet().vehicle(heading: 90) == "►")
        #expect(GlyphSet(.blocks).vehicle(heading: 135) == "►")
        #expect(GlyphSet().vehicle(heading: nil) == "●")
        #expect(GlyphSet().vehicle(heading: .nan) == "●")
    }
}
