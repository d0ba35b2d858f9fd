import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// A session that receives a token shows what the recording without the token shows.
@Suite("Answers with tokens", .ends(within: .quickTest))
struct RedactedAnswerTests {
    private static let signature = "Hq2vWp9xLm3nRt8wYb4cHd7fJg5sKa1eUo6iXz0VqNyTrBhCwE"
    private static let token = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0.\(signature)"
    private static let piece = String(signature.dropFirst(5).prefix(20))

    /// A token in the forms in which a service may repeat it, as parts of JSON strings.
    private static let forms = [
        token, piece, piece.uppercased(), piece.map { "\($0)\\u200b" }.joined(),
        piece.utf8.map { "%" + String($0, radix: 16) }.joined(), "Bearer \(token)",
        "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJvdGhlciJ9.AAAABBBBCCCCDDDDEEEE",
    ]

    private func check(_ bodies: [String], status: Int = 200) async throws {
        KnownSecrets.ofProcess.add(token: Self.token)
        let tests = RecordingPlayerTests()
        for body in bodies {
            try await tests.check([.init(status: status, headers: [("Server", "x")], body: body), .init(body: body)])
        }
    }

    @Test func `a token in any place of a trip`() async throws {
        for form in Self.forms {
            try await check([
                RecordingScene.body(form), RecordingScene.body(more: #","vehicleId":"\#(form)""#),
                RecordingScene.body(more: #","\#(form)":"x""#), RecordingScene.body(more: #","x":["\#(form)",1]"#),
                RecordingScene.body(more: #","numberOfPassengers":"\#(form)""#),
                RecordingScene.body(more: #","currentRouteSegmentVersion":"\#(form)""#),
                RecordingScene.body(more: #","currentRouteSegment":"\#(form)""#),
                RecordingScene.body(more: #","dropoffTime":"\#(form)""#),
                RecordingScene.body(more: #","attributes":[{"key":"k","value":"\#(form)"}]"#),
            ])
        }
    }

    @Test func `a token as the name of a trip`() async throws {
        for form in Self.forms { try await check([#"{"name":"providers/acme/trips/\#(form)","tripStatus":"NEW"}"#]) }
    }

    @Test(arguments: [400, 401, 403, 404, 429, 500, 503])
    func `an error that repeats the authorization header`(status: Int) async throws {
        for form in Self.forms {
            try await check(
                [
                    #"{"error":{"code":\#(status),"status":"UNKNOWN","message":"authorization: \#(form)"}}"#,
                    #"{"error":{"code":\#(status),"status":"\#(form)","message":"no"}}"#,
                    #"{"error":{"code":\#(status),"message":"no","details":[{"reason":"\#(form)","token":"\#(form)"}]}}"#,
                    "authorization: \(form)", "<html><title>\(form)</title>", "{\"message\":\"\(form)",
                ],
                status: status
            )
        }
    }

    @Test func `a token in a body that is no answer`() async throws {
        for form in Self.forms {
            try await check([
                form, "{\"x\":\"\(form)", "<html><title>\(form)</title>", "[\"\(form)\"]", "\"\(form)\"",
            ])
        }
    }

    @Test func `a token that is split over members`() async throws {
        let pieces = Self.signature.map { "\"\($0)\"" }.joined(separator: ",")
        try await check([RecordingScene.body(more: #","x":[\#(pieces)]"#)])
    }

    @Test func `a trip whose ID is part of an opaque token is followed, and recorded without the ID`() async throws {
        let trip = try TripID("ride-Zx81QmPlw07tVbnE")
        let token = "dev-token-for-\(trip.rawValue)"
        let issued = IssuedToken(token, expiry: .after(.seconds(3000)))
        let scene = RecordingScene(source: ScriptedTokenSource { _ in .token(issued) })
        let answer = RecordingScene.body().replacing("tr-1", with: trip.rawValue)
        let report = try await scene.poll(.init(body: answer), about: .trip(trip))
        #expect(report.failure == nil)
        let schedule = PollSchedule(interval: .seconds(5), next: nil)
        let line = RecordingLine.bytes(
            RecordedEvent(.poll(RecordedPoll(report, schedule: schedule)), at: report.finished)
        )
        #expect(!String(decoding: line, as: UTF8.self).contains("Zx81QmPlw07tVbnE"))
    }

    @Test func `the size is that of the received answer, and the answer does not count as shortened`() async throws {
        KnownSecrets.ofProcess.add(token: Self.token)
        let body = RecordingScene.body(more: #","x":"\#(Self.token)""#)
        let report = try await RecordingScene().poll(.init(body: body))
        #expect(report.answer?.bytes == body.utf8.count && report.answer?.body?.size == body.utf8.count)
        #expect(report.answer?.body?.isCut == false)
        #expect(report.answer?.body.map { String(decoding: $0.bytes, as: UTF8.self) }?.contains("eyJ") == false)
        #expect(report.failure == nil)
    }
}
