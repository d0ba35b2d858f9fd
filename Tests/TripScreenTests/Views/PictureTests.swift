import Canvas
import Failures
import FleetTokens
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

@Suite("Screens of a trip", .ends(within: .quickTest))
struct PictureTests {
    /// A state of a ride with an expected screen.
    enum Scene: String, CaseIterable, Sendable {
        case connecting, new, assigned, enrouteToPickup, arrivedAtPickup, enrouteToDropoff, overdue, complete, canceled
        case stops, foreign, unrecognized, silent, retrying, forbidden, noToken, paused, help, whatFailed

        /// A gateway's 403, for the third time.
        private static var refusal: Failure {
            let answer = Exchange.Answer(
                status: 403,
                headers: [("server", "nginx"), ("content-type", "text/html"), ("via", "1.1 edge.example")],
                body: Array("<html><head><title>403 Forbidden</title></head><body>Rule 7 blocks it.</body></html>".utf8)
            )
            let exchange = Exchange(
                .http,
                Exchange.Request(
                    method: "GET",
                    url: "https://fleetengine.googleapis.com/v1/providers/p/trips/trip-7f3a?view=SDK",
                    headerNames: ["authorization"],
                    bytes: 0
                ),
                connection: Exchange.Connection(isEncrypted: true, httpVersion: "2", tlsVersion: "1.3"),
                answer: answer,
                duration: .milliseconds(31),
                ending: .complete
            )
            let failure = Failure.webPage(httpStatus: 403, title: "403 Forbidden").with(exchange)
            var chain = FailureChain()
            chain.answered(at: Ride.moment(95).wall, token: 2)
            _ = chain.linked(failure, at: Ride.moment(100).wall)
            _ = chain.linked(failure, at: Ride.moment(105).wall)
            return chain.linked(failure, at: Ride.moment(110).wall)
        }

        func screen(
            _ width: Int,
            _ height: Int,
            _ level: GlyphSet.Level,
            localizer: Localizer = .english
        ) throws -> State {
            let glyphs = GlyphSet(level)
            func screen(_ ride: Ride, _ second: Double) throws -> State {
                try ride.screen(at: second, width: width, height: height, glyphs: glyphs, localizer: localizer)
            }
            var ride = Ride()
            switch self {
            case .connecting:
                let settings = State.Settings(host: "fleetengine.googleapis.com", localizer: localizer, glyphs: glyphs)
                let trip = try ride.id()
                return State(trips: [trip], settings: settings, now: Ride.moment(0), width: width, height: height)
            case .new: return try screen(ride, 0)
            case .assigned: return try screen(ride, 10)
            case .enrouteToPickup: return try screen(ride, 35)
            case .arrivedAtPickup: return try screen(ride, 70)
            case .enrouteToDropoff: return try screen(ride, 105)
            case .overdue:
                ride.status[4].from = 300
                return try screen(ride, 230)
            case .complete: return try screen(ride, 180)
            case .canceled:
                ride.status = [(0, .new), (12, .enrouteToPickup), (40, .canceled)]
                return try screen(ride, 60)
            case .stops:
                ride.stops = [Ride.toDropoff.points[3], Ride.toDropoff.points[6]]
                ride.status[3].status = .enrouteToIntermediateDestination
                return try screen(ride, 95)
            case .foreign:
                ride.foreignStop = Ride.toPickup.points[4]
                return try screen(ride, 35)
            case .unrecognized:
                ride.status[2].status = .unrecognized("TELEPORTING")
                return try screen(ride, 70)
            case .silent:
                ride.silentFrom = 90
                return try screen(ride, 130)
            case .retrying:
                ride.failsFrom = 100
                return try screen(ride, 115)
            case .forbidden:
                ride.failsFrom = 0
                let refusal = ServiceAnswer(
                    httpStatus: 403,
                    status: "PERMISSION_DENIED",
                    message: "The caller may not."
                )
                ride.failure = .service(refusal, retryAfter: nil)
                var state = try screen(ride, 5)
                _ = state.update(.feed(.ended(try ride.id(), .failed(ride.failure))))
                return state
            case .noToken:
                ride.tokenError = .missingData(.sourceHTML(status: 200), retryAfter: .seconds(30))
                return try screen(ride, 10)
            case .paused:
                var state = try screen(ride, 105)
                var schedule = PollSchedule(interval: .seconds(5), next: .seconds(1110))
                schedule.isPaused = true
                _ = state.update(.feed(.scheduled(try ride.id(), schedule)))
                return state
            case .whatFailed:
                ride.failsFrom = 100
                ride.failure = Self.refusal
                var state = try screen(ride, 115)
                _ = state.update(.key(.enter))
                return state
            case .help:
                var state = try screen(ride, 105)
                _ = state.update(.key(.character("?")))
                return state
            }
        }
    }

