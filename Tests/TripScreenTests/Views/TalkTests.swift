import Canvas
import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

/// Who talks to whom, and the life of a token.
@Suite("Talk and token", .ends(within: .quickTest))
struct TalkTests {
    /// A ride whose token was refreshed at 40 s, refused at 80 s and replaced; `last` is the newest event.
    private func screen(
        _ width: Int,
        _ height: Int,
        _ level: GlyphSet.Level = .braille,
        last: TokenState = .fresh,
        error: TokenError = .unavailable(.sourceTimedOut, retryAfter: .seconds(5)),
        localizer: Localizer = .english
    ) throws -> State {
        let ride = Ride()
        var state = try ride.screen(
            at: 100,
            width: width,
            height: height,
            glyphs: GlyphSet(level),
            localizer: localizer
        )
        func send(_ second: Double, _ kind: TokenEvent.Kind, _ token: TokenState, _ number: Int) throws {
            var status = TokenStatus(source: "http endpoint")
            (status.state, status.generation, status.fetches) = (token, number, number)
            status.issuedAt = Ride.moment(second).wall
            status.expiresAt = Ride.moment(second + 60).wall
            status.refreshAt = Ride.moment(second + 45).wall
            status.lastFetchDuration = .milliseconds(9)
            if token == .failing { status.lastError = error }
            let event = TokenEvent(
                context: .journey(try ride.id()),
                at: Ride.moment(second),
                kind: kind,
                status: status
            )
            #expect(state.update(.token(event)).isEmpty)
        }
        try send(40, .stored(generation: 2), .fresh, 2)
        try send(80, .rejected(status: 401), .invalidated, 2)
        try send(81, .stored(generation: 3), .fresh, 3)
        if last != .fresh { try send(100, .fetching(.needed), last, 3) }
        #expect(state.update(.tick(Ride.moment(101))).isEmpty)
        return state
    }

