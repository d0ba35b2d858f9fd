import Canvas
import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import TripFeed
import TripModel
import TripText

/// A report in Markdown for people without the program; in English, as the other formats.
struct MarkdownExport: RecordingExporter {
    /// Failed polls with the same message.
    private struct Failure {
        var failure: Failures.Failure
        /// What is said about it, with details from the token of that time.
        var message: UserMessage
        var first: Date
        var last: Date
        var count = 0
    }

    /// What is collected of a trip.
    private struct Track {
        var failures: [String: Failure] = [:]
        var findings: [Finding] = []
        var vehicle: VehicleID?
        var token: TokenStatus?
    }

    /// The maximum number of rows of a table.
    private static let mostRows = 200

    private let session: RecordedSession
    private let localizer = Localizer.english
    private var tracks: [JourneyID: Track] = [:]
    private var tokens: [(event: TokenEvent, inspection: RecordedToken.Inspection)] = []
    private var notes: [(time: Date, text: String)] = []
    private var times: ClosedRange<Date>?

    /// Creates the report of a session.
    init(_ session: RecordedSession) { self.session = session }

    private var host: String { session.header?.configuration.host ?? "" }

    mutating func handle(_ event: RecordedSession.Event) {
        switch event {
        case .poll(let poll):
            note(poll.report.finished.wall)
            guard let failure = poll.report.failure else { break }
            let time = poll.report.finished.wall
            let journey = poll.report.journey
            var track = tracks[journey] ?? Track()
            let token = track.token?.explaining(failure)
            let message = UserMessage(failure, token, journey: journey, host: host, localizer: localizer)
            var known =
                track.failures[message.what] ?? Failure(failure: failure, message: message, first: time, last: time)
            (known.last, known.count) = (time, known.count + 1)
            track.failures[message.what] = known
            tracks[journey] = track
        case .observation(let observation):
            note(observation.time)
            tracks[observation.journey.id, default: Track()].vehicle = observation.journey.vehicleID
        case .findings(let trip, let findings): tracks[trip, default: Track()].findings += findings
        case .token(let event, let inspection):
            if let inspection { tokens.append((event, inspection)) }
            if let journey = event.context.journey { tracks[journey, default: Track()].token = event.status }
        case .driver, .search: break
        case .fault(let fault, let time):
            notes.append((time, "Fault \(fault.isActive ? "on" : "off"): \(fault.name)"))
        case .note(let note, let time): notes.append((time, "\(note.kind.rawValue.capitalized): \(note.text)"))
        }
    }

    private mutating func note(_ time: Date) {
        times = times.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    }

    func finished() throws(ExportFailure) -> [UInt8] {
        let summary = SessionSummary(session)
        guard !summary.trips.isEmpty, let times else { throw .noTrips }
        var lines = ["# Session report", ""]
        lines += Self.table(
            ["", ""],
            [
                ["Project", session.provider.rawValue], ["Service", host.isEmpty ? "– (log)" : host],
                ["From", Timestamp.text(times.lowerBound)], ["To", Timestamp.text(times.upperBound)],
                ["Trips", "\(summary.trips.count)"],
            ]
        )
        for trip in summary.trips { lines += section(trip, since: summary.start) }
        lines += tokenSection + noteSection + configurationSection
        if summary.skipped > 0 { lines += ["", "Damaged or unknown lines that were left out: \(summary.skipped)"] }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    // MARK: Trips

    private func section(_ trip: SessionSummary.TripSummary, since start: Date?) -> [String] {
        let track = tracks[trip.id] ?? Track()
        var lines = ["", "## Trip \(Self.cell(trip.id.rawValue))", ""]
        lines.append("Vehicle: \(Self.cell(track.vehicle?.rawValue ?? "–")); polls: \(trip.polls)")
        lines += ["", "### Status", ""]
        lines += Self.table(
            ["Status", "After the start"],
            trip.statuses.map { [$0.status.name, localizer.span(.seconds($0.time.rounded()))] }
        )
        lines += ["", "### Promises and reality", ""] + promises(trip, since: start)
        lines += ["", "### Errors", ""]
        let failures = track.failures.values.sorted { $0.first < $1.first }
        lines +=
            failures.isEmpty
            ? ["None."]
            : Self.table(
                ["First", "Last", "Polls", "Code", "Message", "Cause", "What to do"],
                failures.prefix(Self.mostRows).map { row(of: $0, journey: trip.id) }
            )
        lines += ["", "### Findings", ""]
        lines +=
            track.findings.isEmpty
            ? ["None."]
            : Self.table(
                ["Time", "Severity", "Rule", "Evidence", "What to check"],
                track.findings.prefix(Self.mostRows).map { finding in
                    let message = UserMessage(finding, localizer: localizer)
                    return [
                        Timestamp.text(finding.time), finding.severity.rawValue, finding.rule.id, message.what,
                        message.advice ?? "",
                    ]
                }
            )
        return lines
    }

    private func row(of failure: Failure, journey: JourneyID) -> [String] {
        let message = failure.message
        let root = failure.failure.origin
        let cause =
            failure.failure.history.refusal == nil
            ? "" : UserMessage(root, nil, journey: journey, host: host, localizer: localizer).what
        return [
            Timestamp.text(failure.first), Timestamp.text(failure.last), "\(failure.count)", failure.failure.nameInJSON,
            message.what, cause, message.last.remedy ?? "",
        ]
    }

    /// Compares the predictions of a time before the arrival with the arrival.
    private func promises(_ trip: SessionSummary.TripSummary, since start: Date?) -> [String] {
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

    private func span(_ seconds: Double?) -> String { seconds.map { localizer.span(.seconds($0.rounded())) } ?? "–" }

    private func signed(_ seconds: Double) -> String {
        let text = localizer.span(.seconds(abs(seconds).rounded()))
        return abs(seconds) < 0.5 ? text : (seconds < 0 ? "−" : "+") + text
    }

    // MARK: Tokens, notes and configuration

    private var tokenSection: [String] {
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
            for finding in token.inspection.findings where finding.verdict != .kept {
                let row = [finding.verdict.rawValue, finding.rule.rawValue, finding.evidence, finding.advice ?? ""]
                if !rows.contains(row), rows.count < Self.mostRows { rows.append(row) }
            }
        }
        guard !rows.isEmpty else { return lines + ["", "No token breaks a rule."] }
        return lines + [""] + Self.table(["Verdict", "Rule", "Evidence", "What to change"], rows)
    }

    private static func time(_ seconds: Double?) -> String {
        // A time in milliseconds is a mistake that a rule names.
        guard let seconds, abs(seconds) < 1e11 else { return "–" }
        return Timestamp.text(Date(timeIntervalSince1970: seconds))
    }

    private var noteSection: [String] {
        notes.isEmpty
            ? []
            : ["", "## Notes", ""]
                + Self.table(["Time", "Note"], notes.prefix(Self.mostRows).map { [Timestamp.text($0.time), $0.text] })
    }

    private var configurationSection: [String] {
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

    // MARK: Markdown

    private static func table(_ head: [String], _ rows: [[String]]) -> [String] {
        let all = [head] + [head.map { _ in "---" }] + rows.map { $0.map(cell) }
        return all.map { "| " + $0.joined(separator: " | ") + " |" }
    }

    /// Returns untrusted text as a part of a line, without markup, tokens and control characters.
    private static func cell(_ text: String) -> String {
        text.withoutTokens.sanitized(limit: 600).reduce(into: "") { result, character in
            if "\\`*_[]<>|#~&!".contains(character) { result.append("\\") }
            result.append(character)
        }
    }
}
