import FleetTokens
package import TripFeed
import TripModel

extension Sentence {
    /// What is not as it should be, with its numbers.
    package init(_ finding: Finding, say: Wording = .english) {
        let words = FindingWords(finding, say)
        self.init(words.short, words.what, words.advice)
    }
}

/// The words for one finding.
private struct FindingWords {
    let finding: Finding
    let say: Wording

    init(_ finding: Finding, _ say: Wording) {
        self.finding = finding
        self.say = say
    }

    /// A number of the evidence, as people read it.
    private func the(_ name: String) -> String {
        guard let value = finding.evidence.first(where: { $0.name == name })?.value else { return "?" }
        return switch value {
        case .seconds(let seconds): say.span(Duration(clampedSeconds: seconds))
        case .meters(let meters): say.meters(meters)
        case .metersPerSecond(let speed): say.speed(speed)
        case .share(let share): "\(Wording.whole((share * 100).rounded())) %"
        case .count(let count): "\(count)"
        case .text(let text): Reporter.harmless(text, limit: 80)
        case .time(let date): Zone.utc.clock(date)
        }
    }

    private func direction(_ name: String) -> String {
        guard case .seconds(let seconds)? = finding.evidence.first(where: { $0.name == name })?.value else { return "" }
        return seconds < 0 ? "earlier" : "later"
    }

    /// The rule in a few words.
    var short: String {
        switch finding.rule {
        case .statusWentBack: "status went back"
        case .changedAfterEnd: "changed after the end"
        case .statusSkipped: "status skipped"
        case .stopsSkipped: "stops skipped"
        case .vehicleMissing: "no vehicle"
        case .waypointsMissing: "no waypoints"
        case .otherTripFirst: "another trip first"
        case .unknownValue: "unknown value"
        case .providerDiffers: "another provider"
        case .overdue: "overdue"
        case .arrivalJumped: "arrival jumped"
        case .arrivalSlides: "arrival slides"
        case .arrivalAfterEnd: "arrival after the end"
        case .distanceGrew: "distance grew"
        case .rerouted: "longer route"
        case .distanceDiffersFromRoute: "distance differs from route"
        case .pickupTimeMoves: "pickup time moves"
        case .dropoffBeforePickup: "drop-off before pickup"
        case .farFromPlan: "far from the plan"
        case .impossibleSpeed: "impossible speed"
        case .positionGap: "gap in positions"
        case .positionStale: "old position"
        case .standsStill: "stands still"
        case .offRoute: "off route"
        case .deviceClockAhead: "device clock ahead"
        case .positionLate: "position came late"
        case .answerOutdated: "older answer"
        case .pollsOverlap: "polls overlap"
        case .noBackOff: "no back-off"
        case .clocksDiffer: "clocks differ"
        case .tokenForAnother: "token for another"
        case .tokenTooShortLived: "token too short-lived"
        case .tokenRefetched: "tokens fetched too often"
        }
    }

