import Canvas
import Failures
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

/// What the screen and the plain output show of a shipment.
@Suite("Screens of shipments", .ends(within: .quickTest))
struct ShipmentScreenTests {
    /// A situation of a shipment.
    enum Scene: String, CaseIterable, Sendable {
        case notShown, onTour, late, handedOver, failed

        func info() throws -> TaskTrackingInfo {
            var info = TaskTrackingInfo(
                trackingID: try TrackingID("parcel-7"),
                provider: try ProviderID("p"),
                state: .open
            )
            info.plannedLocation = Ride.dropoff
            info.targetTimeWindow = TimeWindow(start: Ride.start, end: Ride.start + 1800)
            switch self {
            case .notShown: return info
            case .handedOver:
                (info.state, info.outcome, info.outcomeTime) = (.closed, .succeeded, Ride.start + 20)
                return info
            case .failed:
                (info.state, info.outcome, info.outcomeTime) = (.closed, .failed, Ride.start + 20)
                return info
            case .onTour, .late: break
            }
            info.remainingStopCount = self == .late ? 1 : 4
            info.estimatedArrival = Ride.start + (self == .late ? 2700 : 900)
            info.estimatedCompletion = info.estimatedArrival.map { $0 + 60 }
            info.remainingDistance = Distance(meters: 2400)
            info.route = Ride.toDropoff
            info.vehicleLocation = VehicleLocation(coordinate: Ride.pickup)
            info.vehicleLocation?.serverTime = Ride.start + 28
            return info
        }

        func screen(_ width: Int, _ height: Int, localizer: Localizer = .english) throws -> State {
            let trip = Journey.shipment(try info())
            var state = State(
                trips: [trip.id],
                settings: State.Settings(
                    host: "127.0.0.1",
                    zone: .utc,
                    localizer: localizer,
                    glyphs: GlyphSet(),
                    speed: 1
                ),
                now: Ride.moment(0),
                width: width,
                height: height
            )
            var merged = TripState(id: trip.id)
            let first = try Scene.notShown.info()
            for (second, answer) in [(0.0, Journey.shipment(first)), (30, trip)] {
                merged.merge(answer, serverDate: nil, at: Ride.moment(second))
                var report = PollReport(journey: trip.id, started: Ride.moment(second))
                report.call = .sample(
                    .getTaskTrackingInfo,
                    about: trip.id.name,
                    bytes: 400,
                    at: report.started,
                    took: .milliseconds(12)
                )
                report.outcome = .success(answer)
                _ = state.update(
                    .feed(.polled(report, merged, PollSchedule(interval: .seconds(5), next: .seconds(1035))))
                )
            }
            _ = state.update(.tick(Ride.moment(31)))
            return state
        }
    }

    private static func text(_ state: State) -> String { view(state).text }

    @Test(arguments: Scene.allCases)
    func `is shown as expected in 80 columns`(_ scene: Scene) throws {
        try ScreenFile(name: "shipment-\(scene.rawValue)-80x24").expect(view(scene.screen(80, 24)))
    }

    @Test(arguments: Scene.allCases)
    func `is shown as expected in 120 columns`(_ scene: Scene) throws {
        try ScreenFile(name: "shipment-\(scene.rawValue)-120x40").expect(view(scene.screen(120, 40)))
    }

    @Test(arguments: Language.allCases)
    func `no language speaks of a trip, a rider or a pickup`(_ language: Language) throws {
        let localizer = Localizer(language)
        let foreign = [
            localizer(.viewTrip), localizer(.viewTrips), localizer(.dropoff), localizer(.pickup),
            localizer(.stepToPickup),
        ]
        for scene in Scene.allCases {
            var state = try scene.screen(120, 40, localizer: localizer)
            for keys in [[], [Key.character("a")], [Key.character("2")]] {
                for key in keys { _ = state.update(.key(key)) }
                let shown = Self.text(state)
                for word in foreign where !localizer.about(.shipment)(.viewTrips).contains(word) {
                    #expect(!shown.contains(word), "\(scene) \(language): \(word)\n\(shown)")
                }
            }
        }
    }

    /// The status, the step and the event; the panels repeat none of them.
    @Test func `the receipt and the outcome of a parcel do not repeat the status`() throws {
        var state = try Scene.handedOver.screen(120, 40)
        for keys in [[], [Key.character("R")]] {
            for key in keys { _ = state.update(.key(key)) }
            let lines = Self.text(state).split(separator: "\n")
            let panels = lines.dropFirst(3).filter { $0.contains("Handed over") }
            let others = panels.filter { !$0.contains("17:00:20") && !$0.contains("17:00:30") }
            #expect(others.isEmpty && lines[2].contains("Handed over"), "\(others)")
        }
    }

    @Test(arguments: [true, false])
    func `the timeline expects the handing over at the end of the task, not at the arrival`(isShown: Bool) throws {
        var info = try Scene.late.info()
        if !isShown { info.estimatedCompletion = nil }
        var state = TripState(id: .shipment(info.trackingID))
        state.merge(.shipment(info), serverDate: nil, at: Ride.moment(30))
        let step = try #require(Timeline(of: state, at: Ride.moment(31)).steps.last)
        #expect(step.status == .shipment(.succeeded) && step.progress == .ahead)
        #expect(step.time == (isShown ? Ride.start + 2760 : nil))
    }

    @Test func `what is hidden is named, and why it can be`() throws {
        var state = try Scene.notShown.screen(120, 40)
        for names in ["vehicle, route", "stops, distance", "arrival, completion"] {
            #expect(Self.text(state).contains(names))
        }
        _ = state.update(.key(.character("a")))
        #expect(Self.text(state).contains("By the sender's rules, or because no vehicle has the shipment yet"))
    }

