import Canvas
import Testing
import TripTestSupport

@Suite("Braille grid", .ends(within: .quickTest))
struct BrailleGridTests {
    private func picture(_ level: GlyphSet.Level, _ draw: (inout BrailleGrid) -> Void) -> Canvas {
        var canvas = Canvas(width: 12, height: 4, glyphs: GlyphSet(level))
        var grid = BrailleGrid(in: canvas.bounds)
        draw(&grid)
        grid.render(into: &canvas)
        return canvas
    }

    private static let route = BrailleGrid.Layer(priority: 50, role: .routeRemaining)
    private static let street = BrailleGrid.Layer(priority: 10, role: .basemap)

    private func zigzag(_ grid: inout BrailleGrid) {
        grid.polyline([.init(x: 0, y: 0), .init(x: 8, y: 12), .init(x: 16, y: 4), .init(x: 23, y: 4)], Self.route)
    }

    @Test func `draws lines in braille`() {
        #expect(picture(.braille, zigzag).text == Self.braille)
    }

    @Test func `draws lines in half blocks`() {
        #expect(picture(.blocks, zigzag).text == Self.blocks)
    }

    @Test func `draws lines in ASCII`() {
        #expect(picture(.ascii, zigzag).text == Self.ascii)
    }

    @Test(arguments: [GlyphSet.Level.ascii, .blocks])
    func `a jam, slow traffic, the route ahead and the trail differ without colors`(_ level: GlyphSet.Level) {
        let pictures = [Role.trafficJam, .trafficSlow, .routeRemaining, .trail].map { role in
            let pattern: BrailleGrid.Pattern =
                switch role {
                case .trafficJam: .init(on: 2, off: 2)
                case .trafficSlow: .dashed
                case .trail: .dotted
                default: .solid
                }
            return picture(level) { grid in
                grid.polyline(
                    [.init(x: 0, y: 9), .init(x: 23, y: 9)],
                    .init(priority: 1, role: role),
                    pattern: pattern,
                    width: level == .ascii || role == .trail ? 1 : 2
                )
            }.text
        }
        #expect(Set(pictures).count == 4, "\(pictures)")
    }

    @Test func `the higher layer takes the whole cell in any drawing order`() {
        for routeFirst in [true, false] {
            let canvas = picture(.braille) { grid in
                let across = { (grid: inout BrailleGrid) in
                    grid.line(from: .init(x: 0, y: 5), to: .init(x: 23, y: 5), Self.route)
                }
                if routeFirst { across(&grid) }
                grid.line(from: .init(x: 6, y: 0), to: .init(x: 6, y: 15), Self.street)
                if !routeFirst { across(&grid) }
            }
            #expect(canvas.text == "   ⡇\n⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒\n   ⡇\n   ⡇")
            #expect(canvas.roleMap == "   m\nrrrrrrrrrrrr\n   m\n   m")
        }
    }

    @Test func `clips lines that begin and end far outside`() {
        let canvas = picture(.braille) { grid in
            grid.line(from: .init(x: -1e9, y: 2), to: .init(x: 1e9, y: 2), Self.route)
            grid.line(from: .init(x: -1e300, y: -1e300), to: .init(x: 1e300, y: 1e300), Self.street)
            grid.line(from: .init(x: 0, y: -5), to: .init(x: 23, y: -1), Self.route)
        }
        #expect(canvas.text.hasPrefix("⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤\n"))
    }

    @Test func `interrupts a line at an unknown point`() {
        let canvas = picture(.braille) { grid in
            let gap = BrailleGrid.Point(x: .nan, y: 0)
            grid.polyline(
                [.init(x: 0, y: 0), .init(x: 5, y: 0), gap, .init(x: 12, y: 0), .init(x: 17, y: 0)],
                Self.route
            )
        }
        #expect(canvas.text == "⠉⠉⠉   ⠉⠉⠉\n\n\n")
    }

    @Test func `draws solid, dashed and dotted lines differently`() {
        let canvas = picture(.braille) { grid in
            for (row, pattern) in [BrailleGrid.Pattern.solid, .dashed, .dotted].enumerated() {
                let y = Double(4 * row)
                grid.line(from: .init(x: 0, y: y), to: .init(x: 23, y: y), Self.route, pattern: pattern)
            }
        }
        #expect(canvas.text == "⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉\n⠉⠉⠁ ⠉⠉⠁ ⠉⠉⠁\n⠁⠈ ⠁⠈ ⠁⠈ ⠁⠈\n")
    }

    @Test func `lower layers do not show through the gaps of a dashed line in any drawing order`() {
        for isFirst in [true, false] {
            let canvas = picture(.braille) { grid in
                if isFirst { grid.line(from: .init(x: 0, y: 1), to: .init(x: 23, y: 1), Self.street) }
                grid.line(from: .init(x: 0, y: 0), to: .init(x: 23, y: 0), Self.route, pattern: .dashed)
                if !isFirst { grid.line(from: .init(x: 0, y: 1), to: .init(x: 23, y: 1), Self.street) }
            }
            #expect(canvas.text == "⠉⠉⠁ ⠉⠉⠁ ⠉⠉⠁\n\n\n")
        }
    }

    @Test func `draws circles`() {
        let canvas = picture(.braille) { grid in
            grid.circle(around: .init(x: 12, y: 8), radius: 6.5, Self.route)
            grid.circle(around: .init(x: 12, y: 8), radius: 1e9, Self.route)
            grid.circle(around: .init(x: 12, y: 8), radius: .nan, Self.route)
        }
        #expect(canvas.text == Self.circle)
    }

    private static let braille = """
        ⠱⡀
         ⠘⢄   ⢀⠔⠉⠉⠉⠉
          ⠈⢢⢀⠔⠁
            ⠁
        """
    private static let blocks = """
        █▄
         ▀▄   ▄█▀▀▀▀
          ▀█▄█▀
            ▀
        """
    private static let ascii = """
        \\.
         |\\   ./----
          '\\./'
            '
        """
    private static let circle = """
           ⢀⠔⠒⠒⠢⡀
          ⢰⠁    ⠈⡆
          ⠸⡀    ⢀⠇
           ⠈⠢⠤⠤⠔⠁
        """
}
