package import Foundation
package import Runtime
package import TripFeed
package import TripModel
package import TripText

/// The steps of a trip: past, current and future.
package struct Timeline: Sendable, Equatable {
    /// The progress of a step.
    package enum Progress: Sendable, Hashable {
        /// The step was observed and is over.
        case passed
        /// The current step.
        case current
        /// A future step.
        case ahead
        /// The step was not observed; it happened between two polls or before the first one.
        case missed
    }

    /// The certainty of a step's time.
    package enum Certainty: Sendable, Hashable {
        /// The service gave the time.
        case actual
        /// The time of the observation; the step may have begun up to one interval earlier.
        case seen
        /// The step had already begun at the first observation, or at the first one after an outage.
        case before
        /// An estimate.
        case estimated
    }

    /// One step.
    package struct Step: Sendable, Equatable {
        /// The status.
        package var status: JourneyStatus
        /// The sanitized name, one or two words.
        package var name: String
        /// The progress.
        package var progress: Progress
        /// The start; `nil` if unknown.
        package var time: Date?
        /// The certainty of the time.
        package var certainty: Certainty
        /// The duration so far; `nil` if unknown.
        package var duration: Duration?
        /// Whether it may have begun much earlier, so that ``duration`` is a minimum.
        package var isLonger: Bool { certainty == .before }
    }

    /// The steps in order.
    package private(set) var steps: [Step] = []

    /// Creates the steps of a trip at a moment.
    package init(of state: TripState, at now: Moment, localizer: Localizer = .english) {
        let stops = min(state.journey?.intermediateDestinations.count ?? 0, Arrivals.maximumStops)
        let path = state.id.kind == .shipment ? Self.shipmentPath : Self.path(stops: stops)
        var next = 0
        var times = StepTimes(milestones: state.milestones)
        for (index, change) in state.statuses.enumerated() {
            let isLast = index == state.statuses.count - 1
            var place = path[next...].firstIndex { $0.status == change.status }
            if isLast, let stop = state.journey?.intermediateDestinationIndex, change.status.rank == 3 {
                place = path[next...].firstIndex { $0.status == change.status && $0.stop == stop } ?? place
            }
            let milestone = times.milestone(of: change, isBoarding: place == Self.boarding) ?? change.observation
            var step = Step(
                status: change.status,
                name: Self.name(change.status, stop: place.flatMap { path[$0].stop }, of: stops, localizer),
                progress: isLast ? .current : .passed,
                time: milestone.time,
                certainty: Certainty(milestone.source)
            )
            if change.status.isTerminal { step.progress = .passed }
            if let place {
                steps += path[next..<place].map { times.reported(Self.step($0, .missed, stops, localizer)) }
                next = place + 1
            }
            steps.append(step)
        }
        if state.journey?.status.isTerminal != true {
            steps += path[next...].map { Self.step($0, .ahead, stops, localizer) }
        }
        if let trip = state.journey { addEstimates(of: trip) }
        addDurations(until: state.serviceTime(now))
    }

    private struct Place {
        var status: JourneyStatus
        var stop: Int?
    }

    /// The index of the step in ``path(stops:)`` with which the ride begins.
    private static let boarding = 3

    /// The path of a shipment that is handed over at the first attempt.
    private static let shipmentPath = [Place(status: .shipment(.open)), Place(status: .shipment(.succeeded))]

    private static func path(stops: Int) -> [Place] {
        let start: [Place] = [TripStatus.new, .enrouteToPickup, .arrivedAtPickup].map { Place(status: .trip($0)) }
        let between = (0..<stops).flatMap { stop in
            [
                Place(status: .trip(.enrouteToIntermediateDestination), stop: stop),
                Place(status: .trip(.arrivedAtIntermediateDestination), stop: stop),
            ]
        }
        return start + between + [Place(status: .trip(.enrouteToDropoff)), Place(status: .trip(.complete))]
    }

    private static func step(_ place: Place, _ progress: Progress, _ stops: Int, _ localizer: Localizer) -> Step {
        Step(
            status: place.status,
            name: name(place.status, stop: place.stop, of: stops, localizer),
            progress: progress,
            time: nil,
            certainty: progress == .ahead ? .estimated : .seen
        )
    }

    private static func name(_ status: JourneyStatus, stop: Int?, of stops: Int, _ localizer: Localizer) -> String {
        let number = stops > 1 ? stop.map { String($0 + 1) } : nil
        switch status {
        case .trip(.new): return localizer(.stepRequested)
        case .trip(.enrouteToPickup): return localizer(.stepToPickup)
        case .trip(.arrivedAtPickup): return localizer(.stepAtPickup)
        case .trip(.enrouteToIntermediateDestination):
            return number.map { localizer(.stepToStopNumber(number: $0)) } ?? localizer(.stepToStop)
        case .trip(.arrivedAtIntermediateDestination):
            return number.map { localizer(.stepAtStopNumber(number: $0)) } ?? localizer(.stepAtStop)
        case .trip(.enrouteToDropoff): return localizer(.stepToDropoff)
        case .trip(.complete): return localizer(.stepComplete)
        case .trip(.canceled): return localizer(.stepCanceled)
        case .shipment(.open): return localizer(.stepOpen)
        case .shipment(.succeeded): return localizer(.stepSucceeded)
        case .shipment(.failed): return localizer(.stepFailed)
        case .shipment(.closed): return localizer(.stepClosed)
        case .trip(.unrecognized(let name)), .shipment(.unrecognized(let name)):
            let shown = Reporter.sanitized(name, limit: 24)
            return shown.isEmpty ? localizer(.stepNoStatus) : shown
        }
    }

    /// Adds the estimates of pickup and drop-off; a shipment is handed over when its task is done, later than the vehicle arrives.
    private mutating func addEstimates(of journey: Journey) {
        for index in steps.indices where steps[index].progress == .ahead {
            switch steps[index].status {
            case .trip(.arrivedAtPickup): steps[index].time = journey.pickupTime
            case .trip(.complete): steps[index].time = journey.dropoffTime
            case .shipment(.succeeded): steps[index].time = journey.shipment?.estimatedCompletion
            default: continue
            }
        }
    }

    private mutating func addDurations(until now: Date) {
        for index in steps.indices {
            guard let start = steps[index].time, !steps[index].status.isTerminal else { continue }
            switch steps[index].progress {
            case .passed:
                // The end is not known if the next step may have begun much earlier.
                guard index + 1 < steps.count, steps[index + 1].progress != .missed, !steps[index + 1].isLonger,
                    let end = steps[index + 1].time
                else { continue }
                // Times that contradict each other give no duration.
                if end >= start { steps[index].duration = .seconds(end.timeIntervalSince(start)) }
            case .current: steps[index].duration = .seconds(max(0, now.timeIntervalSince(start)))
            case .ahead, .missed: continue
            }
        }
    }
}

