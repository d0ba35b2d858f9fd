import Failures
import FleetEmulator
import FleetTokens
import FleetWire
import Foundation
import Recording
import Runtime
import Synchronization
import Testing
import TransportLive
import TripFeed
import TripModel
import TripTestSupport

/// The answers of all scenarios over REST and over gRPC give the same trips, failures and findings.
@Suite("REST and gRPC", .ends(within: .longTest))
struct GRPCParityTests {
    /// What a client concludes from the answers of one trip.
    private struct Conclusion {
        var state: TripState
        var detector: FindingDetector
        var findings: [Finding] = []

        init(_ trip: TripID, _ provider: ProviderID) {
            state = TripState(id: .trip(trip))
            detector = FindingDetector(journey: .trip(trip), provider: provider)
        }

        mutating func handle(_ report: PollReport) {
            if case .success(let trip) = report.outcome {
                state.merge(trip, serverDate: report.serverDate, sent: report.started, at: report.finished)
            }
            findings += detector.examine(report, state: state, interval: .seconds(20))
        }
    }

    @Test(arguments: Scenario.names)
    func `the same answers give the same trips, failures and findings`(scenario: String) async throws {
        let file = Checkout.folder.appending(path: "Tests/TripshareTests/Recordings/\(scenario).ndjson.gz")
        let unpacked = try await Program.run(executable: "/usr/bin/gzip", ["-dc", file.path])
        var reader = try RecordingReader(bytes: Array(unpacked.output.utf8))
        let provider = try ProviderID(reader.header.configuration.provider)
        var polls: [RecordedPoll] = []
        while let event = reader.next() {
            if case .poll(let poll) = event.content, poll.call?.answer?.body?.isCut == false, poll.listed == nil {
                polls.append(poll)
            }
        }
        try #require(polls.count > 2)
        let next = Mutex(HTTPTransportResponse(status: 500))
        let engine = HTTPTransport { _ throws(Failure) in next.withLock { $0 } }
        let all = polls
        var options = GRPCOptions()
        (options.limits.handshakeTime, options.limits.headTime) = (.testTimeout, .testTimeout)
        try await GRPCListener.run(options, engine: engine) { address in
            let endpoint = try ServiceEndpoint("https://\(address.target)", over: .grpc)
            var options = GRPCClientOptions()
            (options.roots, options.deadline) = ([address.rootCertificate].compactMap(\.self), .testTimeout)
            try await withGRPCTransport(to: endpoint, options) { transport in
                var (rest, grpc): ([TripID: Conclusion], [TripID: Conclusion]) = ([:], [:])
                for poll in all {
                    let trip = try TripID(poll.trip)
                    let answer = try #require(poll.call?.answer)
                    let response = HTTPTransportResponse(
                        status: try #require(answer.status),
                        headers: answer.headers.map { ($0.name, $0.value) },
                        body: try #require(answer.body).bytes
                    )
                    next.withLock { $0 = response }
                    let request = JourneyRequest(provider: provider, journey: .trip(trip))
                    let received = try await transport.send(.getTrip(request), "Bearer t")
                    #expect(received.response.header("date") == response.header("date"))
                    let plain = try report(poll, FleetAnswer(response), request)
                    let remote = try report(poll, received, request)
                    try compare(plain, remote)
                    rest[trip, default: Conclusion(trip, provider)].handle(plain)
                    grpc[trip, default: Conclusion(trip, provider)].handle(remote)
                }
                for (trip, conclusion) in rest {
                    let remote = try #require(grpc[trip]).findings
                    #expect(remote.map(\.evidence) == conclusion.findings.map(Self.evidenceOverGRPC))
                    #expect(grpc[trip]?.state.journey == conclusion.state.journey)
                }
            }
        }
    }

    /// Over gRPC, a refusal has the name of its status only, and an error cannot be a web page.
    private static func evidenceOverGRPC(_ finding: Finding) -> [Evidence] {
        finding.evidence.filter { finding.rule.id != "serviceRefuses" || $0.name != "status" }
            .map { $0.value == .text("WEB_PAGE") ? Evidence($0.name, .text("INTERNAL")) : $0 }
    }

    private func report(_ poll: RecordedPoll, _ answer: FleetAnswer, _ request: JourneyRequest) throws -> PollReport {
        let call = try #require(poll.call)
        var report = PollReport(journey: request.journey, started: call.started)
        report.finished = call.ended
        let (status, code) = (answer.response.status, answer.remote?.status.rawValue)
        report.call = .sample(status: status, grpcStatus: code, at: call.started, until: call.ended)
        report.serverDate = answer.response.header("date").flatMap(HTTPDate.date)
        report.outcome = FleetClient.outcome(of: answer, for: request, now: report.serverDate ?? report.finished.wall)
        return report
    }

    private func compare(_ rest: PollReport, _ grpc: PollReport) throws {
        if case .success(let first) = rest.outcome, case .success(let second) = grpc.outcome {
            #expect(first == second)
            return
        }
        guard let restFailure = rest.failure, let grpcFailure = grpc.failure else {
            Issue.record("\(rest.outcome) and \(grpc.outcome)")
            return
        }
        // The emulator answers a body that is not JSON with INTERNAL, because it has no message.
        guard let first = restFailure.answer, var second = grpcFailure.answer else { return }
        #expect(second.grpcStatus?.httpStatus == first.httpStatus)
        #expect(restFailure.retryAfter == grpcFailure.retryAfter)
        // `Retry-After` of REST is a `RetryInfo` of gRPC.
        (second.grpcStatus, second.retryDelay) = (nil, first.retryDelay)
        #expect(first == second)
    }
}
