import Canvas
import Failures
import FleetTokens
import FleetWire
import Foundation
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

@Suite("Sentences", .ends(within: .quickTest))
struct WordsTests {
    static let sourceErrors: [Failure] = [
        .sourceUnreachable(reason: "refused"), .sourceTimedOut, .sourceStatus(500, retryAfter: .seconds(4)),
        .sourceStatus(401, retryAfter: nil), .sourceRedirected(status: 302), .sourceHTML(status: 200), .sourceNotJSON,
        .sourceMissingKey("jwt"),
        .sourceWrongType(key: "jwt"), .sourceEncodedJSON(key: "body"), .sourceEncodedJSON(key: nil), .sourceEmpty,
        .sourceTooLarge(limit: 65_536),
        .sourceInvalidURL, .sourceInsecureURL, .sourceUnsupportedContext,
        .commandNotStarted(reason: "no such file"), .commandFailed(exitStatus: 2), .commandKilled(signal: 9),
        .unreadableFile(reason: "no such file"), .missingVariable("TOKEN"), .badKey(reason: "not PEM"),
        .sourceCancelled,
        .sourceUnusableProxy(reason: "https_proxy names no proxy"), .sourceStatus(405, retryAfter: nil),
    ]
    static let faults: [Failure] = [
        .tokenMalformed, .tokenTooLong(bytes: 9000), .tokenOpaque, .tokenUnsigned, .tokenWithoutExpiry,
        .tokenExpiryInMilliseconds,
        .tokenExpired(ago: .seconds(70)), .tokenTooShort(left: .seconds(1)), .tokenTooLongLived(.seconds(7200)),
        .tokenIssuedInFuture(by: .seconds(900)), .tokenWrongAudience, .tokenWithoutAuthorization, .tokenBoundToAnother,
        .tokenWrongKind,
        .tokenOverBroad, .tokenSameAgain, .tokenMistypedTime("exp"),
    ]
    static let transportErrors: [Failure] = [
        .invalidURL, .refused, .unknownHost, .tls(reason: "expired"), .timedOut, .connectionLost, .cutOff,
        .tooLarge(limit: 4096), .wrongPort(reason: "no TLS"),
        .malformed(reason: "no status"), .cancelled, .other(reason: "odd"),
        .unusableProxy(reason: "https_proxy names no proxy"),
    ]

    static var tokenErrors: [TokenError] {
        let delay = Duration.seconds(5)
        return sourceErrors.map { .unavailable($0, retryAfter: delay) }
            + faults.map { .unusable($0, retryAfter: delay) } + [
                .noAuthorizationContext, .missingData(.sourceHTML(status: 200), retryAfter: delay),
                .denied(status: 403, retryAfter: delay), .rejectedByService(status: 401, retryAfter: delay),
                .tooShortLived(left: .seconds(1), wanted: .seconds(30)), .tooManyKeys(limit: 4),
                .tooManyWaiters(limit: 9),
                .cancelled, .closed,
            ]
    }

    static func failures() throws -> [Failure] {
        let statuses = [400, 401, 403, 404, 408, 409, 429, 500, 503, 504]
        let answers = [Failure.redirected(httpStatus: 302), .unreadable(.notJSON(reason: "cut off"))]
        return tokenErrors.map(\.failure) + transportErrors
            + statuses.map { Failure.service(ServiceAnswer(httpStatus: $0), retryAfter: .seconds(7)) }
            + [Failure.webPage(httpStatus: 200, title: "Login"), .anotherTrip(.trip(try TripID("other")))]
            + answers + answers.map { $0.with(History(hasAnswer: true)) }
    }

    @Test func `every failure has a sentence of at most two lines`() throws {
        let trip = try TripID("trip-1")
        for failure in try Self.failures() {
            let sentence = UserMessage(failure, nil, journey: .trip(trip), host: "engine.example")
            #expect(sentence.what.count > 20 && sentence.what.count < 260, "\(sentence.what)")
            #expect(!sentence.what.hasSuffix("."))
            #expect(sentence.short.count < 40, "\(sentence.short)")
            let lines = sentence.lines()
            #expect((1...2).contains(lines.count))
            #expect(sentence.advice?.hasSuffix(".") ?? true)
        }
    }

    @Test(arguments: [
        ("Request had no scopes", "`authorization` claim"),
        ("Fleet Engine API has not been used in project 12", "Enable the Fleet Engine API"),
        ("The caller does not have permission", "names another trip"),
    ])
    func `names the matching cause of a 403`(_ example: (said: String, advice: String)) throws {
        let error = ServiceAnswer(httpStatus: 403, status: "PERMISSION_DENIED", message: example.said)
        let sentence = UserMessage(.service(error, retryAfter: nil), nil, journey: try .trip(TripID("t")), host: "h")
        #expect(sentence.advice?.contains(example.advice) == true)
        #expect(sentence.what.contains(example.said))
    }

