import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import tripshare

/// The JSON lines about tokens.
@Suite("Lines about tokens", .ends(within: .longTest))
struct TokenLineTests {
    private static func members(_ context: AuthorizationContext, _ state: TokenState) throws -> [String: Any] {
        let now = Moment(wall: Date(timeIntervalSince1970: 1000), steady: .zero)
        let answer = Exchange(
            .http,
            Exchange.Request(method: "GET", url: "https://h.example/t", headerNames: [], bytes: 0),
            connection: Exchange.Connection(isEncrypted: true),
            answer: Exchange.Answer(
                status: 500,
                headers: [("content-type", "application/json")],
                body: Array(#"{"error":"no key"}"#.utf8)
            ),
            duration: .milliseconds(9),
            ending: .complete
        )
        let cause = Failure(.sourceServer, exchange: answer).with(.status, 500)
        let error = TokenError.unavailable(cause, retryAfter: .seconds(5))
        var status = TokenStatus(source: "http endpoint")
        (status.state, status.lastError, status.lastExchange, status.generation) = (state, error, answer, 2)
        let event = TokenEvent(context: context, at: now, kind: .failed(error), status: status)
        let line = try JSONEncoder().encode(TokenLine(event, number: .none.next, now: now))
        return try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
    }

    @Test(arguments: [TokenState.refreshingAhead, .stale, .failing])
    func `a failed fetch names party, suspects and advice, also if an older token is still used`(
        state: TokenState
    ) throws {
        let line = try Self.members(.trip(try TripID("t")), state)
        #expect(line["event"] as? String == "failed" && line["party"] as? String == "token endpoint")
        let failure = try #require(line["failure"] as? String)
        #expect(failure.contains("HTTP 500") && failure.contains("no key"), "\(failure)")
        #expect((line["advice"] as? String)?.isEmpty == false)
        let suspects = try #require(line["suspects"] as? [[String: String]])
        #expect(suspects.first?["clue"] == "endpointFailed" && suspects.first?["strength"] == "likely")
    }

    @Test func `a driver's token whose fetch failed is named by its vehicle`() throws {
        let line = try Self.members(.vehicle(try VehicleID("taxi-1")), .failing)
        #expect((line["failure"] as? String)?.contains("taxi-1") == true, "\(line)")
        #expect(line["party"] as? String == "token endpoint")
    }
}
