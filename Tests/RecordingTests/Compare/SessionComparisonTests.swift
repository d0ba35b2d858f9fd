import Foundation
import Recording
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Comparison of sessions", .ends(within: .minutes(10)))
struct SessionComparisonTests {
    private func summary(_ options: SampleRide.Options = .init(), id: String = "tr-1") async throws -> SessionSummary {
        let text = String(decoding: try await SampleRide.recording(options), as: UTF8.self)
        return SessionSummary(try RecordedSession(bytes: Array(text.replacing("tr-1", with: id).utf8)))
    }

    @Test func `a session equals itself and the same ride with another trip`() async throws {
        let ride = try await summary()
        #expect(SessionComparison(ride, ride).differences.isEmpty)
        #expect(SessionComparison(ride, try await summary(id: "tr-2")).differences.isEmpty)
        #expect(SessionComparison(ride, ride).tolerance == 5)
        #expect(ride.trips.first?.polls == 19)
        #expect(
            ride.trips.first?.statuses.map(\.status) == [
                .new, .enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete,
            ]
        )
        #expect(ride.trips.first?.errors.values.reduce(0, +) == 2)
    }

    @Test func `a later prediction is a difference with its greatest value`() async throws {
        let comparison = SessionComparison(try await summary(), try await summary(.init(delay: 30)))
        let kinds = comparison.differences.map(\.kind)
        #expect(kinds.count == 2, "\(kinds)")
        for (kind, place) in zip(kinds, [SessionDifference.Place.pickup, .dropoff]) {
            guard case .arrival(place, _, let a, let b) = kind else {
                Issue.record("\(kind)")
                continue
            }
            #expect(abs(b - a - 30) < 0.5)
        }
        let isEqual = SessionComparison(try await summary(), try await summary(.init(delay: 30)), tolerance: 31)
        #expect(isEqual.differences.isEmpty)
    }

    @Test func `errors, polls and status times are compared`() async throws {
        let comparison = SessionComparison(
            try await summary(),
            try await summary(.init(hasErrors: false, pollsToPickup: 10), id: "tr-2")
        )
        let differences = comparison.differences
        #expect(differences.allSatisfy { $0.trip == RecordingScene.trip && $0.otherTrip?.rawValue == "tr-2" })
        #expect(differences.contains { $0.kind == .polls(a: 19, b: 23) })
        let errors = differences.filter { if case .errors(_, a: 1, b: 0) = $0.kind { true } else { false } }
        #expect(errors.count == 2)
        let statuses = differences.compactMap { difference -> TripStatus? in
            if case .status(let status, let a?, let b?) = difference.kind, b - a > 19 { status } else { nil }
        }
        #expect(statuses == [.arrivedAtPickup, .enrouteToDropoff, .complete])
    }

    @Test func `a trip of one session only is a difference, and logs are compared without polls`() async throws {
        let ride = try await summary()
        let empty = SessionSummary(try RecordedSession(bytes: RecordingLine.bytes(RecordingScene.header)))
        #expect(SessionComparison(ride, empty).differences.map(\.kind) == [.missingTrip(inA: false, inB: true)])
        #expect(SessionComparison(empty, ride).differences.map(\.kind) == [.missingTrip(inA: true, inB: false)])
        let session = try SampleRide.session
        let log = try RecordedSession(bytes: session.export(with: FleetDebuggerExport(session)))
        #expect(SessionComparison(ride, SessionSummary(log)).differences.isEmpty)
    }

    @Test func `a missing prediction and another order of statuses are differences`() throws {
        func log(_ entries: [String]) throws -> SessionSummary {
            SessionSummary(try RecordedSession(bytes: Array("[\(entries.joined(separator: ","))]".utf8)))
        }
        let a = try log([
            LogText.trip(second: 1, status: "NEW", more: #","pickuptime":"2026-01-01T00:05:00Z""#),
            LogText.trip(second: 2, status: "ENROUTE_TO_PICKUP"), LogText.trip(second: 3, status: "ARRIVED_AT_PICKUP"),
        ])
        let b = try log([
            LogText.trip(second: 1, status: "NEW"), LogText.trip(second: 2, status: "ARRIVED_AT_PICKUP"),
            LogText.trip(second: 3, status: "ENROUTE_TO_PICKUP"),
        ])
        #expect(
            SessionComparison(a, b).differences.map(\.kind) == [
                .order(
                    a: [.new, .enrouteToPickup, .arrivedAtPickup],
                    b: [.new, .arrivedAtPickup, .enrouteToPickup]
                ), .missingArrival(.pickup, inA: false, inB: true),
            ]
        )
    }
}