    @Test(arguments: [401, 403, 404])
    func `a refusal in another form has no known cause, and shows its text`(status: Int) throws {
        let failure = Failure.service(ServiceAnswer(httpStatus: status, message: "RBAC: denied"), retryAfter: nil)
        let message = UserMessage(failure, nil, journey: try .trip(TripID("t")), host: "h")
        #expect(UserMessage(failure, searching: try ProviderID("p"), host: "h") == message)
        let words = "h answered HTTP \(status), but not in the form of a Fleet Engine error (‘RBAC: denied’)"
        #expect(message.what == words)
        #expect(message.party == nil && message.blame == "The cause is unknown.")
    }

    @Test func `an endpoint that answers an error instead of a token is at fault itself`() {
        for keys in [["error", "status"], ["errorMessage", "errorType"], ["message"], ["code", "msg"]] {
            let wrong = Failure.sourceMissingKey("jwt", known: keys)
            #expect(wrong.party == .tokenEndpoint)
            #expect(UserMessage(wrong).advice == "Check what the token source returns.")
        }
        for keys in [["token"], ["message", "data.accessToken"], ["status"]] {
            let other = UserMessage(Failure.sourceMissingKey("jwt", known: keys))
            #expect(other.party == (keys == ["status"] ? nil : .commandLine))
            #expect(other.advice?.contains("--token-key") == true)
        }
    }

    @Test func `an untrusted certificate of the endpoint is blamed as that of the service`() throws {
        let endpoint = UserMessage(Failure.sourceUnreachable(.tls, reason: "TLS: not trusted"))
        let service = UserMessage(.tls(reason: "not trusted"), nil, journey: try .trip(TripID("t")), host: "h")
        #expect(endpoint.advice == service.advice && endpoint.advice?.hasPrefix("Check the certificate") == true)
        #expect(endpoint.party == .network && service.party == .network)
    }

    @Test(arguments: [FailureCode.unknownHost, .other])
    func `an endpoint without a name or a route has no advice to start`(_ code: FailureCode) {
        let message = UserMessage(Failure.sourceUnreachable(code, reason: "unknown host t.example"))
        #expect(message.party == (code == .unknownHost ? .network : nil))
        #expect(message.advice == "Check the network and --token-url; it is retried automatically.")
        #expect(message.last.advice == "Check the network and --token-url.")
    }

    @Test func `a trip that the service knew before was deleted`() throws {
        let missing = ServiceAnswer(httpStatus: 404, status: "NOT_FOUND", message: "no trip")
        var chain = FailureChain()
        let failure = Failure.service(missing, retryAfter: .seconds(3))
        #expect(chain.linked(failure, at: .distantPast) == failure)
        chain.answered(at: .distantPast, token: nil)
        let gone = chain.linked(failure, at: .distantPast)
        #expect(gone.httpStatus == 404 && gone.nameInJSON == "NOT_FOUND" && gone.retryAfter == .seconds(3))
        let message = UserMessage(gone, nil, journey: try .trip(TripID("t")), host: "h")
        #expect(message.what == "Trip t no longer exists (404 NOT_FOUND) (‘no trip’): h knew it before")
        #expect(message.party == nil && message.advice?.hasPrefix("It was deleted") == true)
    }

    @Test(arguments: [
        (400, "engine.example rejects the search for trips of project p (‘no’)"),
        (403, "engine.example does not let the token search the trips of project p (‘no’)"),
    ])
    func `a refused search names the service and the project`(status: Int, words: String) throws {
        let error = ServiceAnswer(httpStatus: status, status: "ANY", message: "no")
        let failure = Failure.service(error, retryAfter: nil)
        #expect(UserMessage(failure, searching: try ProviderID("p"), host: "engine.example").what == words)
    }

    @Test func `sanitizes the message of a server`() throws {
        let error = ServiceAnswer(
            httpStatus: 500,
            status: "INTERNAL",
            message: "\u{1B}[2J" + String(repeating: "x", count: 9999)
        )
        let sentence = UserMessage(.service(error, retryAfter: nil), nil, journey: try .trip(TripID("t")), host: "h")
        #expect(!sentence.what.contains("\u{1B}"))
        #expect(sentence.what.count < 420)
    }

