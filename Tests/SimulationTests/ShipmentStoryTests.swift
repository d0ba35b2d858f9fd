import FleetEmulator
import Foundation
import Testing
import TripModel
import TripTestSupport

/// Plays every scenario of deliveries to its end and compares what the recipients see with its story.
@Suite("Shipment stories", .serialized, .ends(within: .longTest))
struct ShipmentStoryTests {
    /// The longest scenario, which takes 23 s of processor time: it is played once, for all tests that await its value.
    private static let day = Task { try await ShipmentRun.play(try #require(try Scenario.named("parcel-day"))) }

    private static func play(_ name: String, seed: UInt64 = 1) async throws -> (Scenario, ShipmentRun) {
        let scenario = try #require(try Scenario.named(name))
        if name == "parcel-day", seed == 1 { return (scenario, try await day.value) }
        return (scenario, try await ShipmentRun.play(scenario, seed: seed))
    }

    /// Returns what a recipient saw, without repetitions of the same summary.
    private static func story(_ run: ShipmentRun, _ id: String) throws -> [String] {
        let sights = try #require(run.sights[try TrackingID(id)])
        #expect(sights.count > 30)
        return sights.map(\.summary).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    @Test(arguments: Scenario.deliveryNames)
    func `is played to its end as it expects, with captions and with each call accepted`(name: String) async throws {
        let (scenario, run) = try await Self.play(name)
        #expect(run.failures == [])
        #expect(!scenario.expectations.isEmpty && !scenario.title.isEmpty && !scenario.about.isEmpty)
        for expectation in scenario.expectations {
            let tracking = try #require(expectation.journey?.tracking)
            let sights = try #require(run.sights[tracking])
            // The last task with this tracking ID decides.
            let last = try #require(sights.last?.info)
            #expect(last.state == .closed, "\(tracking)")
            #expect(.shipment(last.status) == expectation.conditions?.reached, "\(tracking)")
            let end = try #require(last.outcomeTime).timeIntervalSince(scenario.begins ?? VirtualClock.start)
            #expect(end <= expectation.within ?? 0, "\(tracking)")
        }
        let written = scenario.drivers.flatMap(\.steps).compactMap {
            if case .caption(let caption) = $0 { caption.text } else { nil }
        }
        #expect(Set(run.captions) == Set(written) && run.captions.count == written.count)
        let refused = run.calls.filter { $0.status != 200 }
        #expect(refused.isEmpty, "\(refused.map { "\($0.time) \($0.method) \($0.path): \($0.status)" })")
    }

    @Test func `the driver sends positions, stops and outcomes, the backend tasks and assignments`() async throws {
        let (_, run) = try await Self.play("parcel-second-attempt")
        for call in run.calls {
            if call.method == "POST" { #expect(!call.isOfDriver, "\(call.path)") }
            if call.path.hasPrefix("tasks/") { #expect(call.isOfDriver, "\(call.path)") }
            if call.body.contains("lastLocation") { #expect(call.isOfDriver, "\(call.path)") }
        }
        #expect(run.calls.filter { $0.path == "tasks:batchCreate" }.count == 1)
        #expect(run.calls.filter { $0.path == "tasks" }.count == 1)
        let assignments = run.calls.filter { $0.path.hasPrefix("deliveryVehicles/") && !$0.isOfDriver }
        #expect(assignments.count == 2)
        #expect(run.calls.contains { $0.isOfDriver && $0.body.contains(#""state":"ENROUTE""#) })
        #expect(run.calls.contains { $0.isOfDriver && $0.body.contains(#""state":"ARRIVED""#) })
    }

    @Test func `a day has 40 parcels, takes about ten minutes at a speed of 60, and shows a van late`() async throws {
        let (scenario, run) = try await Self.play("parcel-day")
        let parcels = Set(scenario.drivers.flatMap(\.tasks).compactMap(\.trackingID))
        #expect(parcels.count == 40 && scenario.shipments.count == 4)
        #expect((8.0...11).contains(run.duration / 60 / 60), "\(run.duration)")
        for id in ["AV2607", "AV2622", "AV2624"] {
            let last = try #require(run.sights[try TrackingID(id)]?.last?.info)
            let (time, window) = (try #require(last.outcomeTime), try #require(last.targetTimeWindow))
            #expect((window.start...window.end).contains(time), "\(id): \(time) \(window)")
        }
        let late = try #require(run.sights[try TrackingID("AV2624")])
        // The arrival is visible as soon as a van has the parcel, the stop count within 10 stops, the van within two.
        let first = try #require(late.first { $0.info?.estimatedArrival != nil })
        #expect(first.info?.remainingStopCount == nil && first.info?.vehicleLocation == nil)
        let counted = try #require(late.first { $0.info?.remainingStopCount != nil })
        #expect(counted.info?.remainingStopCount == 10 && counted.info?.vehicleLocation == nil)
        let seen = try #require(late.first { $0.info?.vehicleLocation != nil })
        #expect(seen.info?.remainingStopCount == 2 && seen.info?.route != nil && seen.time > first.time + 10_000)
        #expect(late.allSatisfy { $0.info?.estimatedCompletion == nil })
        let usual = try #require(run.sights[try TrackingID("AV2607")])
        let shown = try #require(usual.first { $0.info?.vehicleLocation != nil })
        #expect(shown.info?.remainingStopCount == 5 && shown.info?.estimatedArrival != nil)
        #expect(usual.filter { $0.time < shown.time }.allSatisfy { $0.info?.remainingStopCount == nil })
    }

    @Test func `a break hides position and route of the van, and a failed attempt is late`() async throws {
        let (_, run) = try await Self.play("parcel-day")
        let sights = try #require(run.sights[try TrackingID("AV2622")])
        let isVisible = sights.filter { $0.info?.state == .open && $0.info?.remainingStopCount != nil }
        let spans = isVisible.map { $0.info?.vehicleLocation != nil }.reduce(into: [Bool]()) {
            if $0.last != $1 { $0.append($1) }
        }
        // Visible, hidden by the break, visible again.
        #expect(spans == [true, false, true])
        let hidden = isVisible.filter { $0.info?.vehicleLocation == nil }
        #expect(hidden.allSatisfy { $0.info?.route == nil && $0.info?.estimatedArrival != nil })
        let length = (hidden.last?.time ?? 0) - (hidden.first?.time ?? 0)
        #expect((2700...3600).contains(length), "\(length)")
        let failed = try #require(run.sights[try TrackingID("AV2633")]?.last?.info)
        #expect(failed.state == .closed && failed.outcome == .failed)
        let (time, end) = (try #require(failed.outcomeTime), try #require(failed.targetTimeWindow?.end))
        #expect(time > end, "\(time), \(end), \(run.duration)")
    }

    @Test func `what has passed before the start of a scenario is done at once`() async throws {
        let text = try #require(Scenario.yaml(of: "parcel-wrong-order"))
        let yaml = text.replacing("token-lifetime:", with: "starts: 300\ntoken-lifetime:")
        let whole = try Scenario(yaml: yaml, name: "t", file: "t.yaml")
        let late = try await ShipmentRun.play(whole.fromItsStart)
        let run = try await ShipmentRun.play(whole)
        #expect(late.failures == [] && abs(run.duration - late.duration - 300) < 5, "\(run.duration) \(late.duration)")
        let id = try #require(whole.shipments.first)
        // The same as in the whole scenario from then on, by its windows and its arrival, too.
        let then = try #require(run.sights[id]?.last { $0.time <= 340 }?.info)
        let now = try #require(late.sights[id]?.last { $0.time <= 40 }?.info)
        #expect(now.targetTimeWindow == then.targetTimeWindow && now.remainingStopCount == then.remainingStopCount)
        #expect(now.state == then.state && (now.vehicleLocation == nil) == (then.vehicleLocation == nil))
        let difference = now.estimatedArrival?.timeIntervalSince(then.estimatedArrival ?? .distantPast) ?? .infinity
        #expect(abs(difference) < 60, "\(difference)")
    }

    @Test func `a day begins in a demo when the first recipient is about to see the van`() throws {
        let scenario = try #require(try Scenario.named("parcel-day"))
        #expect(scenario.shipments.first?.rawValue == "AV2607" && (2000...3000).contains(scenario.starts))
        let task = scenario.drivers.flatMap(\.tasks).first { $0.trackingID?.rawValue == "AV2607" }
        let window = try #require(task?.window)
        #expect(window.contains(scenario.starts))
    }

    @Test func `a second attempt opens the shipment again`() async throws {
        let (_, run) = try await Self.play("parcel-second-attempt")
        #expect(
            try Self.story(run, "AV3107") == [
                "OPEN", "OPEN 3", "OPEN 2", "OPEN 1", "OPEN FAILED 1", "CLOSED FAILED", "OPEN 3", "OPEN 2", "OPEN 1",
                "OPEN SUCCEEDED 1", "CLOSED SUCCEEDED",
            ]
        )
    }

    @Test func `a rescheduled shipment is closed without an outcome and gets another place and time`() async throws {
        let (_, run) = try await Self.play("parcel-rescheduled")
        #expect(
            try Self.story(run, "AV5230") == [
                "OPEN", "OPEN 3", "OPEN 2", "CLOSED", "OPEN", "OPEN 3", "OPEN 2", "OPEN 1", "OPEN SUCCEEDED 1",
                "CLOSED SUCCEEDED",
            ]
        )
        let sights = try #require(run.sights[try TrackingID("AV5230")])
        let (before, after) = (try #require(sights.first?.info), try #require(sights.last?.info))
        #expect(before.plannedLocation != after.plannedLocation && before.targetTimeWindow != after.targetTimeWindow)
    }

    @Test func `another order of the stops makes the stop count grow and hides the van`() async throws {
        let (_, run) = try await Self.play("parcel-wrong-order")
        let sights = try #require(run.sights[try TrackingID("AV4416")])
        let counts = sights.compactMap(\.info?.remainingStopCount).reduce(into: [Int]()) {
            if $0.last != $1 { $0.append($1) }
        }
        #expect(counts == [4, 3, 2, 7, 6, 5, 4, 3, 2, 1])
        for sight in sights {
            guard let count = sight.info?.remainingStopCount else { continue }
            #expect((sight.info?.vehicleLocation != nil) == (count <= 5), "\(sight.time): \(count)")
        }
    }

    @Test func `after a breakdown another van delivers the parcel`() async throws {
        let (_, run) = try await Self.play("van-breakdown")
        #expect(
            try Self.story(run, "AV6117") == [
                "OPEN", "OPEN 4", "OPEN 3", "CLOSED", "OPEN", "OPEN 3", "OPEN 2", "OPEN 1", "OPEN SUCCEEDED 1",
                "CLOSED SUCCEEDED",
            ]
        )
        let sights = try #require(run.sights[try TrackingID("AV6117")])
        // The van does not move for ten minutes, and its place is still visible.
        let places = sights.filter { $0.info?.remainingStopCount == 3 }.compactMap(\.info?.vehicleLocation?.coordinate)
        let longest = Dictionary(grouping: places, by: \.self).values.map(\.count).max() ?? 0
        #expect(longest >= 30, "\(longest)")
    }

    @Test func `a link that is opened too early finds nothing, then no van, then the van`() async throws {
        let (_, run) = try await Self.play("parcel-link-too-early")
        #expect(
            try Self.story(run, "AV7009") == [
                "404", "OPEN", "OPEN 3", "OPEN 2", "OPEN 1", "OPEN SUCCEEDED 1", "CLOSED SUCCEEDED",
            ]
        )
    }

    @Test func `the same seed gives the same calls, another seed other ones`() async throws {
        let (_, one) = try await Self.play("parcel-second-attempt", seed: 5)
        let (_, again) = try await Self.play("parcel-second-attempt", seed: 5)
        let (_, other) = try await Self.play("parcel-second-attempt", seed: 6)
        #expect(one.calls.count > 50)
        let (isSame, isOther) = (one.calls == again.calls, one.calls != other.calls)
        #expect(isSame && isOther)
    }

    @Test func `a driver retries refused calls, and a silent van sends nothing`() async throws {
        let yaml = """
            title: T
            about: A
            vans:
              - id: van
                at: Station
                steps:
                  - assign: [one]
                  - wait: 60
                  - silent: 200
                  - visit: {to: one, silent: [0.2, 0.6]}
            tasks:
              - {id: one, tracking: s, at: Museum, takes: 60}
            followed: [s]
            events:
              - {at: 20, fault: {on: engine, kind: status, status: 503, count: 2, path: PATCH deliveryVehicles}}
            expect:
              - {tracking: s, outcome: SUCCEEDED, within: 900}
            """
        let run = try await ShipmentRun.play(try Scenario(yaml: yaml, name: "t", file: "t.yaml"))
        #expect(run.failures == [] && run.calls.filter { $0.status == 503 }.count == 2)
        #expect(run.sights.values.first?.last?.summary == "CLOSED SUCCEEDED")
        let reports = run.calls.filter { $0.body.contains("lastLocation") }.map(\.time)
        #expect((zip(reports, reports.dropFirst()).map { $1 - $0 }.max() ?? 0) >= 200)
    }

    @Test func `a van that is stopped from outside does not move until it is released`() async throws {
        let yaml = """
            title: T
            about: A
            vans:
              - id: van
                at: Station
                steps:
                  - assign: [one]
                  - visit: one
              - id: watch
                at: Station
                steps:
                  - silent: 30
                  - caption: Stop.
                  - silent: 600
                  - caption: Go.
            tasks:
              - {id: one, tracking: s, at: Museum, takes: 60}
            followed: [s]
            expect:
              - {tracking: s, outcome: SUCCEEDED, within: 1800}
            """
        let (control, van) = (DriverControl(), DrivenVehicle.ofDeliveries(try DeliveryVehicleID("van")))
        let scenario = try Scenario(yaml: yaml, name: "t", file: "t.yaml")
        let usual = try await ShipmentRun.play(scenario)
        let run = try await ShipmentRun.play(scenario, control: control) { control.freeze(van, $0 == "Stop.") }
        #expect(run.failures == [] && run.sights.values.first?.last?.summary == "CLOSED SUCCEEDED")
        func end(_ run: ShipmentRun) throws -> Double { try #require(run.calls.last { $0.path == "tasks/one" }).time }
        let delay = try end(run) - end(usual)
        #expect((590...620).contains(delay), "\(delay)")
    }
}

extension ShipmentRun.Sight {
    /// The state, the outcome and the stop count, or the HTTP status of an error.
    fileprivate var summary: String {
        guard let info else { return "\(status)" }
        let parts = [info.state.name, info.outcome?.name, info.remainingStopCount.map(String.init)]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}
