import Foundation
import TripModel

/// What lasts over many answers: a vehicle that stands, an arrival that moves on with the clock.
struct Patience: Sendable, Equatable {
    /// A vehicle's place and since when it is there, by the device's clock.
    private struct Rest: Sendable, Equatable {
        var place: Coordinate
        var since: Date
        var status: TripStatus
    }

    /// An arrival that slides: where it began, and the last step of it.
    private struct Slide: Sendable, Equatable {
        var began: Date
        var received: Date
        var arrival: Date
    }

    private var rest: Rest?
    private var slide: Slide?

    /// Takes in an answer; what has lasted too long.
    mutating func take(_ step: AnswerStep) -> [Sighting] {
        [standsStill(step), arrivalSlides(step)].compactMap(\.self)
    }

    private mutating func standsStill(_ step: AnswerStep) -> Sighting? {
        guard step.isUnderWay, let position = step.trip.lastLocation, let place = position.coordinate,
            let measured = position.measuredTime ?? position.serverTime
        else {
            rest = nil
            return nil
        }
        guard let known = rest, known.status == step.trip.status,
            known.place.distance(to: place) <= step.limits.noise
        else {
            rest = Rest(place: place, since: measured, status: step.trip.status)
            return nil
        }
        let stood = measured.timeIntervalSince(known.since)
        guard stood > step.limits.standstill.seconds else { return nil }
        return .lasting(.standsStill, .warning, Evidence("for", .seconds(stood)))
    }

    /// Steps go from one report of the driver to the next; answers without a new one tell nothing.
    private mutating func arrivalSlides(_ step: AnswerStep) -> Sighting? {
        guard !step.trip.status.isTerminal, let arrival = step.trip.firstArrival,
            let received = step.trip.lastLocation?.serverTime
        else {
            slide = nil
            return nil
        }
        guard var known = slide else {
            slide = Slide(began: received, received: received, arrival: arrival)
            return nil
        }
        if received > known.received {
            let passed = received.timeIntervalSince(known.received)
            let shift = arrival.timeIntervalSince(known.arrival)
            // Within a fifth, and the second that reports are rounded to.
            let isSliding = step.comparable != nil && abs(shift - passed) <= max(1.5, passed / 5)
            known = Slide(began: isSliding ? known.began : received, received: received, arrival: arrival)
            slide = known
        }
        let slid = known.received.timeIntervalSince(known.began)
        guard slid > step.limits.arrivalSlide.seconds else { return nil }
        return .lasting(.arrivalSlides, .info, Evidence("for", .seconds(slid)))
    }
}
