import Failures
import FleetEmulator
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import tripshare

/// What a client says about the faults that it injects, and reads about those of an emulator.
@Suite("Marks of injected faults", .ends(within: .longTest))
struct FaultMarkTests {
    private static let url = "http://127.0.0.1:1"

    private static let service = HTTPTransport { _ async throws(Failure) in
        let body = #"{"name":"providers/p/trips/t","tripStatus":"NEW"}"#
        return HTTPTransportResponse(
            status: 200,
            headers: [("Date", "Thu, 01 Jan 2026 00:00:00 GMT")],
            body: Array(body.utf8)
        )
    }

    /// Polls once with a fault of the menu.
    private static func poll(
        _ id: String,
        over protocol: ServiceProtocol = .rest
    ) async throws
        -> PollReport
    {
        let clock = ManualClock()
        let faults = ClientFaults(clock: clock) { _ in }
        switch try #require(TestFault.all.first { $0.id == id }).effect {
        case .fault(let fault), .ownFault(let fault): faults.add(id, fault)
        case .freeze: Issue.record("\(id)")
        }
        let endpoint = try ServiceEndpoint(Self.url)
        let base = FleetTransport.rest(service, at: endpoint)
        let source = ScriptedTokenSource {
            .token(FakeToken($0.context, issuedAt: clock.now().wall).issued)
        }
        let client = FleetClient(
            endpoint: endpoint,
            tokens: TokenProvider(source: faults.source(source), clock: clock, seed: 1),
            transport: `protocol` == .grpc
                ? faults.transport(base)
                : .rest(faults.transport(service, polling: Self.url), at: endpoint),
            clock: clock
        )
        return await client.get(JourneyRequest(provider: try ProviderID("p"), journey: try .trip(TripID("t"))))
    }

    @Test(
        arguments: ["401", "403", "429", "503", "drop-three", "cut-off"],
        [ServiceProtocol.rest, .grpc]
    )
    func `a poll that is not sent is no call and blames nobody else`(
        id: String,
        over: ServiceProtocol
    ) async throws {
        let report = try await Self.poll(id, over: over)
        let failure = try #require(report.failure)
        #expect(
            report.fault == InjectedFault([id], .client, .unsent) && !report.isSent && failure.isHeldBack
        )
        #expect(report.call == nil && report.serviceLatency == nil)
        for language in Language.allCases {
            let message = UserMessage(
                failure,
                nil,
                journey: report.journey,
                host: "h",
                localizer: Localizer(language)
            )
            #expect(message.suspects == [Diagnosis.Suspect(.injectedFault, .proven)])
            #expect(message.what.contains(id) && message.fault == report.fault)
            #expect(message.blame?.isEmpty == false && message.advice?.contains(":clear-faults") == true)
        }
    }

    @Test(arguments: ["token-down", "other-trip"])
    func `a token that a fault prevents or changes is not blamed on its source`(
        id: String
    )
        async throws
    {
        let report = try await Self.poll(id)
        let failure = try #require(report.failure)
        #expect(failure.isMissingToken && failure.injected?.name == id)
        let message = UserMessage(failure, nil, journey: report.journey, host: "h")
        #expect(message.suspects == [Diagnosis.Suspect(.injectedFault, .proven)])
        #expect(message.what.hasPrefix("Injected fault \(id)"))
    }

    @Test func `a delayed answer and one with another time are calls of the service`() async throws {
        for id in ["latency", "clock"] {
            let report = try await Self.poll(id)
            #expect(report.failure == nil && report.isSent && report.serviceLatency == nil)
            #expect(report.fault == InjectedFault([id], .client, .altered))
            #expect(report.call?.fault == report.fault)
        }
    }

    /// Answers with the mark of an emulator's fault.
    private static func marked(_ status: Int = 503) -> HTTPTransport {
        HTTPTransport { _ async throws(Failure) in
            HTTPTransportResponse(status: status, headers: [("X-Tripshare-Fault", "replaced status")])
        }
    }

    @Test func `the header counts in answers of the emulator only`() async throws {
        let marks = FaultMarks(urls: ["http://127.0.0.1:7001", "http://127.0.0.1:7002/token/{tripId}"])
        func fault(_ url: String) async throws -> InjectedFault? {
            let request = HTTPTransportRequest(url: url, timeout: .seconds(1))
            return try await marks.transport(Self.marked()).send(request).exchange?.fault
        }
        let wanted = InjectedFault(["status"], .emulator, .replaced)
        #expect(try await fault("http://127.0.0.1:7001/v1/providers/p/trips/t") == wanted)
        #expect(try await fault("http://127.0.0.1:7002/token/t") == wanted)
        for other in ["http://127.0.0.1:7003/v1", "https://127.0.0.1:7001/v1", "http://h.example/v1"] {
            #expect(try await fault(other) == nil)
        }
    }

    @Test func `a connection that a fault has closed is named, another one is not`() async throws {
        let marks = FaultMarks(urls: [Self.url])
        let lost = HTTPTransport { _ async throws(Failure) in throw .connectionLost }
        let request = HTTPTransportRequest(
            url: Self.url + "/v1/providers/p/trips/t?x=1",
            timeout: .seconds(1)
        )
        func failure() async -> Failure? {
            do throws(Failure) {
                _ = try await marks.transport(lost).send(request)
                return nil
            } catch {
                return error
            }
        }
        #expect(await failure() == .connectionLost)
        let fault = InjectedFault(["reset"], .emulator, .replaced)
        marks.explainClosing { $0 == "GET /v1/providers/p/trips/t" ? fault : nil }
        #expect(await failure()?.injected == fault)
        // The menu of another emulator knows its faults, too.
        let client = ClientFaults(clock: ManualClock()) { _ in }
        client.setEmulated(TestFault.all.filter { ["cut-off", "503"].contains($0.id) })
        #expect(client.emulatedClosing(of: "GET /v1/providers/p/trips/t")?.names == ["cut-off"])
        #expect(client.emulatedClosing(of: "PUT /v1/providers/p/vehicles/v") == nil)
    }
}
