import Failures
import FleetTokens
import FleetWire
import Foundation
import Recording
import Runtime
import Synchronization
import TripFeed
import TripModel
import TripTestSupport

/// A client that polls a scripted service, and a recording of it.
struct RecordingScene {
    /// An answer of the service.
    struct Answer: Sendable {
        var status = 200
        var headers: [(name: String, value: String)] = [("Date", "Thu, 01 Jan 2026 00:00:10 GMT")]
        var body = ""
        var error: Failure?
    }

    static let tripID: TripID = id("tr-1")
    static let trip = JourneyID.trip(tripID)
    static let provider: ProviderID = id("acme")

    private static func id<Kind>(_ text: String) -> ResourceID<Kind> {
        do {
            return try ResourceID(text)
        } catch {
            preconditionFailure("\(text) is a valid ID")
        }
    }

    let clock = ManualClock()
    let tokens: TokenProvider
    /// A fault of the token source instead of tokens.
    static func refusing(_ error: Failure) -> ScriptedTokenSource {
        ScriptedTokenSource { _ in .failure(error) }
    }

    init(source: ScriptedTokenSource? = nil) {
        let now = clock.now().wall
        tokens = TokenProvider(
            source: source
                ?? ScriptedTokenSource { fetch in
                    .token(FakeToken(fetch.context, issuedAt: now, serial: fetch.number).issued)
                },
            clock: clock,
            seed: 1
        )
    }

    static var header: RecordingHeader {
        RecordingHeader(
            program: "0.1.0",
            start: RecordedMoment(ManualClock().now()),
            seed: .max,
            configuration: RecordingHeader.Configuration(
                provider: "acme",
                service: "https://engine.example",
                host: "engine.example",
                trips: ["tr-1"],
                interval: 5
            ),
            display: RecordingHeader.Display(
                width: 80,
                height: 24,
                language: "en",
                units: "metric",
                output: "tui"
            ),
            zone: RecordingHeader.Zone(offset: 3600, name: "CET", hasTwelveHours: false)
        )
    }

    /// The body of an answer about the trip.
    static func body(_ status: String = "ENROUTE_TO_PICKUP", more: String = "") -> String {
        #"{"name":"providers/acme/trips/tr-1","tripStatus":"\#(status)","vehicleId":"v1"\#(more)}"#
    }

    /// Polls once with the versions of a state.
    func poll(
        _ answer: Answer,
        after state: TripState? = nil,
        about journey: JourneyID = trip
    ) async throws -> PollReport {
        var request = JourneyRequest(provider: Self.provider, journey: journey)
        if let state {
            (request.routeVersion, request.trafficVersion, request.waypointsRouteVersion) = state.versions
        }
        let client = FleetClient(
            endpoint: try ServiceEndpoint("https://engine.example"),
            tokens: tokens,
            transport: HTTPTransport { [clock] _ async throws(Failure) in
                clock.advance(by: .milliseconds(125))
                if let error = answer.error { throw error }
                return HTTPTransportResponse(
                    status: answer.status,
                    headers: answer.headers,
                    body: Array(answer.body.utf8)
                )
            },
            clock: clock
        )
        return await client.get(request)
    }
}

/// The text of a header and of events.
func recordingText(_ events: [RecordedEvent], header: RecordingHeader = RecordingScene.header) -> [UInt8] {
    events.reduce(into: RecordingLine.bytes(header)) { $0 += RecordingLine.bytes($1) }
}
