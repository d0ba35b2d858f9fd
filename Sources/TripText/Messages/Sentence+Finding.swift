import FleetTokens
package import TripFeed
import TripModel

extension Sentence {
    /// What is not as it should be, with its numbers.
    package init(_ finding: Finding, say: Wording = .english) {
        let texts = finding.rule.texts
        let values = FindingValues(finding: finding, say: say)
        self.init(
            say(texts.title),
            say.filled(values.what.rawValue, values.value),
            texts.advice.map { say($0) }
        )
    }
}

/// The keys of what is said about a rule.
private struct FindingTexts {
    /// The rule in a few words.
    var title: StringKey
    /// What was seen; its placeholders are names of evidence or of ``FindingValues``.
    var what: StringKey
    /// What to look at; `nil` where the rule says it all.
    var advice: StringKey?

    init(_ title: StringKey, _ what: StringKey, _ advice: StringKey? = nil) {
        (self.title, self.what, self.advice) = (title, what, advice)
    }
}

extension FindingRule {
    fileprivate var texts: FindingTexts {
        switch self {
        case .statusWentBack: FindingTexts(.statusWentBack, .statusWentBackWhat, .adviceBackend)
        case .changedAfterEnd: FindingTexts(.changedAfterEnd, .changedAfterEndWhat, .adviceBackend)
        case .statusSkipped: FindingTexts(.statusSkipped, .statusSkippedWhat)
        case .stopsSkipped: FindingTexts(.stopsSkipped, .stopsSkippedWhat, .adviceBackend)
        case .vehicleMissing: FindingTexts(.vehicleMissing, .vehicleMissingWhat, .adviceBackend)
        case .waypointsMissing: FindingTexts(.waypointsMissing, .waypointsMissingWhat, .adviceBackend)
        case .statusMissing: FindingTexts(.statusMissing, .statusMissingWhat, .adviceBackend)
        case .trackingMissing: FindingTexts(.trackingMissing, .trackingMissingWhat, .adviceBackend)
        case .serviceRefuses: FindingTexts(.serviceRefuses, .serviceRefusesWhat, .adviceTokenView)
        case .tokenUnusable: FindingTexts(.tokenUnusable, .tokenUnusableWhat, .adviceTokenView)
        case .otherTripFirst: FindingTexts(.otherTripFirst, .otherTripFirstWhat)
        case .unknownValue: FindingTexts(.unknownValue, .unknownValueWhat)
        case .providerDiffers: FindingTexts(.providerDiffers, .providerDiffersWhat, .adviceProvider)
        case .listsTooLong: FindingTexts(.listsTooLong, .listsTooLongWhat, .adviceBackend)
        case .overdue: FindingTexts(.findingOverdue, .findingOverdueWhat)
        case .arrivalJumped: FindingTexts(.arrivalJumped, .arrivalJumpedWhat)
        case .arrivalSlides: FindingTexts(.arrivalSlides, .arrivalSlidesWhat)
        case .arrivalAfterEnd: FindingTexts(.arrivalAfterEnd, .arrivalAfterEndWhat, .adviceBackend)
        case .distanceGrew: FindingTexts(.distanceGrew, .distanceGrewWhat)
        case .rerouted: FindingTexts(.rerouted, .reroutedWhat)
        case .distanceDiffersFromRoute: FindingTexts(.distanceDiffers, .distanceDiffersWhat)
        case .pickupTimeMoves: FindingTexts(.pickupTimeMoves, .pickupTimeMovesWhat, .adviceBackend)
        case .dropoffBeforePickup: FindingTexts(.dropoffBeforePickup, .dropoffBeforePickupWhat, .adviceBackend)
        case .farFromPlan: FindingTexts(.farFromPlan, .farFromPlanDropoff)
        case .impossibleSpeed: FindingTexts(.impossibleSpeed, .impossibleSpeedWhat)
        case .positionGap: FindingTexts(.positionGap, .positionGapWhat, .adviceDevice)
        case .positionStale: FindingTexts(.positionStale, .positionStaleWhat, .adviceDevice)
        case .standsStill: FindingTexts(.standsStill, .standsStillWhat)
        case .offRoute: FindingTexts(.offRoute, .offRouteWhat)
        case .deviceClockAhead: FindingTexts(.deviceClockAhead, .deviceClockAheadWhat, .adviceDeviceClock)
        case .positionLate: FindingTexts(.positionLate, .positionLateWhat, .adviceDevice)
        case .answerOutdated: FindingTexts(.answerOutdated, .answerOutdatedWhat, .adviceCache)
        case .pollsOverlap: FindingTexts(.pollsOverlap, .pollsOverlapWhat)
        case .noBackOff: FindingTexts(.noBackOff, .noBackOffWhat)
        case .clocksDiffer: FindingTexts(.findingClocks, .findingClocksWhat, .adviceClock)
        case .tokenForAnother: FindingTexts(.tokenForAnother, .tokenForAnotherWhat, .adviceEndpoint)
        case .tokenTooShortLived: FindingTexts(.tokenTooShortLived, .tokenTooShortLivedWhat, .adviceLifetime)
        case .tokenRefetched: FindingTexts(.tokenRefetched, .tokenRefetchedWhat, .adviceLifetime)
        }
    }
}

/// The values of a finding's text.
private struct FindingValues {
    let finding: Finding
    let say: Wording

    /// The key of what was seen.
    var what: StringKey {
        let isAtPickup = finding.rule == .farFromPlan && evidence("place") == "pickup"
        return isAtPickup ? .farFromPlanPickup : finding.rule.texts.what
    }

    /// The value of a placeholder: one that is made of several pieces of evidence, or the evidence of that name.
    func value(_ name: Substring) -> String? {
        switch name {
        case "shift": shift
        case "way": way
        case "arrival": arrival
        case "code": text("code")
        case "said": said
        case "ids": ids ?? evidence("fault")
        case "missing": missing
        case "values": unknown
        case "omitted": omitted
        default: evidence(String(name))
        }
    }

    /// A piece of evidence, as people read it.
    private func evidence(_ name: String) -> String {
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

    /// A text of the evidence, empty where there is none.
    private func text(_ name: String) -> String {
        guard case .text(let text)? = finding.evidence.first(where: { $0.name == name })?.value else { return "" }
        return Reporter.harmless(text, limit: 160)
    }

    /// How many seconds later an arrival is; `nil` where that is not known.
    private var shiftSeconds: Double? {
        guard case .seconds(let seconds)? = finding.evidence.first(where: { $0.name == "shift" })?.value else {
            return nil
        }
        return seconds
    }

    /// How an arrival has moved: `1 min 15 s later`.
    private var shift: String {
        guard let seconds = shiftSeconds else { return evidence("shift") }
        return say(seconds < 0 ? .shiftEarlier : .shiftLater, evidence("shift"))
    }

    /// How the way has changed; empty where it has not.
    private var way: String {
        let (from, to) = (evidence("from"), evidence("to"))
        return to == from ? "" : say(.reroutedWay, from, to)
    }

    /// How the arrival has changed; empty where it has not.
    private var arrival: String {
        guard let seconds = shiftSeconds, abs(seconds) >= 1 else { return "" }
        return say(.reroutedShift, shift)
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
        let names: [(String, StringKey)] = [
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
}
