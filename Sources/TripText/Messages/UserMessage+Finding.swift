import FleetTokens
import Runtime
package import TripFeed
import TripModel

extension UserMessage {
    /// Describes a finding: its title, its evidence and what to check.
    package init(_ finding: Finding, localizer: Localizer = .english) {
        let localizer = localizer.about(finding.journey.kind)
        let values = FindingValues(finding: finding, localizer: localizer)
        self.init(
            localizer.text(finding.rule.title),
            localizer.text(finding.rule.sentence, at: values.place, values.value),
            finding.advice.map { localizer.text($0) }
        )
        guard let names = finding.injected, !localizer.hidesFaults else { return }
        what += localizer(.findingInjected(name: Reporter.sanitized(names, limit: 80)))
    }
}

extension FindingRule {
    /// The placeholders that the sentences may contain.
    package var placeholders: Set<String> { Set(evidence).union(FindingValues.composed.keys) }
}

/// The values of a finding's text.
private struct FindingValues {
    let finding: Finding
    let localizer: Localizer

    /// The place that the finding concerns, if its rule has texts for places.
    var place: String? { finding.rule.places.first { $0 == text("place") } }

    /// The values composed of several pieces of evidence or of other texts, by placeholder.
    static let composed: [String: @Sendable (FindingValues) -> String] = [
        "shift": \.shift, "way": \.way, "arrival": \.arrival, "answer": \.answer, "said": \.said,
        "ids": \.ids, "missing": \.missing, "values": \.unknown, "omitted": \.omitted, "hidden": \.hidden,
        "form": \.form, "zone": \.zone,
    ]

    /// Returns the value of a placeholder: a composed value, or the evidence of that name.
    func value(_ name: Substring) -> String? {
        let name = String(name)
        return Self.composed[name].map { $0(self) } ?? evidence(name)
    }

    /// Returns a formatted piece of evidence; `?` if it is missing.
    private func evidence(_ name: String) -> String {
        guard let value = finding.evidence.first(where: { $0.name == name })?.value else { return "?" }
        return switch value {
        case .seconds(let seconds): localizer.span(Duration(clampedSeconds: seconds))
        case .meters(let meters): localizer.meters(meters)
        case .metersPerSecond(let speed): localizer.speed(speed)
        case .share(let share): "\(Localizer.whole((share * 100).rounded())) %"
        case .count(let count): "\(count)"
        case .text(let text): Reporter.sanitized(text, limit: 80)
        case .time(let date): Zone.utc.clock(date)
        }
    }

    /// Returns a text of the evidence; empty if it is missing.
    private func text(_ name: String) -> String {
        guard case .text(let text)? = finding.evidence.first(where: { $0.name == name })?.value else { return "" }
        return Reporter.sanitized(text, limit: 160)
    }

    /// The shift of an arrival in seconds, positive if later; `nil` if unknown.
    private var shiftSeconds: Double? {
        guard case .seconds(let seconds)? = finding.evidence.first(where: { $0.name == "shift" })?.value else {
            return nil
        }
        return seconds
    }

    /// The shift of an arrival as text: `1 min 15 s later`.
    private var shift: String {
        let duration = evidence("shift")
        guard let seconds = shiftSeconds else { return duration }
        return localizer(seconds < 0 ? .shiftEarlier(duration: duration) : .shiftLater(duration: duration))
    }

    /// The change of the remaining distance; empty if it is unchanged.
    private var way: String {
        let (from, to) = (evidence("from"), evidence("to"))
        return to == from ? "" : localizer(.reroutedWay(to: to, from: from))
    }

    /// The shift of the arrival as part of a sentence; empty below 1 s or if unknown.
    private var arrival: String {
        guard let seconds = shiftSeconds, abs(seconds) >= 1 else { return "" }
        return localizer(.reroutedShift(shift: shift))
    }

    /// The status of a refusal: `403 PERMISSION_DENIED` over REST, `PERMISSION_DENIED` over gRPC.
    private var answer: String {
        let status = finding.evidence.contains { $0.name == "status" } ? evidence("status") : ""
        return [status, text("code")].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The service's message as part of a sentence; empty if there is none.
    private var said: String {
        let message = text("message")
        return message.isEmpty ? "" : localizer(.saidDetail(message: message))
    }

    /// The IDs that the token authorizes, else the token's fault.
    private var ids: String {
        let ids = ["tripid", "vehicleid"].filter { !text($0).isEmpty }.map { "\($0) ‘\(text($0))’" }
        return ids.isEmpty ? evidence("fault") : ids.joined(separator: localizer(.listComma))
    }

    /// The data required for tracking that the trip lacks.
    private var missing: String {
        let names: [(String, Text)] = [
            ("position", .missingPosition), ("route", .missingRoute), ("arrival", .missingArrival),
        ]
        let missing = text("missing").split(separator: ",").map(String.init)
        return names.filter { missing.contains($0.0) }.map { localizer($0.1) }.joined(separator: localizer(.listComma))
    }

    /// The form of the ID in a token.
    private var form: String {
        IDForm(rawValue: text("form")).map { localizer.text($0.textKey) } ?? ""
    }

    /// The difference between two time zones that explains a wrong arrival, as part of a sentence; empty if none does.
    private var zone: String {
        finding.evidence.contains { $0.name == "zone" } ? localizer(.disagreementZone(hours: evidence("zone"))) : ""
    }

    /// The values of a shipment that are no longer shown.
    private var hidden: String {
        text("hidden").split(separator: ",").compactMap { HiddenValue(rawValue: String($0)) }
            .map { localizer($0.words) }.joined(separator: localizer(.listComma))
    }

    private var unknown: String {
        finding.evidence.map { evidence in
            guard case .text(let text) = evidence.value else { return evidence.name }
            return "\(evidence.name) \(Reporter.sanitized(text, limit: 40))"
        }.joined(separator: localizer(.listComma))
    }

    private var omitted: String {
        finding.evidence.map { evidence in
            guard case .count(let count) = evidence.value else { return evidence.name }
            return "\(count) \(evidence.name)"
        }.joined(separator: localizer(.listComma))
    }
}
