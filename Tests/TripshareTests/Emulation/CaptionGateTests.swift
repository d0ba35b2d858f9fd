import Failures
import FleetEmulator
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import tripshare

/// A caption of a scenario is shown only while it is true for the rider's client.
@Suite("Caption gate", .ends(within: .longTest))
struct CaptionGateTests {
    private static func moment(_ second: Double) -> Moment {
        Moment(wall: Date(timeIntervalSince1970: 1_767_286_800 + second), steady: .seconds(second))
    }

    private static func polled(
        _ status: TripStatus,
        at second: Double,
        isFailing: Bool = false,
        fault: String? = nil,
        vehicle: String? = nil
    ) throws -> FeedEvent {
        let id = try TripID("a")
        var trip = Trip(id: id, provider: try ProviderID("p"), status: status)
        trip.vehicleID = try vehicle.map { try VehicleID($0) }
        var state = TripState(id: .trip(id))
        state.merge(.trip(trip), serverDate: nil, at: moment(second))
        var report = PollReport(journey: .trip(id), started: moment(second))
        report.outcome = isFailing ? .failure(.refused) : .success(.trip(trip))
        report.call = .sample(
            about: "a",
            at: moment(second),
            fault: fault.map { InjectedFault([$0], .emulator, .altered) }
        )
        return .polled(report, state, PollSchedule(interval: .seconds(5), next: nil))
    }

    /// A gate, and a table of the events that it gets.
    private struct Scene {
        private var gate: CaptionGate
        private var table = JourneyTable()

        init(_ gate: CaptionGate) { self.gate = gate }

        var caption: SceneCaption? { gate.caption }

        mutating func handle(_ caption: SceneCaption, at now: Moment) -> Bool { gate.handle(caption, at: now) }

        mutating func advance(to now: Moment) -> Bool { gate.advance(to: now) }

        mutating func handle(_ event: FeedEvent, at now: Moment) -> Bool {
            _ = table.apply(event, at: now)
            return gate.handle(event, table, at: now)
        }
    }

    private static func gate() throws -> Scene { Scene(CaptionGate([try .trip(TripID("a"))])) }

    /// A caption that is about these statuses.
    private static func caption(_ text: String, _ statuses: TripStatus...) -> SceneCaption {
        var conditions = ExpectedConditions()
        conditions.statuses = statuses.map(JourneyStatus.trip)
        return SceneCaption(text, expectation: TripExpectation(conditions, within: 15, .throughout))
    }

    @Test func `a caption waits until a poll shows its status`() throws {
        var gate = try Self.gate()
        let isShown = gate.handle(Self.caption("It comes.", .enrouteToPickup), at: Self.moment(1))
        #expect(!isShown && gate.caption == nil)
        let isShownBefore = try gate.handle(Self.polled(.new, at: 2), at: Self.moment(2))
        let isShownThen = try gate.handle(Self.polled(.enrouteToPickup, at: 5), at: Self.moment(5))
        #expect(!isShownBefore && isShownThen)
        #expect(gate.caption?.text == "It comes.")
    }

    @Test func `a caption gives way when its status is over, before the next one comes`() throws {
        var gate = try Self.gate()
        _ = gate.handle(Self.caption("It comes.", .enrouteToPickup), at: Self.moment(1))
        _ = try gate.handle(Self.polled(.enrouteToPickup, at: 5), at: Self.moment(5))
        let hasChanged = try gate.handle(Self.polled(.arrivedAtPickup, at: 10), at: Self.moment(10))
        #expect(hasChanged)
        #expect(gate.caption == nil)
    }

    @Test func `a poll that has missed statuses shows the caption of the last one`() throws {
        var gate = try Self.gate()
        for (text, status) in [
            ("one", TripStatus.enrouteToPickup), ("two", .arrivedAtPickup), ("three", .enrouteToDropoff),
        ] {
            _ = gate.handle(Self.caption(text, status), at: Self.moment(1))
        }
        _ = try gate.handle(Self.polled(.enrouteToDropoff, at: 5), at: Self.moment(5))
        #expect(gate.caption?.text == "three")
    }

    @Test func `a caption about failing polls is shown while they fail, then the one before`() throws {
        var gate = try Self.gate()
        var failing = ExpectedConditions()
        failing.isFailing = true
        _ = gate.handle(Self.caption("It comes.", .enrouteToPickup), at: Self.moment(1))
        _ = gate.handle(
            SceneCaption("No answers.", expectation: TripExpectation(failing, within: 15)),
            at: Self.moment(2)
        )
        _ = try gate.handle(Self.polled(.enrouteToPickup, at: 5), at: Self.moment(5))
        #expect(gate.caption?.text == "It comes.")
        _ = try gate.handle(Self.polled(.enrouteToPickup, at: 10, isFailing: true), at: Self.moment(10))
        #expect(gate.caption?.text == "No answers.")
        _ = try gate.handle(Self.polled(.enrouteToPickup, at: 15), at: Self.moment(15))
        #expect(gate.caption?.text == "It comes.")
    }

