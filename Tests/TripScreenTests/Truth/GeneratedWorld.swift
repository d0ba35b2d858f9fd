import Foundation
import Runtime
import TripModel

/// What happens on a generated journey, and what its service gets to know: the truth that claims are compared with.
///
/// All times are seconds after the start.
struct GeneratedWorld {
    /// A stop of the journey: the pickup and the stop between exist only on trips.
    enum Stop: CaseIterable { case pickup, between, end }

    /// A part of the journey, up to the next one.
    struct Phase {
        let status: JourneyStatus
        /// The stop at which the vehicle is; `nil` on the way.
        let stop: Stop?
        /// When it really begins.
        let begin: Double
        /// When the service gets to know that: later while the driver's device is silent.
        var known: Double
    }

    /// A report of the vehicle, with the forecasts of the arrivals that the service has from then on.
    struct Report {
        let time: Double
        let forecasts: [Stop: Double]
    }

    /// What the service knows at a time.
    struct Knowledge {
        let time: Double
        let status: JourneyStatus
        /// The stop at which the vehicle is, and since when, if an answer shows it.
        let here: (stop: Stop, since: Double)?
        /// The forecasts that an answer shows, for stops that are ahead.
        let expected: [Stop: Double]
        /// The arrival at the end that an answer shows before it is over: the forecast, or the time of a van that is there.
        let promised: Double?
        /// Up to when an answer shows something of the vehicle: its last report, else the answer itself.
        let reportTime: Double
    }

    let kind: JourneyKind
    private(set) var phases: [Phase] = []
    private(set) var reports: [Report] = []
    /// When another stop of the vehicle is done: another rider's one of a trip, those before the own one of a shipment.
    private(set) var others: [Double] = []
    /// Whether the service shows no position.
    let hidesPosition: Bool
    /// Whether the sender of a shipment hides the expected arrival.
    let hidesArrival: Bool
    /// Whether the last stop before that of a shipment is at the same place.
    let hasNeighbor: Bool

    /// When nothing follows, for the service.
    var end: Double { phases.last?.known ?? 0 }

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
        func chance(_ share: Double) -> Bool { number(0...1) < share }
        kind = seed % 3 == 2 ? .shipment : .trip
        (hidesPosition, hidesArrival, hasNeighbor) = (chance(0.25), kind == .shipment && chance(0.1), chance(0.5))
        var time = chance(0.3) ? number(5...60) : 0
        var plan: [(stop: Stop, arrival: Double)] = []
        func add(_ status: JourneyStatus, at stop: Stop? = nil, for duration: ClosedRange<Double>) {
            phases.append(Phase(status: status, stop: stop, begin: time, known: time))
            if let stop, plan.last?.stop != stop { plan.append((stop, time)) }
            time += number(duration)
        }
        let start = time
        if kind == .trip {
            add(.trip(.enrouteToPickup), for: 30...240)
            add(.trip(.arrivedAtPickup), at: .pickup, for: 5...90)
            if chance(0.3) {
                add(.trip(.enrouteToIntermediateDestination), for: 20...120)
                add(.trip(.arrivedAtIntermediateDestination), at: .between, for: 5...60)
            }
            add(.trip(.enrouteToDropoff), for: 20...200)
            if chance(0.3) { others = [number(start...phases[1].begin)] }
            if chance(0.15) {
                plan.append((.end, time))
                time = number(start...time)
                phases.removeAll { $0.begin > time }
                add(.trip(.canceled), for: 0...0)
            } else {
                add(.trip(.complete), at: .end, for: 0...0)
            }
        } else {
            add(.shipment(.open), for: 60...300)
            let outcome: ShipmentStatus = chance(0.6) ? .succeeded : chance(0.7) ? .failed : .closed
            if outcome != .closed { add(.shipment(.open), at: .end, for: 5...120) }
            others = (0..<Int.random(in: 0..<4, using: &random)).map { _ in number(start...phases[0].begin + 55) }
                .sorted()
            // The task is still open while the vehicle is at the stop.
            if outcome != .closed {
                add(.shipment(outcome), at: .end, for: 5...60)
            } else {
                plan = [(.end, time + 100)]
            }
            add(.shipment(outcome), for: 0...0)
        }
        if start > 0 {
            let status: JourneyStatus = kind == .trip ? .trip(.new) : .shipment(.open)
            phases.insert(Phase(status: status, stop: nil, begin: 0, known: 0), at: 0)
        }
        let silence = number(0...400)
        let silent = silence...(silence + (chance(0.6) ? number(0...150) : 0))
        for index in phases.indices where silent.contains(phases[index].begin) {
            phases[index].known = silent.upperBound
        }
        // A forecast that is renewed rarely passes while the vehicle is under way.
        var forecasts: [Stop: Double] = [:]
        for (stop, arrival) in plan { forecasts[stop] = max(start, arrival + number(-90...90)) }
        time = start
        while time < (phases.last?.begin ?? 0) {
            for (stop, arrival) in plan where chance(0.2) {
                forecasts[stop] = max(time, arrival + number(-60...60))
            }
            if !silent.contains(time) { reports.append(Report(time: time, forecasts: forecasts)) }
            time += number(2...10)
        }
    }

    /// Returns what the service knows at a time.
    func knowledge(at time: Double) -> Knowledge {
        let phase = phases.last { $0.known <= time } ?? phases[0]
        let report = reports.last { $0.time <= time }
        let isOver = phase.status.isTerminal || [.shipment(.failed), .shipment(.closed)].contains(phase.status)
        let passed = Set(phases.filter { $0.known <= time }.compactMap(\.stop))
        var expected = isOver || hidesArrival ? [:] : report?.forecasts ?? [:]
        for stop in passed { expected[stop] = nil }
        let isShown = report != nil && !hidesPosition && !(isOver && phase.stop == nil)
        // Before its first report, nothing of the way of a delivery vehicle is known.
        let here = isOver || kind == .shipment && report == nil ? nil : phase.stop.map { ($0, phase.known) }
        return Knowledge(
            time: time,
            status: phase.status,
            here: here,
            expected: expected,
            promised: expected[.end] ?? (kind == .shipment && !hidesArrival ? here?.1 : nil),
            reportTime: isShown ? report?.time ?? time : time
        )
    }

    /// Returns when the vehicle arrived at a stop, really and as the service knows it; `nil` if it never did.
    func arrival(at stop: Stop) -> (real: Double, known: Double)? {
        phases.first { $0.stop == stop }.map { ($0.begin, $0.known) }
    }
}
