import Canvas
import Foundation
import Testing
import TripTestSupport

@Suite("Large letters", .ends(within: .minutes(10)))
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
}