    /// What was seen.
    var what: String {
        switch finding.rule {
        case .statusWentBack: "The status went back from \(the("from")) to \(the("to"))"
        case .changedAfterEnd: "The trip had ended as \(the("from")) and says \(the("to")) now"
        case .statusSkipped: "\(the("skipped")) was passed between two answers, \(the("within")) apart"
        case .stopsSkipped: "The drop-off is driven to after \(the("reached")) of \(the("stops")) stops"
        case .vehicleMissing: "The trip is \(the("status")) and has no vehicle"
        case .waypointsMissing: "The trip is \(the("status")) and has no waypoints left"
        case .otherTripFirst: "The vehicle serves other trips first: \(the("waypoints")) waypoints"
        case .unknownValue: "The answer holds what this program does not know: \(unknown)"
        case .providerDiffers: "Asked was \(the("asked")), and \(the("answered")) is in the answer's name"
        case .overdue: "The vehicle should have arrived \(the("late")) ago"
        case .arrivalJumped: "The arrival moved by \(the("shift")) \(direction("shift")) at once, on the same route"
        case .arrivalSlides: "The arrival has moved on with the clock for \(the("for")): the vehicle gets no nearer"
        case .arrivalAfterEnd: "The trip is \(the("status")) and still has a time of arrival"
        case .distanceGrew: "The way left grew from \(the("from")) to \(the("to")) on the same route"
        case .rerouted: "A new route" + newRoute
        case .distanceDiffersFromRoute: "The service says \(the("told")) are left, its route is \(the("route")) long"
        case .pickupTimeMoves: "The rider is aboard, and the pickup moved by \(the("shift")) \(direction("shift"))"
        case .dropoffBeforePickup: "The drop-off is \(the("before")) before the pickup"
        case .farFromPlan: "The \(the("place")) was \(the("distance")) away from where it was asked for"
        case .impossibleSpeed: "The vehicle went \(the("distance")) in \(the("within")), which is \(the("speed"))"
        case .positionGap: "No new position came for \(the("gap"))"
        case .positionStale: "The vehicle is under way, and its position is \(the("age")) old"
        case .standsStill: "The vehicle is under way and has stood for \(the("for"))"
        case .offRoute: "The vehicle is \(the("distance")) away from its route"
        case .deviceClockAhead: "The device measured the position \(the("ahead")) in the future"
        case .positionLate: "The position came \(the("delay")) after it had been measured"
        case .answerOutdated: "An answer was older than one before it"
        case .pollsOverlap: "Two requests were under way at once"
        case .noBackOff: "\(the("failures")) polls failed within \(the("within"))"
        case .clocksDiffer: "The service's clock and this one differ by \(the("offset"))"
        case .tokenForAnother: "The token is not for this trip (\(the("fault")))"
        case .tokenTooShortLived: "The token lives \(the("life")), and polls are \(the("interval")) apart"
        case .tokenRefetched: "\(the("tokens")) tokens in ten minutes, although each lives \(the("life"))"
        }
    }

    /// What is other on a new route: only what the figures show.
    private var newRoute: String {
        let way = the("to") == the("from") ? "" : ": \(the("to")) left instead of \(the("from"))"
        guard case .seconds(let shift)? = finding.evidence.first(where: { $0.name == "shift" })?.value, abs(shift) >= 1
        else { return way }
        return "\(way), arrival \(the("shift")) \(direction("shift"))"
    }

    private var unknown: String {
        finding.evidence.map { evidence in
            guard case .text(let text) = evidence.value else { return evidence.name }
            return "\(evidence.name) \(Reporter.harmless(text, limit: 40))"
        }.joined(separator: ", ")
    }

    /// What to look at; `nil` where the rule says it all.
    var advice: String? {
        switch finding.rule {
        case .statusWentBack, .changedAfterEnd, .stopsSkipped, .vehicleMissing, .waypointsMissing, .pickupTimeMoves,
            .dropoffBeforePickup, .arrivalAfterEnd:
            "Look at what the backend or the driver's app writes into the trip."
        case .deviceClockAhead: "Set the clock of the driver's device."
        case .positionGap, .positionStale, .positionLate: "Look at the driver's device and its network."
        case .providerDiffers: "Check --provider-id."
        case .clocksDiffer: "Set this machine's clock; ages are corrected for it meanwhile."
        case .tokenForAnother: "Look at the token endpoint: it has to use the ID that it is asked for."
        case .tokenTooShortLived, .tokenRefetched: "Let tokens live 55 minutes, and use each until it ends."
        case .answerOutdated: "A cache or a proxy that repeats old answers may stand between."
        case .statusSkipped, .otherTripFirst, .unknownValue, .overdue, .arrivalJumped, .arrivalSlides, .distanceGrew,
            .rerouted, .distanceDiffersFromRoute, .farFromPlan, .impossibleSpeed, .standsStill, .offRoute,
            .pollsOverlap, .noBackOff:
            nil
        }
    }
}
