import Canvas
import Testing
import TripFeed
import TripScreen
import TripTestSupport
import TripText

@Suite("Layouts in every language", .ends(within: .quickTest))
struct LanguageLayoutTests {
    /// All languages, and one whose texts are longer than in any of them.
    static let wordings: [Localizer] = {
        var stretched = Localizer.english
        stretched.isStretched = true
        return Language.allCases.map { Localizer($0) } + [stretched]
    }()

    private static let sizes = [(80, 24), (120, 40), (200, 60)]

    /// A complete frame.
    private struct Frame: Hashable {
        var x, y, right, bottom: Int
    }

    /// The frames on a canvas.
    ///
    /// A broken border is recorded as an issue.
    private static func frames(_ canvas: Canvas, role: Role, _ comment: Comment) -> Set<Frame> {
        var frames: Set<Frame> = []
        for y in 0..<canvas.height {
            for x in 0..<canvas.width where canvas[x, y]?.text == "╭" && canvas[x, y]?.role == role {
                guard let right = (x..<canvas.width).first(where: { canvas[$0, y]?.text == "╮" }),
                    let bottom = (y..<canvas.height).first(where: { canvas[x, $0]?.text == "╰" })
                else {
                    Issue.record(comment)
                    continue
                }
                let edges = ((y + 1)..<bottom).allSatisfy {
                    canvas[x, $0]?.text == "│" && canvas[right, $0]?.text == "│"
                }
                #expect(edges && canvas[right, bottom]?.text == "╯", comment)
                frames.insert(Frame(x: x, y: y, right: right, bottom: bottom))
            }
        }
        return frames
    }

    private static func check(
        _ screen: (Localizer) throws -> State,
        role: Role = .border,
        sharesRows: Bool = false
    ) throws {
        let wanted = frames(view(try screen(.english)), role: role, "English")
        #expect(!wanted.isEmpty || role == .border)
        for localizer in wordings {
            let state = try screen(localizer)
            let canvas = view(state)
            let name: Comment =
                "\(localizer.language), stretched: \(localizer.isStretched), \(canvas.width)\n\(canvas.text)"
            let found = frames(canvas, role: role, name)
            // The height of the help, and of panels that share their rows, depends on the number of their lines.
            let isFixed = role == .border && !sharesRows
            #expect(isFixed ? found == wanted : found.count == wanted.count, name)
        }
    }

    @Test(arguments: PictureTests.Scene.allCases.filter { $0 != .help && $0 != .whatFailed }, sizes)
    func `no text breaks a frame in the view of a trip`(_ scene: PictureTests.Scene, _ size: (Int, Int)) throws {
        try Self.check({ try scene.screen(size.0, size.1, .braille, localizer: $0) }, sharesRows: true)
        try Self.check {
            var state = try scene.screen(size.0, size.1, .braille, localizer: $0)
            _ = state.update(.key(.character("P")))
            return state
        }
    }

    @Test(arguments: ViewPictureTests.Scene.allCases.filter { $0 != .helpInspector }, sizes)
    func `no text breaks a frame in the other views`(_ scene: ViewPictureTests.Scene, _ size: (Int, Int)) throws {
        try Self.check { try scene.screen(size.0, size.1, localizer: $0) }
    }

    @Test(arguments: sizes)
    func `no text breaks the frame of an overlay`(_ size: (Int, Int)) throws {
        for keys in ["?", "2?", "3?", "5?", "7?", ":"] {
            try Self.check(
                { localizer in
                    var state = try Fleet.screen(width: size.0, height: size.1, localizer: localizer)
                    for key in keys { _ = state.update(.key(.character(key))) }
                    return state
                },
                role: .focusedBorder
            )
        }
    }

    @Test(arguments: Language.allCases)
    func `times and values are aligned in columns`(_ language: Language) throws {
        let canvas = try view(
            PictureTests.Scene.enrouteToDropoff.screen(120, 40, .braille, localizer: Localizer(language))
        )
        /// The first columns right of the map that contain a text, one per row.
        func columns(of text: String, rows: Range<Int>) -> Set<Int> {
            Set(rows.compactMap { y in (74..<canvas.width).first { canvas[$0, y]?.text == text } })
        }
        let panel = try #require((5..<canvas.height).first { canvas[72, $0]?.text == "╭" })
        // All times of this ride are in the hour of 17:00.
        #expect(columns(of: ":", rows: (panel + 1)..<(panel + 6)).count == 1)
    }

    /// Words that are the same in every language: names, keys of the keyboard, units, API terms; also the rest of an option that is
    /// broken at the end of a line.
    private static let machineWords: Set<String> = [
        "trip", "taxi", "airport", "night", "shuttle", "not", "there", "http", "endpoint", "HTTP", "TLS", "API", "UTC",
        "PgUp", "PgDn", "Esc", "Tab", "Space", "space", "Home", "End", "Enter", "Arrows", "Shift", "Ctrl", "Right",
        "Left", "GeoJSON", "JSON", "curl", "TELEPORTING", "fleetengine", "googleapis", "com", "token", "url",
        "provider", "GetTrip", "SearchTrips", "GET", "https", "example", "providers", "trips", "Authorization",
        "Bearer", "TOKEN", "Accept", "application", "json",
        "fleet", "engine", "tripshare", "inspect", "PERMISSION", "DENIED", "The", "caller", "may", "Fleet", "Engine",
        "ARRIVED", "PICKUP", "rovider", "HTML", "demo", "project", "Cloud", "exp", "drop", "basemap", "PMTiles",
        "MBTiles",
    ]

    @Test(arguments: [Language.korean, .simplifiedChinese, .traditionalChinese])
    func `no view shows English words in a language with another script`(_ language: Language) throws {
        let localizer = Localizer(language)
        // What failed is shown in the words of others.
        let scenes = PictureTests.Scene.allCases.filter { $0 != .whatFailed }
        var screens = try scenes.map { try $0.screen(120, 40, .braille, localizer: localizer) }
        // Views with the token's verdict and the answer are omitted, because they show API terms.
        let views: [ViewPictureTests.Scene] = [.trips, .tripsFilter, .network, .networkErrors, .findings, .log]
        screens += try views.map { try $0.screen(120, 40, localizer: localizer) }
        var presenter = try PictureTests.Scene.enrouteToPickup.screen(120, 40, .braille, localizer: localizer)
        _ = presenter.update(.key(.character("P")))
        screens.append(presenter)
        let rules = FindingRule.all.flatMap { $0.id.split { !$0.isLetter }.map(String.init) }
        let allowed = Self.machineWords.union(rules)
        for state in screens {
            let text = view(state).text
            for word in text.matches(of: /[A-Za-z]{3,}/).map({ String($0.output) })
            where !allowed.contains(word) {
                Issue.record("\(word) in \(language):\n\(text)")
            }
        }
    }
}
