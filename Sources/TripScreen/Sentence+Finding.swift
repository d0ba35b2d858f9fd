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

    /// How an arrival has moved: `1 min 15 s later`.
    private var shift: String {
        guard case .seconds(let seconds)? = finding.evidence.first(where: { $0.name == "shift" })?.value else {
            return the("shift")
        }
        return say(seconds < 0 ? .shiftEarlier : .shiftLater, the("shift"))
    }

    /// The rule in a few words.
    var short: String {
        switch finding.rule {
        case .statusWentBack: say(.statusWentBack)
        case .changedAfterEnd: say(.changedAfterEnd)
        case .statusSkipped: say(.statusSkipped)
        case .stopsSkipped: say(.stopsSkipped)
        case .vehicleMissing: say(.vehicleMissing)
        case .waypointsMissing: say(.waypointsMissing)
        case .statusMissing: say(.statusMissing)
        case .trackingMissing: say(.trackingMissing)
        case .serviceRefuses: say(.serviceRefuses)
        case .tokenUnusable: say(.tokenUnusable)
        case .otherTripFirst: say(.otherTripFirst)
        case .unknownValue: say(.unknownValue)
        case .providerDiffers: say(.providerDiffers)
        case .listsTooLong: say(.listsTooLong)
        case .overdue: say(.findingOverdue)
        case .arrivalJumped: say(.arrivalJumped)
        case .arrivalSlides: say(.arrivalSlides)
        case .arrivalAfterEnd: say(.arrivalAfterEnd)
        case .distanceGrew: say(.distanceGrew)
        case .rerouted: say(.rerouted)
        case .distanceDiffersFromRoute: say(.distanceDiffers)
        case .pickupTimeMoves: say(.pickupTimeMoves)
        case .dropoffBeforePickup: say(.dropoffBeforePickup)
        case .farFromPlan: say(.farFromPlan)
        case .impossibleSpeed: say(.impossibleSpeed)
        case .positionGap: say(.positionGap)
        case .positionStale: say(.positionStale)
        case .standsStill: say(.standsStill)
        case .offRoute: say(.offRoute)
        case .deviceClockAhead: say(.deviceClockAhead)
        case .positionLate: say(.positionLate)
        case .answerOutdated: say(.answerOutdated)
        case .pollsOverlap: say(.pollsOverlap)
        case .noBackOff: say(.noBackOff)
        case .clocksDiffer: say(.findingClocks)
        case .tokenForAnother: say(.tokenForAnother)
        case .tokenTooShortLived: say(.tokenTooShortLived)
        case .tokenRefetched: say(.tokenRefetched)
        }
    }

    /// What was seen.
    var what: String {
        switch finding.rule {
        case .statusWentBack: say(.statusWentBackWhat, the("from"), the("to"))
        case .changedAfterEnd: say(.changedAfterEndWhat, the("from"), the("to"))
        case .statusSkipped: say(.statusSkippedWhat, the("skipped"), the("within"))
        case .stopsSkipped: say(.stopsSkippedWhat, the("reached"), the("stops"))
        case .vehicleMissing: say(.vehicleMissingWhat, the("status"))
        case .waypointsMissing: say(.waypointsMissingWhat, the("status"))
        case .statusMissing: say(.statusMissingWhat)
        case .trackingMissing: say(.trackingMissingWhat, the("for"), missing)
        case .serviceRefuses: say(.serviceRefusesWhat, the("status"), text("code"), said)
        case .tokenUnusable: say(.tokenUnusableWhat, the("fault"))
        case .otherTripFirst: say(.otherTripFirstWhat, the("waypoints"))
        case .unknownValue: say(.unknownValueWhat, unknown)
        case .providerDiffers: say(.providerDiffersWhat, the("asked"), the("answered"))
        case .listsTooLong: say(.listsTooLongWhat, omitted)
        case .overdue: say(.findingOverdueWhat, the("late"))
        case .arrivalJumped: say(.arrivalJumpedWhat, shift)
        case .arrivalSlides: say(.arrivalSlidesWhat, the("for"))
        case .arrivalAfterEnd: say(.arrivalAfterEndWhat, the("status"))
        case .distanceGrew: say(.distanceGrewWhat, the("from"), the("to"))
        case .rerouted: newRoute
        case .distanceDiffersFromRoute: say(.distanceDiffersWhat, the("told"), the("route"))
        case .pickupTimeMoves: say(.pickupTimeMovesWhat, shift)
        case .dropoffBeforePickup: say(.dropoffBeforePickupWhat, the("before"))
        case .farFromPlan:
            say(the("place") == "pickup" ? .farFromPlanPickup : .farFromPlanDropoff, the("distance"))
        case .impossibleSpeed: say(.impossibleSpeedWhat, the("distance"), the("within"), the("speed"))
        case .positionGap: say(.positionGapWhat, the("gap"))
        case .positionStale: say(.positionStaleWhat, the("age"))
        case .standsStill: say(.standsStillWhat, the("for"))
        case .offRoute: say(.offRouteWhat, the("distance"))
        case .deviceClockAhead: say(.deviceClockAheadWhat, the("ahead"))
        case .positionLate: say(.positionLateWhat, the("delay"))
        case .answerOutdated: say(.answerOutdatedWhat)
        case .pollsOverlap: say(.pollsOverlapWhat)
        case .noBackOff: say(.noBackOffWhat, the("failures"), the("within"))
        case .clocksDiffer: say(.findingClocksWhat, the("offset"))
        case .tokenForAnother: say(.tokenForAnotherWhat, ids ?? the("fault"))
        case .tokenTooShortLived: say(.tokenTooShortLivedWhat, the("life"), the("interval"))
        case .tokenRefetched: say(.tokenRefetchedWhat, the("tokens"), the("life"))
        }
    }

    /// What is other on a new route: only what the figures show.
    private var newRoute: String {
        let way = the("to") == the("from") ? "" : say(.reroutedWay, the("from"), the("to"))
        guard case .seconds(let seconds)? = finding.evidence.first(where: { $0.name == "shift" })?.value,
            abs(seconds) >= 1
        else { return say(.reroutedWhat, way, "") }
        return say(.reroutedWhat, way, say(.reroutedShift, shift))
    }

    /// A text of the evidence, empty where there is none.
    private func text(_ name: String) -> String {
        guard case .text(let text)? = finding.evidence.first(where: { $0.name == name })?.value else { return "" }
        return Reporter.harmless(text, limit: 160)
    }

    /// What the service said.
    private var said: String {
        let message = text("message")
        return message.isEmpty ? "" : say(.saidDetail, message)
    }

    /// For whom a token is.
    private var ids: String? {
        let ids = ["tripid", "vehicleid"].filter { !text($0).isEmpty }.map { "\($0) ‘\(text($0))’" }
        return ids.isEmpty ? nil : ids.joined(separator: say(.listComma))
    }

    /// What a trip has to have to be followed.
    private var missing: String {
        let names: [(String, Phrase)] = [
            ("position", .missingPosition), ("route", .missingRoute), ("arrival", .missingArrival),
        ]
        let missing = text("missing").split(separator: ",").map(String.init)
        return names.filter { missing.contains($0.0) }.map { say($0.1) }.joined(separator: say(.listComma))
    }

    private var unknown: String {
        finding.evidence.map { evidence in
            guard case .text(let text) = evidence.value else { return evidence.name }
            return "\(evidence.name) \(Reporter.harmless(text, limit: 40))"
        }.joined(separator: say(.listComma))
    }

    private var omitted: String {
        finding.evidence.map { evidence in
            guard case .count(let count) = evidence.value else { return evidence.name }
            return "\(count) \(evidence.name)"
        }.joined(separator: say(.listComma))
    }

    /// What to look at; `nil` where the rule says it all.
    var advice: String? {
        switch finding.rule {
        case .statusWentBack, .changedAfterEnd, .stopsSkipped, .vehicleMissing, .waypointsMissing, .statusMissing,
            .trackingMissing, .pickupTimeMoves,
            .dropoffBeforePickup, .arrivalAfterEnd, .listsTooLong:
            say(.adviceBackend)
        case .deviceClockAhead: say(.adviceDeviceClock)
        case .positionGap, .positionStale, .positionLate: say(.adviceDevice)
        case .providerDiffers: say(.adviceProvider)
        case .clocksDiffer: say(.adviceClock)
        case .serviceRefuses, .tokenUnusable: say(.adviceTokenView)
        case .tokenForAnother: say(.adviceEndpoint)
        case .tokenTooShortLived, .tokenRefetched: say(.adviceLifetime)
        case .answerOutdated: say(.adviceCache)
        case .statusSkipped, .otherTripFirst, .unknownValue, .overdue, .arrivalJumped, .arrivalSlides, .distanceGrew,
            .rerouted, .distanceDiffersFromRoute, .farFromPlan, .impossibleSpeed, .standsStill, .offRoute,
            .pollsOverlap, .noBackOff:
            nil
        }
    }
}
