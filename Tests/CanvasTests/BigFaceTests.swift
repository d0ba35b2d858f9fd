import Canvas
import Foundation
import Testing
import TripTestSupport

@Suite("Large letters", .ends(within: .quickTest))
struct BigFaceTests {
    private let file = """
        # a comment
        face 4 3 1 2
        41 3 2 2,7
        67 4 2 6,6,e
        20 2 0
        """

    private func face() throws -> BigFace { try #require(BigFace.faces(in: file)?.first) }

    @Test func `measures a text in columns and rows`() throws {
        let face = try face()
        #expect(face.size == 4)
        #expect(face.width(of: "A g") == 9)
        #expect(face.width(of: "AB") == nil)
        #expect(face.rowsAbove("A") == 1)
        #expect(face.rowsBelow == 1)
    }

    @Test func `draws two dots per row on a baseline`() throws {
        var canvas = Canvas(width: 9, height: 2)
        canvas.putBig("A g", x: 0, baseline: 1, face: try face(), role: .accent)
        #expect(canvas.text == "▄█▄   ██\n     ▀▀▀")
        #expect(canvas[1, 0]?.role == .accent)
    }

    @Test func `draws only what is on the canvas`() throws {
        var canvas = Canvas(width: 2, height: 1)
        canvas.putBig("AAAA", x: -1, baseline: 1, face: try face())
        #expect(canvas.text == "█▄")
        canvas.putBig("A", x: 0, baseline: 9, face: try face())
        canvas.putBig("A", x: 0, baseline: -9, face: try face())
        #expect(canvas.text == "█▄")
    }

    @Test(arguments: ["41 3 2 2,7", "face 1 2", "face 4 3 1 2\n41 99 2 7", "face 4 3 1 2\nzz 1 1 1"])
    func `refuses a malformed file`(_ text: String) {
        #expect(BigFace.faces(in: text) == nil)
    }

    @Test func `the colon of a clock has a gap at every size`() throws {
        let file = try String(contentsOf: Checkout.assets.appending(path: "Faces/bold.txt"), encoding: .utf8)
        let faces = try #require(BigFace.faces(in: file))
        #expect(faces.count > 5)
        for face in faces {
            let rows = face.rowsAbove(":")
            let columns = try #require(face.width(of: ":"))
            var canvas = Canvas(width: columns, height: rows)
            canvas.putBig(":", x: 0, baseline: rows, face: face)
            var halves: [Bool] = []
            for y in 0..<rows {
                let texts = (0..<columns).compactMap { canvas[$0, y]?.text }
                halves.append(texts.contains { "▀█".contains($0) })
                halves.append(texts.contains { "▄█".contains($0) })
            }
            let dots = halves.split(separator: false)
            #expect(dots.count == 2, "\(face.size)")
        }
    }

    private func embedded() throws -> [BigFace] {
        func text(_ name: String) throws -> String {
            try String(contentsOf: Checkout.assets.appending(path: "Faces/\(name).txt"), encoding: .utf8)
        }
        var faces = try #require(BigFace.faces(in: text("bold")))
        for index in faces.indices { faces[index].addWide(try text("wide")) }
        return faces
    }

    @Test(arguments: ["ko", "zh-Hans", "zh-Hant"])
    func `every character of a Korean or Chinese text has a large form`(language: String) throws {
        let faces = try embedded().filter { $0.size >= 16 && $0.size != 24 }
        let folder = Checkout.assets.appending(path: "Strings")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        for file in files where file.lastPathComponent.hasSuffix("\(language).json") {
            let texts = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
            let wide = Set(texts.values.joined().unicodeScalars.filter { $0.value >= 0x2E80 })
            for face in faces {
                let missing = wide.filter { face.width(of: String($0)) == nil }
                #expect(missing.isEmpty, "run .ci/generate-face --wide: \(missing)")
            }
        }
    }

    @Test func `a doubled character has the same shape`() throws {
        let faces = try embedded()
        let small = try #require(faces.first { $0.size == 16 })
        let large = try #require(faces.first { $0.size == 28 })
        #expect(small.width(of: "上") == 16 && large.width(of: "上") == 32)
        func dots(_ face: BigFace, _ factor: Int) -> [Bool] {
            let (columns, rows) = (16 * factor, 8 * factor)
            var canvas = Canvas(width: columns, height: rows)
            canvas.putBig("上", x: 0, baseline: rows - factor, face: face)
            return (0..<(rows * 2)).flatMap { dot in
                (0..<columns).map { x in
                    let text = canvas[x, dot / 2]?.text
                    return text == "█" || text == (dot % 2 == 0 ? "▀" : "▄")
                }
            }
        }
        let (one, two) = (dots(small, 1), dots(large, 2))
        #expect(one.contains(true))
        for y in 0..<16 {
            for x in 0..<16 {
                #expect(
                    one[y * 16 + x] == two[2 * y * 32 + 2 * x] && one[y * 16 + x] == two[(2 * y + 1) * 32 + 2 * x + 1]
                )
            }
        }
    }

    @Test func `a fine face has the same dots in braille, four rows for a wide character`() throws {
        let face = try #require(embedded().first { $0.size == 16 })
        let fine = face.fine
        #expect(fine.width(of: "上下") == 16)
        #expect(fine.rowsAbove("上") == 4 && fine.rowsBelow("上") == 0)
        var (large, small) = (Canvas(width: 16, height: 8), Canvas(width: 8, height: 4))
        large.putBig("上", x: 0, baseline: 7, face: face)
        small.putBig("上", x: 0, baseline: 4, face: fine)
        let bits: [[UInt32]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]
        for y in 0..<16 {
            for x in 0..<16 {
                let block = large[x, y / 2]?.text
                let scalar = small[x / 2, y / 4]?.text.unicodeScalars.first?.value ?? 0
                let isSet = scalar >= 0x2800 && (scalar - 0x2800) & bits[y % 4][x % 2] != 0
                #expect((block == "█" || block == (y % 2 == 0 ? "▀" : "▄")) == isSet, "\(x), \(y)")
            }
        }
    }
}
