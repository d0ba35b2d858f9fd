import Canvas
import Runtime
import Testing
import TripTestSupport

@Suite("Drawing at every size", .ends(within: .quickTest))
struct EverySizeTests {
    @Test(arguments: GlyphSet.Level.allCases)
    func `draws at every size from 0x0 to 130x50 without trapping`(level: GlyphSet.Level) {
        for width in 0...130 {
            for height in stride(from: 0, through: 50, by: 1)
            where (width + height) % 13 == 0 || width < 12 || height < 4 {
                var canvas = Canvas(width: width, height: height, glyphs: GlyphSet(level))
                Self.draw(on: &canvas)
                let rows = canvas.text.split(separator: "\n", omittingEmptySubsequences: false)
                #expect(rows.count == max(1, height))
                #expect(rows.allSatisfy { TextWidth.of(String($0)) <= width }, "\(width)x\(height)")
            }
        }
    }

    @Test func `accepts any coordinates`() {
        var canvas = Canvas(width: 10, height: 4)
        let extremes = [Int.min, -1_000_000, -5, -1, 0, 3, 9, 10, 1_000_000, Int.max]
        for x in extremes {
            for y in extremes {
                canvas.put("宽 text", x: x, y: y)
                canvas.put("宽 text", x: x, y: y, maxWidth: x)
                let rect = Rect(x: x, y: y, width: y, height: x)
                canvas.frame(rect, title: "宽", note: "note")
                canvas.fill(rect)
                canvas.recolor(rect, role: .selection)
                _ = rect.rows([.fixed(x), .flexible(y), .flexible(x)], gap: y)
                _ = rect.columns([.fixed(y), .flexible(x)], gap: x).map { $0.inset(by: y) }
                _ = rect.centered(width: x, height: y)
            }
        }
        for rect in [Rect(x: -3, y: -3, width: 30, height: 30), Rect(x: 2, y: 1, width: 3, height: 2)] {
            for value in [Double.nan, .infinity, -.infinity, -1, 0, 1e-300, 0.5, 1, 2, 1e300] {
                canvas.bar(value, in: rect, mark: value)
                canvas.chart([value, nil, 1], in: rect, top: value)
                canvas.chart([value, nil, 1], in: rect, top: 3)
            }
        }
        #expect(canvas.cells.count == 40)
    }

    @Test func `divides a space without losing or inventing cells`() {
        for width in 0...60 {
            let space = Rect(x: 5, y: 0, width: width, height: 1)
            let columns = space.columns([.fixed(10), .flexible(2), .flexible(1), .fixed(7)], gap: 1)
            #expect(columns.allSatisfy { $0.x >= 5 && $0.maxX <= space.maxX })
            #expect(columns.reduce(0) { $0 + $1.width } == max(0, width - 3))
            #expect(zip(columns, columns.dropFirst()).allSatisfy { $0.maxX <= $1.x })
        }
    }

    private static func draw(on canvas: inout Canvas) {
        let rows = canvas.bounds.rows([.fixed(1), .flexible(3), .flexible(), .fixed(1)])
        canvas.put("Trip 宽度 of a long name — ETA 14:32", in: rows[0], role: .banner)
        let columns = rows[1].columns([.flexible(2), .flexible()], gap: 1)
        let inner = canvas.frame(columns[0], title: "Map 地图", note: "N")
        var grid = BrailleGrid(in: inner)
        let far = BrailleGrid.Point(x: 1e18, y: -1e17)
        let layer = BrailleGrid.Layer(priority: 1, role: .routeRemaining)
        grid.polyline([.init(x: -50, y: -50), .init(x: 20, y: 30), far, .init(x: .nan, y: 0), far], layer)
        grid.circle(around: .init(x: 10, y: 10), radius: 8, layer)
        grid.render(into: &canvas)
        let side = canvas.frame(columns[1], title: "Token")
        canvas.putWrapped("renewed in the background while the old one still serves", in: side)
        canvas.bar(0.37, in: side.row(2), mark: 0.8)
        canvas.chart([1, 2, nil, 8, 3, 5], in: rows[2], top: 8)
        canvas.put("q quit  ? help 宽", in: rows[3], align: .right, role: .keyHelp)
        canvas.put("宽宽宽", x: canvas.width - 3, y: 0)
        canvas.put("x", x: canvas.width - 2, y: 0)
    }
}