    @Test func `an arrival after the window is shown with its delay`() throws {
        let shown = Self.text(try Scene.late.screen(120, 40))
        #expect(shown.contains("17:00:00 to 17:30:00") && shown.contains("arrival 15:00 after it"), "\(shown)")
        #expect(shown.contains("You are the next stop") && shown.contains("yours is the next"))
    }

    @Test func `an arrival in the window, and a hand-over in it, are said to be`() throws {
        for (scene, sizes) in [(Scene.onTour, [(80, 24), (120, 40)]), (.handedOver, [(120, 40)])] {
            for (width, height) in sizes {
                let shown = Self.text(try scene.screen(width, height))
                #expect(shown.contains("within the window"), "\(shown)")
            }
        }
        #expect(!Self.text(try Scene.late.screen(120, 40)).contains("within the window"))
        #expect(!Self.text(try Scene.failed.screen(120, 40)).contains("within the window"))
    }

    @Test(arguments: [(45, 30), (80, 24), (120, 40), (200, 60)])
    func `viewers at a distance read how many stops come before, and when the van comes`(_ size: (Int, Int)) throws {
        var state = try Scene.onTour.screen(size.0, size.1)
        _ = state.update(.key(.character("P")))
        _ = state.update(.caption("The van is on its round."))
        let shown = Self.text(state)
        #expect(shown.contains("On the way, 3 stops before yours"), "\(shown)")
        #expect(shown.contains("17:15:00") && shown.contains("until the delivery"), "\(shown)")
        #expect(!shown.contains("drop-off") && shown.contains("The van is on its round."), "\(shown)")
    }

    @Test(arguments: [(45, 30), (80, 24), (120, 40)])
    func `the caption of a scenario is below the view, and costs no row without one`(_ size: (Int, Int)) throws {
        var state = try Scene.onTour.screen(size.0, size.1)
        let before = view(state)
        _ = state.update(.caption("Now the recipient sees the van."))
        let lines = Self.text(state).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[size.1 - 2].contains("Now the recipient sees the van."), "\(lines)")
        _ = state.update(.key(.character("3")))
        #expect(!Self.text(state).contains("Now the recipient sees the van."))
        _ = state.update(.key(.character("1")))
        _ = state.update(.caption(""))
        #expect(view(state).text == before.text)
    }

    /// Two parcels of a demo at a speed of 60; the first one is handed over at once.
    private static func parcels(_ ride: RideSettings?) throws -> (State, ended: FeedEvent) {
        let ids = try ["parcel-7", "parcel-8"].map { JourneyID.shipment(try TrackingID($0)) }
        var state = State(
            trips: ids,
            settings: State.Settings(host: "127.0.0.1", speed: 60, ride: ride),
            now: Ride.moment(0),
            width: 80,
            height: 24
        )
        var merged = TripState(id: ids[0])
        let answer = Journey.shipment(try Scene.handedOver.info())
        merged.merge(answer, serverDate: nil, at: Ride.moment(30))
        var report = PollReport(journey: ids[0], started: Ride.moment(30))
        report.outcome = .success(answer)
        _ = state.update(.feed(.polled(report, merged, PollSchedule(interval: .seconds(5), next: nil))))
        return (state, .ended(ids[0], .reached(answer.status)))
    }

    @Test func `a demo goes on with the next parcel eight seconds after a hand-over`() throws {
        var (state, ended) = try Self.parcels(RideSettings())
        _ = state.update(.feed(ended))
        _ = state.update(.tick(Ride.moment(500)))
        #expect(state.selected == 0)
        _ = state.update(.tick(Ride.moment(511)))
        #expect(state.selected == 1 && state.trip?.id.rawValue == "parcel-8")
    }

    @Test func `the shown parcel stays if the user has chosen it, and outside of a demo`() throws {
        var (chosen, ended) = try Self.parcels(RideSettings())
        _ = chosen.update(.feed(ended))
        for _ in 0..<2 { _ = chosen.update(.key(.character("]"))) }
        var (real, end) = try Self.parcels(nil)
        _ = real.update(.feed(end))
        for moment in [511.0, 2000] {
            _ = chosen.update(.tick(Ride.moment(moment)))
            _ = real.update(.tick(Ride.moment(moment)))
        }
        #expect(chosen.selected == 0 && real.selected == 0)
    }

    @Test func `the plain output says each change of the tour once`() throws {
        var reporter = Reporter(host: "h", zone: .utc, localizer: .english, namesTrips: false)
        var table = JourneyTable()
        var state = TripState(id: Journey.shipment(try Scene.onTour.info()).id)
        var lines: [String] = []
        for (second, stops) in [(0.0, 4), (5, 4), (10, 3), (15, 3), (20, 1)] {
            var info = try Scene.onTour.info()
            info.remainingStopCount = stops
            state.merge(Journey.shipment(info), serverDate: nil, at: Ride.moment(second))
            var report = PollReport(journey: state.id, started: Ride.moment(second))
            report.outcome = .success(Journey.shipment(info))
            let event = FeedEvent.polled(report, state, PollSchedule(interval: .seconds(5), next: nil))
            let changes = table.apply(event, at: Ride.moment(second))
            lines += reporter.messages(of: changes, table).map(\.text)
        }
        #expect(lines.count == 3, "\(lines)")
        #expect(lines.first?.hasPrefix("On the way, 3 stops before yours") == true)
        #expect(lines.last?.hasPrefix("You are the next stop") == true)
    }
}
