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
    struct Failure {
        var failure: Failures.Failure
        /// What is said about it, with details from the token of that time.
        var message: UserMessage
        var first: Date
        var last: Date
        var count = 0
    }

    /// What is collected of a trip.
    struct Track {
        var failures: [String: Failure] = [:]
        var findings: [Finding] = []
        var vehicle: VehicleID?
        var token: TokenStatus?
    }

    /// The maximum number of rows of a table.
    static let mostRows = 200

    let session: RecordedSession
    let localizer = Localizer.english
    private(set) var tracks: [JourneyID: Track] = [:]
    var tokens: [(event: TokenEvent, inspection: RecordedToken.Inspection)] = []
    var notes: [(time: Date, text: String)] = []
    private(set) var times: ClosedRange<Date>?

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

    func row(of failure: Failure, journey: JourneyID) -> [String] {
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

    // MARK: Tokens, notes and configuration

    static func time(_ seconds: Double?) -> String {
        // A time in milliseconds is a mistake that a rule names.
        guard let seconds, abs(seconds) < 1e11 else { return "–" }
        return Timestamp.text(Date(timeIntervalSince1970: seconds))
    }

    // MARK: Markdown

    static func table(_ head: [String], _ rows: [[String]]) -> [String] {
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
