import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

@testable import tripshare

/// The page of a ride, and the summary on the terminal.
@Suite("Page and summary of a ride", .ends(within: .longTest))
struct RidePageTests {
    private static let ride = Checkout.folder.appending(path: "Tests/RecordingTests/Samples/ride.ndjson").path

    private static func session() throws -> RecordedSession {
        try RecordedSession(bytes: [UInt8](Data(contentsOf: URL(filePath: ride))))
    }

    private static func page(_ state: State) -> String { String(decoding: RidePage(state).bytes, as: UTF8.self) }

    private struct Facts: Decodable {
        var lang: String
        var wrong: Int
        var elements: [String]
        var attributes: [String]
        var text: String
    }

    private static func read(_ page: String) async throws -> Facts {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "page.html")
            try Data(page.utf8).write(to: file)
            let output = try await PythonProgram.run("Tests/TripshareTests/Python/pages.py", [file.path])
            return try JSONDecoder().decode(Facts.self, from: output)
        }
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `Python's readers of XML and HTML read the page, and find neither scripts nor links`() async throws {
        let state = try #require(HTMLExport.state(after: try Self.session()))
        let facts = try await Self.read(Self.page(state))
        #expect(facts.lang == "en" && facts.wrong == 0)
        #expect(Set(facts.elements).isDisjoint(with: ["script", "link", "img", "iframe", "a", "object", "form"]))
        #expect(Set(facts.attributes).isDisjoint(with: ["src", "href", "xlink:href", "onload", "onclick"]))
        for part in ["The ride tr-1", "Pickup", "Drop-off", "Timeline", "Receipt", "Drop-off promised", "Polls:"] {
            #expect(facts.text.contains(part), "\(part) is missing in \(facts.text)")
        }
    }

    @Test func `the page loads nothing, has no token, and adapts to the browser`() throws {
        let state = try #require(HTMLExport.state(after: try Self.session()))
        let page = Self.page(state)
        for part in [
            "<!DOCTYPE html>", "<html lang=\"en\">", "<svg", "default-src &#39;none&#39;", "charset=\"utf-8\"",
            "name=\"viewport\"", "prefers-color-scheme: dark", "@media print", "class=\"seen\"",
        ] {
            #expect(page.contains(part), "\(part) is missing")
        }
        for part in ["=\"http", "=\"//", "url(", "@import", "<script", "eyJ", "Bearer"] {
            #expect(!page.contains(part), "\(part) is in the page")
        }
        #expect(page.utf8.count < 256 << 10)
    }

    /// The seconds by which the expected arrival moved, and the part of the room that the curve fills.
    @Test(arguments: [(4.0, 0.35...0.45), (20, 0.99...1.0), (59, 0.99...1.0), (1800, 0.99...1.0)])
    func `the curve of the expected arrival fills the room for it, from ten seconds on`(
        change: Double,
        part: ClosedRange<Double>
    ) throws {
        let start = Date(timeIntervalSince1970: 1_768_478_400)
        let id = try TripID("t")
        var state = TripState(id: .trip(id))
        for (index, shift) in [0, change, change / 2].enumerated() {
            var trip = Trip(id: id, provider: try ProviderID("p"), status: .enrouteToDropoff)
            trip.dropoffTime = start + 600 + shift
            let now = Moment(wall: start + Double(5 * index), steady: .seconds(5 * index))
            state.merge(.trip(trip), serverDate: nil, at: now)
        }
        let trend = try #require(ArrivalTrend(state, .utc, .english))
        let markup = trend.markup.map(\.source).joined()
        let curve = try #require(markup.firstMatch(of: /M84\.0 [0-9.]+L[0-9. L]+/)).output
        let heights = curve.matches(of: /[ML][0-9.]+ ([0-9.]+)/).compactMap { Double($0.1) }
        let (top, bottom) = (try #require(heights.min()), try #require(heights.max()))
        #expect(heights.count == 6 && top >= 16 && bottom <= 160, "\(heights)")
        #expect(part.contains((bottom - top) / 144), "\(heights)")
        #expect(abs((top - 16) - (160 - bottom)) < 0.2, "the curve is in the middle: \(heights)")
    }

    @Test func `the page says once in which zone its times are`() throws {
        let trip = JourneyID.trip(try TripID("tr-1"))
        let now = Moment(wall: Date(timeIntervalSince1970: 1_768_478_400), steady: .zero)
        let berlin = Zone(try #require(TimeZone(identifier: "Europe/Berlin")), at: now.wall, hasTwelveHours: false)
        for (zone, words) in [(Zone.utc, "Times: UTC<"), (berlin, "Times: Europe/Berlin (UTC+1)<")] {
            let settings = State.Settings(host: "h", zone: zone)
            let page = Self.page(State(trips: [trip], settings: settings, now: now, width: 80, height: 24))
            #expect(page.components(separatedBy: words).count == 2, "\(page)")
        }
    }

    @Test func `an ID from outside is text, whatever it contains`() throws {
        let id = "<b onload='x'>&\"\u{202E}\u{7}</b>".replacing("/", with: "")
        let state = State(
            trips: [.trip(try TripID(id))],
            settings: State.Settings(host: "<i>host</i>"),
            now: Moment(wall: Date(timeIntervalSince1970: 0), steady: .zero),
            width: 80,
            height: 24
        )
        let page = Self.page(state)
        #expect(page.contains("&lt;b onload=&#39;x&#39;&gt;&amp;&quot;"))
        #expect(!page.contains("<b ") && !page.contains("<i>") && !page.contains("\u{202E}") && !page.contains("\u{7}"))
    }

    @Test func `attributes and texts of markup are escaped, and texts are shortened`() {
        let element = Markup.element("p", ["class": "a\"b<"], [.text("<&>'\u{FFFE}")])
        #expect(element.source.hasPrefix("<p class=\"a&quot;b&lt;\">&lt;&amp;&gt;&#39;"))
        #expect(!element.source.contains("\u{FFFE}"))
        let long = Markup.text(String(repeating: "x", count: 100_000))
        #expect(long.source.count <= Markup.longestText)
    }

    @Test(arguments: Language.allCases)
    func `the page and the summary are in the language of the session`(language: Language) throws {
        var settings = State.Settings(host: "h")
        settings.localizer = Localizer(language)
        let trip = JourneyID.trip(try TripID("tr-1"))
        let now = Moment(wall: Date(timeIntervalSince1970: 0), steady: .zero)
        let state = State(trips: [trip], settings: settings, now: now, width: 80, height: 24)
        let page = Self.page(state)
        #expect(page.contains("<html lang=\"\(language.rawValue)\">"))
        #expect(page.contains(Localizer(language)(.pageTitle(trip: "tr-1"))))
    }

    @Test func `the summary has the arrival, the promise, the polls and the tokens in few lines`() throws {
        let state = try #require(HTMLExport.state(after: try Self.session()))
        let trip = try #require(state.trip)
        let lines = RideSummary(trip, at: state.now, state.settings.zone, .english).lines
        #expect((3...5).contains(lines.count), "\(lines)")
        #expect(lines.first?.hasPrefix("tr-1: ") == true)
        #expect(lines.contains { $0.contains(/Drop-off: (arrived|expected) .*\d\d:\d\d/) }, "\(lines)")
        #expect(lines.contains { $0.contains(/Polls: \d+, failed: \d+/) }, "\(lines)")
    }

    @Test func `nothing is invented about a ride that was never answered`() throws {
        let trip = JourneyID.trip(try TripID("tr-1"))
        let now = Moment(wall: Date(timeIntervalSince1970: 0), steady: .zero)
        let state = State(trips: [trip], settings: State.Settings(host: "h"), now: now, width: 80, height: 24)
        let lines = RideSummary(try #require(state.trip), at: now, .utc, .english).lines
        #expect(lines == ["tr-1: Nothing is known about this trip yet"])
        #expect(!Self.page(state).contains("<svg"))
    }

    @Test func `a demo writes its page at the end, and never over another file`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "ride.html")
            let arguments = [
                "demo", "--seed", "7", "--speed", "60", "--output", "plain", "--lang", "de", "--share", file.path,
            ]
            let run = try await Program.run(arguments)
            #expect(run.status == 0, "\(run.errors)")
            let page = try String(contentsOf: file, encoding: .utf8)
            #expect(page.contains("<html lang=\"de\">") && page.contains("class=\"street\""))
            #expect(page.contains("Karte"))
            #expect(page.hasSuffix("</html>\n") && !page.contains("eyJ") && page.utf8.count < 256 << 10)
            let again = try await Program.run(arguments)
            #expect(again.status == 74 && again.errors.contains("ride.html"), "\(again.errors)")
            #expect(try String(contentsOf: file, encoding: .utf8) == page)
        }
    }
}
