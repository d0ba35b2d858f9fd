import Canvas
import FleetTokens
import FleetWire
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

@Suite("Screens of a trip", .ends(within: .minutes(10)))
struct PictureTests {
    /// A state of a ride with an expected screen.
    enum Scene: String, CaseIterable, Sendable {
        case connecting, new, assigned, enrouteToPickup, arrivedAtPickup, enrouteToDropoff, overdue, complete, canceled
        case stops, foreign, unrecognized, silent, retrying, forbidden, noToken, paused, help

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
                let refusal = ServiceError(httpStatus: 403, status: "PERMISSION_DENIED", message: "The caller may not.")
                ride.failure = .service(refusal, retryAfter: nil)
                var state = try screen(ride, 5)
                _ = state.update(.feed(.ended(try ride.id(), .failed(ride.failure))))
                return state
            case .noToken:
                ride.tokenError = .missingData(.html(status: 200), retryAfter: .seconds(30))
                return try screen(ride, 10)
            case .paused:
                var state = try screen(ride, 105)
                var schedule = PollSchedule(interval: .seconds(5), next: .seconds(1110))
                schedule.isPaused = true
                _ = state.update(.feed(.scheduled(try ride.id(), schedule)))
                return state
            case .help:
                var state = try screen(ride, 105)
                _ = state.update(.key(.character("?")))
                return state
            }
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
