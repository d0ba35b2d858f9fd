import Canvas
import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import TripFeed
import TripModel
import TripText

extension MarkdownExport {
    /// Compares the predictions of a time before the arrival with the arrival.
    func promises(_ trip: SessionSummary.TripSummary, since start: Date?) -> [String] {
        let places: [(String, [SessionSummary.Estimate], TripMilestones.Milestone?)] = [
            ("pickup", trip.pickup, trip.milestones.pickupArrival),
            ("dropoff", trip.dropoff, trip.milestones.finalArrival),
        ]
        let rows = places.compactMap { name, estimates, arrival -> [String]? in
            let promised = estimates.filter { $0.arrival != nil }
            guard let first = promised.first else { return nil }
            guard let start, let arrival, let actual = arrival.known?.timeIntervalSince(start) else {
                return [name, span(first.arrival)] + Array(repeating: "–", count: 6)
            }
            guard !arrival.isLatest else {
                return [name, span(first.arrival), "\(span(actual)) at the latest"] + Array(repeating: "–", count: 5)
            }
            func error(_ minutes: Double) -> String {
                let time = actual - minutes * 60
                let valid = promised.last { $0.received <= time }
                return valid?.arrival.map { signed(actual - $0) } ?? "–"
            }
            return [name, span(first.arrival), span(actual), first.arrival.map { signed(actual - $0) } ?? "–"]
                + [15, 10, 5, 1].map(error)
        }
        guard !rows.isEmpty else { return ["No arrival was predicted."] }
        let head = [
            "Place", "First promise", "Reality", "First error", "15 min before", "10 min before", "5 min before",
            "1 min before",
        ]
        return Self.table(head, rows)
            + [
                "",
                """
                Times count from the start. A positive error: later than promised. Reality: the arrival as reported, \
                or else when its status was first seen; at the latest then, if that was after an outage.
                """,
            ]
    }

    func span(_ seconds: Double?) -> String { seconds.map { localizer.span(.seconds($0.rounded())) } ?? "–" }

    private func signed(_ seconds: Double) -> String {
        let text = localizer.span(.seconds(abs(seconds).rounded()))
        return abs(seconds) < 0.5 ? text : (seconds < 0 ? "−" : "+") + text
    }

    var tokenSection: [String] {
        var lines = ["", "## Tokens", ""]
        guard !tokens.isEmpty else { return lines + ["No token was recorded."] }
        lines += Self.table(
            ["Stored", "For", "SHA-256", "Issuer", "Key ID", "Audience", "Issued", "Expires", "Authorization"],
            tokens.prefix(Self.mostRows).map { token in
                let claims = token.inspection.claims
                let rights = [claims?.tripID.map { "tripid \($0)" }, claims?.vehicleID.map { "vehicleid \($0)" }]
                return [
                    Timestamp.text(token.event.at.wall), token.event.context.id,
                    token.event.status.fingerprint ?? "–", claims?.issuer ?? "–", claims?.keyID ?? "–",
                    claims?.audiences.joined(separator: " ") ?? "–", Self.time(claims?.issuedAtSeconds),
                    Self.time(claims?.expirySeconds), rights.compactMap(\.self).joined(separator: ", "),
                ]
            }
        )
        var rows: [[String]] = []
        for token in tokens {
            for finding in token.inspection.findings where finding.verdict != .satisfied {
                let row = [finding.verdict.rawValue, finding.rule.rawValue, finding.evidence, finding.advice ?? ""]
                if !rows.contains(row), rows.count < Self.mostRows { rows.append(row) }
            }
        }
        guard !rows.isEmpty else { return lines + ["", "No token breaks a rule."] }
        return lines + [""] + Self.table(["Verdict", "Rule", "Evidence", "What to change"], rows)
    }

    var noteSection: [String] {
        notes.isEmpty
            ? []
            : ["", "## Notes", ""]
                + Self.table(["Time", "Note"], notes.prefix(Self.mostRows).map { [Timestamp.text($0.time), $0.text] })
    }

    var configurationSection: [String] {
        var rows = [["Report", Tripshare.programAndVersion]]
        if let header = session.header {
            let configuration = header.configuration
            rows += [
                ["Recorded by", "tripshare \(header.program)"],
                ["Format", "\(header.version.major).\(header.version.minor)"], ["Service", configuration.service],
                ["Poll interval", localizer.span(.seconds(configuration.interval))],
                ["Token source", configuration.tokenSource], ["Speed of the clock", "\(header.speed)"],
                ["Seed", header.seed], ["Output", header.display.output],
                ["Terminal", "\(header.display.width)x\(header.display.height)"],
                ["Language", header.display.language], ["Units", header.display.units],
                ["Time zone", "\(header.zone.name) (\(header.zone.offset) s)"],
            ]
            rows += configuration.thresholds.sorted { $0.key < $1.key }.map { ["Threshold \($0.key)", "\($0.value)"] }
            let absent = configuration.absentFields.filter { $0 != TripField.missedStatuses.rawValue }
            if !absent.isEmpty {
                rows.append(["Fields that no answer has", absent.joined(separator: " ")])
            }
        }
        return ["", "## Configuration and versions", ""] + Self.table(["", ""], rows)
    }
}
