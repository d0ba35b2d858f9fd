import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@testable import TripFeed

/// Polls that an injected fault kept from being sent: no calls, and nothing that counts.
@Suite("Polls that were held back", .ends(within: .quickTest))
struct HeldBackPollTests {
    private static let start = Moment(wall: Date(timeIntervalSince1970: 1_773_476_000), steady: .seconds(100))

    /// Returns the report of a poll that a 503 ended, after 3 s.
    private static func report(_ fault: InjectedFault?) throws -> PollReport {
        var report = PollReport(journey: try .trip(TripID("t")), started: start)
        report.finished = start.advanced(by: .seconds(3))
        let exchange = Exchange(
            .http,
            Exchange.Request(method: "GET", url: "https://h.example/t", headerNames: [], bytes: 0),
            duration: .zero,
            ending: .complete,
            fault: fault
        )
        let error = ServiceAnswer(httpStatus: 503, status: "UNAVAILABLE")
        report.outcome = .failure(Failure.service(error, retryAfter: nil).with(exchange))
        if fault?.isSent != false {
            report.call = .sample(status: 503, at: start, took: .seconds(3), failure: report.failure, fault: fault)
        }
        return report
    }

    private static func observed(_ reports: [PollReport]) throws -> TripObservation {
        var (table, observation) = (JourneyTable(), TripObservation())
        for report in reports {
            let event = FeedEvent.polled(
                report,
                TripState(id: report.journey),
                PollSchedule(interval: .seconds(5), next: nil)
            )
            _ = table.apply(event, at: report.finished)
            _ = observation.handle(event, table)
        }
        return observation
    }

    private static let unsent = InjectedFault(["503"], .client, .unsent)

    @Test func `they are no calls`() throws {
        #expect(try ListedCall(Self.report(Self.unsent)) == nil)
        let emulated = try #require(try ListedCall(Self.report(InjectedFault(["status"], .emulator, .replaced))))
        #expect(emulated.call.fault?.name == "status")
        #expect(try ListedCall(Self.report(nil))?.call.fault == nil)
    }

    @Test func `no measure of an expectation counts them, but the last poll has failed`() throws {
        let seen = try Self.observed([Self.report(nil), Self.report(Self.unsent), Self.report(Self.unsent)])
        func value(_ name: String, _ argument: String = "") -> MeasuredValue? {
            Measure.values[name]?(seen, argument, Self.start)
        }
        #expect(value("polls") == .number(1) && value("failures") == .number(1))
        #expect(value("failures", "503") == .number(1))
        #expect(value("latency.max") == .number(3) && seen.latencies.last == 3)
        #expect(seen.failure?.injected == Self.unsent)
        let only = try Self.observed([Self.report(Self.unsent)])
        #expect(only.calls?.total == 0 && only.latencies.last == nil)
    }

    @Test func `a delay of this program is no latency of the service`() throws {
        let own = try Self.observed([Self.report(InjectedFault(["latency"], .client, .altered))])
        #expect(own.calls?.total == 1 && own.latencies.last == nil)
        let emulated = try Self.observed([Self.report(InjectedFault(["latency"], .emulator, .altered))])
        #expect(emulated.calls?.total == 1 && emulated.latencies.last == 3)
    }

    @Test func `the receipt counts neither the poll nor an error`() throws {
        let reports = [try Self.report(Self.unsent), try Self.report(nil)]
        let polls = try #require(try Self.observed(reports).facts).polls
        #expect(polls.total == 1 && polls.failures == ["UNAVAILABLE": 1])
    }

    @Test func `a finding at such a poll names the fault`() throws {
        var detector = FindingDetector(journey: try .trip(TripID("t")), provider: try ProviderID("p"))
        let state = TripState(id: try .trip(TripID("t")))
        func findings(_ report: PollReport) -> [Finding] {
            detector.examine(report, state: state, interval: .seconds(5))
        }
        #expect(findings(try Self.report(Self.unsent)).map(\.injected) == ["503"])
        detector = FindingDetector(journey: try .trip(TripID("t")), provider: try ProviderID("p"))
        #expect(findings(try Self.report(nil)).map(\.injected) == [nil])
    }

    @Test func `an injected refusal is not the cause of a token source that fails`() throws {
        var chain = FailureChain()
        let refusal = Failure.service(ServiceAnswer(httpStatus: 401), retryAfter: nil)
        let source = TokenError.unavailable(.sourceTimedOut, retryAfter: .zero).failure
        let exchange = Exchange(.http, Exchange.Request("x"), duration: .zero, ending: .complete, fault: Self.unsent)
        _ = chain.linked(refusal.with(exchange), at: Self.start.wall)
        #expect(chain.linked(source, at: Self.start.wall).history.refusal == nil)
        _ = chain.linked(refusal, at: Self.start.wall)
        #expect(chain.linked(source, at: Self.start.wall).history.refusal != nil)
    }

    @Test func `a changed time of an answer blames no clock`() throws {
        var report = try Self.report(InjectedFault(["clock"], .client, .altered))
        report.serverDate = report.finished.wall + 90
        let trip = Journey.trip(Trip(id: try TripID("t"), provider: try ProviderID("p"), status: .enrouteToPickup))
        report.outcome = .success(trip)
        var state = TripState(id: report.journey)
        state.merge(trip, of: report)
        #expect(ClockVerdict(endpoint: .zero, state) == .injected(.seconds(90)))
        // The next answer has the true time, and is neither outdated nor suspicious.
        report.call?.fault = nil
        report.finished = report.finished.advanced(by: .seconds(5))
        report.serverDate = report.finished.wall
        state.merge(trip, of: report)
        #expect(state.outdatedAnswers == 0 && ClockVerdict(endpoint: .zero, state) == .agree)
    }
}