/// The times of the steps that ``TripMilestones`` defines, in order.
private struct StepTimes {
    let milestones: TripMilestones
    private(set) var hasArrived = false
    private(set) var hasBoarded = false
    private(set) var visits = 0
    private(set) var isAtStop = false

    /// Returns the time of the next step; `nil` if it is the time of the observation.
    mutating func milestone(
        of change: TripState.StatusChange,
        isBoarding: Bool
    ) -> TripMilestones.Milestone? {
        defer { isAtStop = change.status == .trip(.arrivedAtIntermediateDestination) }
        switch change.status {
        case .trip(.arrivedAtPickup) where !hasArrived:
            hasArrived = true
            return milestones.pickupArrival
        case .trip(.arrivedAtIntermediateDestination) where !isAtStop && visits < milestones.visits.count:
            visits += 1
            return milestones.visits[visits - 1].arrival
        case .trip(.complete), .shipment(.succeeded): return milestones.dropoff
        case _ where isAtStop && visits > 0: return milestones.visits[visits - 1].departure
        case .trip(.enrouteToIntermediateDestination) where isBoarding && !hasBoarded,
            .trip(.enrouteToDropoff) where isBoarding && !hasBoarded:
            hasBoarded = true
            return milestones.boarding
        default: return nil
        }
    }

    /// Returns a missed step, with its time if the driver reported it.
    func reported(_ step: Timeline.Step) -> Timeline.Step {
        guard step.status == .trip(.arrivedAtPickup), let arrival = milestones.pickupArrival,
            arrival.source == .reported
        else {
            return step
        }
        var step = step
        (step.progress, step.time, step.certainty) = (.passed, arrival.time, .actual)
        return step
    }
}

extension Timeline.Certainty {
    fileprivate init(_ source: TripMilestones.Milestone.Source) {
        self =
            switch source {
            case .reported: .actual
            case .observed: .seen
            case .before, .observedLate: .before
            }
    }
}