    private func press(_ keys: String, _ state: inout State) {
        for key in keys { #expect(state.update(.key(.character(key))).isEmpty) }
    }

    @Test(arguments: [(80, 24), (120, 40), (200, 60)])
    func `the token view shows the present, the next step and the tokens so far`(_ size: (Int, Int)) throws {
        var state = try screen(size.0, size.1)
        press("3", &state)
        let text = view(state).text
        #expect(text.contains("Token 3 is good. The next one is fetched in"))
        #expect(text.contains("Token endpoint") && text.contains("this app") && text.contains("Fleet Engine"))
        try ScreenFile(name: "token-life-\(size.0)x\(size.1)").expect(view(state))
    }

    @Test(arguments: [(80, 24), (120, 40)])
    func `a key shows who talks to whom in every view`(_ size: (Int, Int)) throws {
        var state = try screen(size.0, size.1)
        press("W", &state)
        for key in "123467" {
            press("\(key)", &state)
            #expect(view(state).text.split(separator: "\n").filter { $0.contains("this app") }.count == 1, "\(key)")
        }
        press("1", &state)
        try ScreenFile(name: "talk-\(size.0)x\(size.1)").expect(view(state))
        press("W", &state)
        #expect(!view(state).text.contains("this app"))
    }

    @Test func `the presenter view has it with the token`() throws {
        var state = try screen(120, 40)
        press("PW", &state)
        try ScreenFile(name: "presenter-talk-120x40").expect(view(state))
    }

    @Test func `it is drawn in ASCII`() throws {
        var state = try screen(100, 30, .ascii)
        press("3", &state)
        #expect(view(state).text.unicodeScalars.allSatisfy { $0.isASCII })
    }

    @Test(arguments: Language.allCases)
    func `the strip fits at every width, and the three parties are there from 80 columns on`(
        _ language: Language
    ) throws {
        let localizer = Localizer(language)
        for width in [30, 45, 60, 80, 100, 120, 200] {
            var state = try screen(width, 24, localizer: localizer)
            press("W", &state)
            let text = view(state).text
            guard width >= 80 else { continue }
            for name in [localizer(.talkEndpoint), localizer(.talkApp), "Fleet Engine"] {
                #expect(text.contains(name), "\(name) at \(width)")
            }
        }
    }

    @Test(
        arguments: [
            (.absent, "No token has been fetched yet"), (.fetching, "A token is being fetched"),
            (.refreshingAhead, "is still good, and the next one is being fetched"),
            (.stale, "but the next one has not come yet"), (.failing, "because its source fails"),
            (.denied, "The source denies the token"), (.invalidated, "has rejected token 3"),
            (.closed, "needs no token"),
        ] as [(TokenState, String)]
    )
    func `every state has a sentence`(_ token: TokenState, words: String) throws {
        var state = try screen(120, 40, last: token)
        press("3", &state)
        #expect(view(state).text.contains(words))
    }

    @Test func `a failed call is shown with its cause`() throws {
        var state = try screen(120, 40, last: .failing)
        press("3", &state)
        let strip = view(state).text.split(separator: "\n").first { $0.contains("this app") }
        #expect(strip?.contains("✗") == true)
    }

    @Test(arguments: [401, 403])
    func `a token that the service refuses is no failure of its source`(_ status: Int) throws {
        let answer = AnswerStatus(httpStatus: status, grpcStatus: nil)
        let error = TokenError.rejectedByService(status: answer, retryAfter: .seconds(10))
        var state = try screen(120, 40, last: .failing, error: error)
        press("3", &state)
        let text = view(state).text
        #expect(text.contains("The service has refused token 3.") && !text.contains("source fails"), "\(text)")
        let strip = text.split(separator: "\n").first { $0.contains("this app") }
        #expect(strip?.split(separator: "this app").first?.contains("✗") == false, "\(strip ?? "")")
        press("1", &state)
        #expect(view(state).text.contains("rejected by the service"))
        press("PW", &state)
        #expect(!view(state).text.contains("source fails"))
        #expect(!state.presenterToken.text.contains("source"))
    }

    @Test func `the pause after a refusal is no fetch`() throws {
        let error = TokenError.rejectedByService(status: 401, retryAfter: .seconds(10))
        var state = try screen(120, 40)
        let fetches = state.trip?.tokenHistory.entries.count
        let status = try #require(state.trip?.token)
        let event = TokenEvent(
            context: .journey(try Ride().id()),
            at: Ride.moment(101),
            kind: .failed(error),
            status: status
        )
        _ = state.update(.token(event))
        #expect(state.trip?.tokenHistory.entries.count == fetches)
    }

    @Test func `a token that cannot be used is said to have come`() throws {
        let error = TokenError.unusable(.tokenBoundToAnother, retryAfter: .seconds(5))
        var state = try screen(160, 40, last: .failing, error: error)
        press("3", &state)
        let text = view(state).text
        #expect(text.contains("the one that came cannot be used") && !text.contains("source fails"), "\(text)")
    }

    @Test func `a second token is not said to be the first one`() throws {
        var state = try screen(120, 40, last: .fetching)
        press("1", &state)
        let text = view(state).text
        #expect(text.contains("fetching the next one") && !text.contains("fetching the first one"), "\(text)")
    }

    @Test(arguments: Language.allCases)
    func `the console has room for why there is no token`(_ language: Language) throws {
        let errors = [
            TokenError.unavailable(.sourceTimedOut, retryAfter: .seconds(5)),
            .rejectedByService(status: 401, retryAfter: .seconds(5)),
            .unusable(.tokenBoundToAnother, retryAfter: .seconds(5)),
        ]
        for error in errors {
            var state = try screen(80, 24, last: .failing, error: error, localizer: Localizer(language))
            var status = try #require(state.trip?.token)
            status.retryAt = state.now.wall + 95
            let event = TokenEvent(
                context: .journey(try Ride().id()),
                at: state.now,
                kind: .failed(error),
                status: status
            )
            _ = state.update(.token(event))
            #expect(TextWidth.of(state.presenterToken.text) <= 70, "\(state.presenterToken.text)")
        }
    }

    @Test(arguments: [(60, 24), (80, 24), (120, 40), (200, 60)])
    func `a cause without room for all its words is shorter, not cut`(_ size: (Int, Int)) throws {
        var state = try screen(size.0, size.1, last: .failing)
        press("W", &state)
        let lines = view(state).text.split(separator: "\n")
        let strip = try #require(lines.firstIndex { $0.contains("this app") })
        let rows = lines[strip...].prefix(size.0 < 74 ? 3 : 2)
        #expect(!rows.contains { $0.contains("…") }, "\(rows)")
    }

    @Test func `on stage a failed call says in plain words what is missing`() throws {
        var state = try screen(120, 40, last: .failing)
        press("PW", &state)
        let lines = view(state).text.split(separator: "\n")
        let strip = try #require(lines.firstIndex { $0.contains("this app") })
        #expect(lines[strip + 1].contains("no token"), "\(lines[strip + 1])")
    }

    @Test func `a dot travels to Fleet Engine and back with every poll, in frames of an eighth of a second`() throws {
        var state = try Ride().screen(at: 100, width: 120, height: 40)
        press("W", &state)
        let trip = try #require(state.trip)
        var report = try #require(trip.lastReport)
        (report.started, report.finished) = (state.now, state.now)
        #expect(state.update(.feed(.polled(report, trip.state, try #require(trip.schedule)))).isEmpty)
        let finished = report.finished
        func place(_ seconds: Double) throws -> Int? {
            #expect(state.update(.tick(finished.advanced(by: .seconds(seconds)))).isEmpty)
            let strip = try #require(view(state).text.split(separator: "\n").first { $0.contains("this app") })
            let edge = try #require(strip.split(separator: "this app").last?.split(separator: "Fleet Engine").first)
            return edge.firstIndex(of: "●").map { edge.distance(from: edge.startIndex, to: $0) }
        }
        let places = try [0.1, 0.3, 0.49, 0.6, 0.8].map { try #require(try place($0)) }
        #expect(places[0] < places[1] && places[1] < places[2] && places[3] < places[2] && places[4] < places[3])
        #expect(try place(1.4) == nil)
        var frames = 0
        var moment = finished
        while moment.steady < finished.steady + .seconds(1) {
            moment = moment.advanced(by: try #require(state.nextTravel(after: moment, within: .seconds(2))))
            frames += 1
        }
        #expect((4...9).contains(frames))
        #expect(state.nextTravel(after: moment.advanced(by: .seconds(1)), within: .seconds(1)) == nil)
        press("W", &state)
        #expect(state.nextTravel(after: finished, within: .seconds(2)) == nil, "no dot, no frame")
    }
}