    @Test func `does not show a token that a server repeats`() throws {
        // The service's message is untrusted text; a proxy may echo the request's header in it.
        let secret = "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJub2JvZHkifQ.c2lnbmF0dXJlLW9mLW5vYm9keQ"
        let error = ServiceAnswer(httpStatus: 401, status: "UNAUTHENTICATED", message: "bad header Bearer \(secret)!")
        var ride = Ride()
        ride.failsFrom = 10
        ride.failure = .service(error, retryAfter: nil)
        for (width, height) in [(80, 24), (200, 60)] {
            let text = try view(ride.screen(at: 30, width: width, height: height)).text
            #expect(!text.contains("eyJpc3Mi") && !text.contains("c2lnbmF0dXJl"))
        }
        let sentence = UserMessage(ride.failure, nil, journey: try ride.id(), host: "h")
        #expect(!sentence.what.contains("eyJ"))
        #expect(sentence.what.contains("<token>"))
    }

    @Test func `plain output describes a whole ride in a few sentences`() throws {
        var plain = ReportedLines(PlainLines(host: "engine.example", zone: .utc, namesTrips: false))
        var lines: [String] = []
        for message in try Ride().messages(until: 200) {
            switch message {
            case .feed(let event): lines += plain.lines(for: event, now: Ride.moment(0))
            case .token(let event): lines += plain.lines(for: event)
            default: continue
            }
        }
        #expect(
            lines == [
                "17:00:00  Token received, good until 17:01:30.", "17:00:00  Waiting for a driver.",
                "17:00:05  A driver is assigned, not on the way yet, expected at 17:00:58.",
                "17:00:15  Driver is on the way to the pickup, expected at 17:00:58.",
                "17:01:00  Token refreshed (number 2), good until 17:02:30.", "17:01:05  Driver is at the pickup.",
                "17:01:20  On the way to the drop-off, expected at 17:02:41.",
                "17:02:55  Trip complete, the rider is dropped off.",
            ]
        )
    }

    @Test func `plain output reports an outage once, and its end`() throws {
        var plain = ReportedLines(PlainLines(host: "engine.example", zone: .utc, namesTrips: true))
        var ride = Ride()
        ride.failsFrom = 20
        var events: [FeedEvent] = []
        for case .feed(let event) in try ride.messages(until: 40) { events.append(event) }
        var lines = events.flatMap { plain.lines(for: $0, now: Ride.moment(0)) }
        #expect(lines.filter { $0.contains("refused") }.count == 1)
        #expect(lines.allSatisfy { $0.contains("trip-7f3a: ") })
        var report = PollReport(journey: try ride.id(), started: Ride.moment(45))
        report.finished = Ride.moment(45)
        report.outcome = .success(try .trip(ride.trip(at: 15)))
        let state = TripState(id: try ride.id())
        let schedule = PollSchedule(interval: .seconds(5), next: nil)
        lines = plain.lines(for: .polled(report, state, schedule), now: Ride.moment(45))
        #expect(lines == ["17:00:45  trip-7f3a: Polling works again after 5 failed polls."])
    }

    /// The settings were right for the earlier token.
    ///
    /// A 401 or 403 may mean that the login in a header has expired, which the advice says.
    @Test(
        arguments: [
            (.missingData(.sourceMissingKey("jwt"), retryAfter: .zero), true),
            (.missingData(.sourceWrongType(key: "jwt"), retryAfter: .zero), true),
            (.unavailable(.sourceRedirected(status: 302), retryAfter: .zero), true),
            (.unusable(.tokenWrongExpiryUnit, retryAfter: .zero), true),
            (.denied(status: 404, retryAfter: .zero), true),
            (.unavailable(.sourceStatus(405, retryAfter: nil), retryAfter: .zero), true),
            (.unavailable(.sourceStatus(401, retryAfter: nil), retryAfter: .zero), true),
            (.denied(status: 403, retryAfter: .zero), true),
            (.unavailable(.missingVariable("TOKEN"), retryAfter: .zero), false),
        ] as [(TokenError, Bool)]
    )
    func `a source that fails after a token is at fault, not the command line`(
        error: TokenError,
        isSource: Bool
    ) throws {
        let trip = try TripID("t")
        var status = TokenStatus(source: "command")
        // A status of its own, or a key, shows that the settings may be wrong; a redirect or an answer without keys does not.
        let first = UserMessage(noToken: error.failure, status, journey: .trip(trip))
        #expect(first.party == .commandLine || first.party == nil && first.blame == "The cause is unknown.")
        status.generation = 1
        let message = UserMessage(noToken: error.failure, status, journey: .trip(trip))
        #expect(message.party == (isSource ? .tokenEndpoint : .commandLine))
        #expect(message.advice?.contains("gave tokens before") == isSource)
    }
}