    @Test func `a caption without conditions is shown at once`() throws {
        var gate = try Self.gate()
        _ = gate.handle(SceneCaption("Welcome."), at: Self.moment(1))
        #expect(gate.caption?.text == "Welcome.")
    }

    @Test func `a caption that nothing visible ends is over after a time, which its scenario can state`() throws {
        var short = SceneCaption.Validity()
        short.seconds = 20
        for (validity, seconds) in [(nil, SceneCaption.duration), (short, 20)] {
            var gate = try Self.gate()
            _ = gate.handle(SceneCaption("Welcome.", stated: validity), at: Self.moment(1))
            let isOverBefore = gate.advance(to: Self.moment(seconds + 0.9))
            #expect(!isOverBefore && gate.caption != nil)
            let isOver = gate.advance(to: Self.moment(seconds + 1))
            #expect(isOver && gate.caption == nil)
        }
    }

    @Test func `a caption about slow answers ends with the first answer that is not slow`() throws {
        var (gate, slow) = (try Self.gate(), SceneCaption.Validity())
        slow.fault = "latency"
        _ = gate.handle(SceneCaption("Two answers take eight seconds.", stated: slow), at: Self.moment(1))
        var shown: [Bool] = []
        for (second, fault) in [(2.0, nil), (10, "latency"), (20, "latency"), (25, nil), (30, "status")] {
            _ = try gate.handle(Self.polled(.enrouteToPickup, at: second, fault: fault), at: Self.moment(second))
            shown.append(gate.caption != nil)
        }
        #expect(shown == [false, true, true, false, false])
    }

    /// The captions of all scenarios.
    private static func captions() throws -> [(scenario: String, caption: SceneCaption)] {
        try (["ride"] + Scenario.names + Scenario.deliveryNames).flatMap { name in
            let scenario = try #require(name == "ride" ? Scenario.plainRide(seed: 1) : Scenario.named(name))
            let own = scenario.drivers.flatMap(\.steps).compactMap {
                if case .caption(let caption) = $0 { caption } else { nil }
            }
            let timed = scenario.events.compactMap {
                if case .caption(let caption) = $0.action { caption } else { nil }
            }
            return (own + timed).map { (name, $0) }
        }
    }

    @Test func `that a driver has accepted is said when an answer shows the vehicle`() throws {
        let caption = try #require(try Self.captions().first { $0.caption.text.hasPrefix("A driver has accepted") })
        var gate = try Self.gate()
        _ = try gate.handle(Self.polled(.new, at: 4), at: Self.moment(4))
        let isShownAtOnce = gate.handle(caption.caption, at: Self.moment(5))
        let isShown = try gate.handle(Self.polled(.new, at: 9, vehicle: "v"), at: Self.moment(9))
        let hasChanged = try gate.handle(
            Self.polled(.enrouteToPickup, at: 14, vehicle: "v"),
            at: Self.moment(14)
        )
        #expect(!isShownAtOnce && isShown && hasChanged && gate.caption == nil)
    }

    @Test func `a caption about a delay is shown when an answer shows the delay`() throws {
        let caption = try #require(try Self.captions().first { $0.caption.text.contains("went the wrong way") })
        #expect(caption.caption.validity.conditions.checks.map(\.measure) == ["overdue"])
    }

    @Test func `each caption of a scenario states what ends it, which is never that the service answers`() throws {
        for (scenario, caption) in try Self.captions() {
            let validity = caption.validity
            let isStated = caption.stated != nil || validity.conditions != ExpectedConditions()
            #expect(isStated, "\(scenario): \(caption.text)")
            let (statuses, isFailing) = (validity.conditions.statuses, validity.conditions.isFailing)
            let isLasting = statuses.isEmpty && isFailing != true && validity.conditions.checks.isEmpty
            #expect(!isLasting || validity.fault != nil || validity.seconds != nil, "\(scenario): \(caption.text)")
        }
    }

    @Test func `a caption about an open shipment ends before another task opens it again`() throws {
        let all = Dictionary(grouping: try Self.captions(), by: \.scenario)
        for name in Scenario.deliveryNames {
            let captions = try #require(all[name]).map(\.caption)
            let end = captions.firstIndex { caption in
                [[.shipment(.closed)], [.shipment(.failed)]].contains(caption.validity.conditions.statuses)
            }
            for caption in captions[..<(end ?? 0)] {
                #expect(caption.validity.seconds != nil, "\(name): \(caption.text)")
            }
        }
    }
}
