import Canvas
import FleetTokens
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

@Suite("Screens of the views", .ends(within: .quickTest))
struct ViewPictureTests {
    /// A view in a state with an expected screen.
    enum Scene: String, CaseIterable, Sendable {
        case trips, tripsFilter, token, tokenFailing, network, networkErrors, inspector, changes, findings, reports,
            log,
            helpInspector

        func screen(
            _ width: Int,
            _ height: Int,
            _ level: GlyphSet.Level = .braille,
            localizer: Localizer = .english
        ) throws -> State {
            let glyphs = GlyphSet(level)
            var ride = Ride()
            func press(_ keys: [Key], _ state: inout State) {
                for key in keys { #expect(state.update(.key(key)).isEmpty) }
            }
            func typed(_ text: String) -> [Key] { text.map { .character($0) } }
            if self == .tokenFailing {
                ride.tokenError = .missingData(.sourceHTML(status: 200), retryAfter: .seconds(30))
            }
            if self == .networkErrors { ride.failsFrom = 80 }
            if self == .reports { ride.reports = [0, 5, 10, 15, 25, 45, 70, 95] }
            var state =
                self == .trips || self == .tripsFilter
                ? try Fleet.screen(width: width, height: height, glyphs: glyphs, localizer: localizer)
                : try ride.screen(at: 105, width: width, height: height, glyphs: glyphs, localizer: localizer)
            if let trip = state.trip?.id {
                let verdict = try Self.verdict(for: trip)
                #expect(state.update(.inspected(trip, verdict)).isEmpty)
            }
            switch self {
            case .trips: press([.character("2"), .character("s"), .character("s"), .character("s")], &state)
            case .tripsFilter: press(typed("2/drop"), &state)
            case .token, .tokenFailing: press([.character("3")], &state)
            case .network, .networkErrors: press([.character("4")], &state)
            case .inspector: press(typed("5jjj"), &state)
            case .changes: press(typed("5d/loc") + [.enter], &state)
            case .findings:
                for finding in try Self.findings(of: ride.id()) {
                    #expect(state.update(.feed(.found(finding.journey, [finding]))).isEmpty)
                }
                press([.character("6")], &state)
            case .reports:
                let found = Self.finding(
                    95,
                    "reportsRare",
                    .warning,
                    try ride.id(),
                    [Evidence("interval", .seconds(22)), Evidence("reports", .count(8))]
                )
                #expect(state.update(.feed(.found(found.journey, [found]))).isEmpty)
                press([.character("6")], &state)
            case .log: press([.character("7")], &state)
            case .helpInspector: press(typed("5?"), &state)
            }
            return state
        }

        private static func finding(
            _ second: Double,
            _ rule: FindingRule,
            _ severity: Finding.Severity,
            _ journey: JourneyID,
            _ all: [Evidence]
        ) -> Finding {
            Finding(time: Ride.moment(second).wall, journey: journey, rule: rule, severity: severity, evidence: all)
        }

        private static func findings(of journey: JourneyID) -> [Finding] {
            [
                finding(30, "arrivalJumped", .warning, journey, [Evidence("shift", .seconds(75))]),
                finding(
                    50,
                    "statusSkipped",
                    .info,
                    journey,
                    [Evidence("skipped", .text("ARRIVED_AT_PICKUP")), Evidence("within", .seconds(5))]
                ),
                finding(60, "arrivalJumped", .warning, journey, [Evidence("shift", .seconds(-60))]),
                finding(90, "offRoute", .error, journey, [Evidence("distance", .meters(130))]),
            ]
        }

        private static func verdict(for journey: JourneyID) throws -> TokenVerdict {
            // The token is for an ID with one letter too many, a typical mistake.
            let claimed = AuthorizationContext.trip(try TripID(journey.rawValue + "b"))
            let other = FakeToken(claimed, issuedAt: Ride.start, lifetime: .seconds(7200)).text
            let expectations = TokenInspection.Expectations(context: .journey(journey), providerID: "demo-project")
            return TokenVerdict(TokenInspection.inspect(other, expectations, now: Ride.start))
        }
    }

    @Test(arguments: Scene.allCases)
    func `matches the expected screen at 80x24`(_ scene: Scene) throws {
        try ScreenFile(name: "view-\(scene.rawValue)-80x24").expect(view(scene.screen(80, 24)))
    }

    @Test(arguments: Scene.allCases)
    func `matches the expected screen at 120x40`(_ scene: Scene) throws {
        try ScreenFile(name: "view-\(scene.rawValue)-120x40").expect(view(scene.screen(120, 40)))
    }

    @Test(arguments: [Scene.trips, .token, .network, .inspector, .findings, .log])
    func `matches the expected screen at 200x60`(_ scene: Scene) throws {
        try ScreenFile(name: "view-\(scene.rawValue)-200x60").expect(view(scene.screen(200, 60)))
    }

    @Test(arguments: Scene.allCases)
    func `needs only ASCII`(_ scene: Scene) throws {
        let canvas = try view(scene.screen(80, 24, .ascii))
        #expect(canvas.text.unicodeScalars.allSatisfy { $0.isASCII })
    }

    @Test(arguments: Scene.allCases)
    func `draws at every size`(_ scene: Scene) throws {
        var state = try scene.screen(80, 24)
        for width in stride(from: 0, through: 130, by: 5) {
            for height in stride(from: 0, through: 50, by: 3) {
                #expect(state.update(.resized(width: width, height: height)).isEmpty)
                let canvas = view(state)
                #expect(canvas.width == width && canvas.height == height)
            }
        }
    }
}