    @Test func `what failed is offered while it fails, and shown until a key is pressed`() throws {
        var state = try Scene.whatFailed.screen(120, 40, .braille)
        #expect(state.overlay == .details(.failure, row: 0))
        #expect(state.update(.key(.enter)) == [] && state.overlay == nil)
        #expect(view(state).text.contains("Enter what failed"))
        var good = try Scene.enrouteToPickup.screen(120, 40, .braille)
        #expect(!view(good).text.contains("what failed"))
        #expect(good.update(.key(.enter)) == [] && good.overlay == .details(.evidence, row: 0))
    }

    @Test(arguments: Language.allCases)
    func `what failed can be read to its end at every size`(_ language: Language) throws {
        for (width, height) in [(45, 12), (60, 16), (80, 24), (120, 40), (200, 60)] {
            let localizer = Localizer(language)
            var state = try Scene.whatFailed.screen(width, height, .braille, localizer: localizer)
            _ = state.update(.key(.end))
            #expect(view(state).text.contains(localizer(.failureNext)), "\(language) at \(width)x\(height)")
        }
    }

    @Test(arguments: Scene.allCases)
    func `matches the expected screen at 80x24`(_ scene: Scene) throws {
        try ScreenFile(name: "\(scene.rawValue)-80x24").expect(view(scene.screen(80, 24, .braille)))
    }

    @Test(arguments: Scene.allCases)
    func `matches the expected screen at 120x40`(_ scene: Scene) throws {
        try ScreenFile(name: "\(scene.rawValue)-120x40").expect(view(scene.screen(120, 40, .braille)))
    }

    @Test(arguments: [Scene.enrouteToPickup, .enrouteToDropoff, .complete, .retrying])
    func `matches the expected screen at 200x60`(_ scene: Scene) throws {
        try ScreenFile(name: "\(scene.rawValue)-200x60").expect(view(scene.screen(200, 60, .braille)))
    }

    @Test(arguments: [Scene.enrouteToPickup, .enrouteToDropoff, .silent, .complete, .help])
    func `matches the expected screen in ASCII`(_ scene: Scene) throws {
        let canvas = try view(scene.screen(80, 24, .ascii))
        #expect(canvas.text.unicodeScalars.allSatisfy { $0.isASCII })
        try ScreenFile(name: "\(scene.rawValue)-80x24-ascii").expect(canvas)
    }

    @Test(arguments: [Scene.enrouteToDropoff, .silent])
    func `matches the expected screen with half blocks`(_ scene: Scene) throws {
        try ScreenFile(name: "\(scene.rawValue)-80x24-blocks").expect(view(scene.screen(80, 24, .blocks)))
    }

    @Test(arguments: [Scene.enrouteToDropoff, .silent])
    func `uses the expected roles`(_ scene: Scene) throws {
        let name = "\(scene.rawValue)-80x24-roles"
        try ScreenFile(name: name).expect(view(scene.screen(80, 24, .braille)), withRoles: true)
    }

    @Test(arguments: [(50, 12), (30, 6), (20, 4), (60, 16)])
    func `shows the most important parts on a small screen`(_ size: (Int, Int)) throws {
        let name = "small-\(size.0)x\(size.1)"
        try ScreenFile(name: name).expect(view(Scene.enrouteToPickup.screen(size.0, size.1, .braille)))
    }
}
