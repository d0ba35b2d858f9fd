import Canvas
import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import TripFeed
import TripModel
import TripScreen
import TripText

/// What a bug report says about the shown trip: a Markdown text that needs no program to be read.
///
/// It is in English, as all files for other people and programs are.
struct BugReport {
    typealias Markdown = MarkdownText

    /// When the report was made; the time of the screen stops when the trip ends.
    let made: Date
    /// The screen.
    let state: State
    /// The shown trip.
    let trip: FollowedTrip
    /// The configuration of the session, without secrets; `nil` for a log that is played.
    let header: RecordingHeader?
    /// The notes, marks and switched faults.
    let remarks: [SessionRemark]
    /// The expectations.
    let expectations: [ExpectationResult]
    /// Whether the session plays a recording or a log.
    let isReplay: Bool
    /// The files next to the report, each with a description.
    let files: [(name: String, description: String)]

    var localizer: Localizer { .english }
    private var zone: Zone { state.settings.zone }

    /// The Markdown text.
    var markdown: String {
        let sections: [(String, [String])] = [
            ("What was seen", seen), ("Statuses", statuses), ("Token", token), ("Errors", errors),
            ("Findings", findings), ("Receipt so far", receipt), ("Notes, marks and faults", notes),
            ("Expectations", judged), ("Latest events", events), ("Other trips", others), ("Configuration", settings),
            ("Requests", requests),
            ("Files", files.map { "- \(Markdown.code($0.name)): \($0.description)" }),
        ]
        var lines = ["# Bug report: trip \(Markdown.text(trip.id.rawValue))", ""] + origin
        for (title, content) in sections where !content.isEmpty { lines += ["", "## \(title)", ""] + content }
        // Each part is redacted; this also finds a token that is split over several parts.
        return KnownSecrets.ofProcess.redacted(lines.joined(separator: "\n") + "\n")
    }

    private var origin: [String] {
        let system = ProcessInfo.processInfo.operatingSystemVersionString
        var rows = [
            ["made", time(made)], ["program", Markdown.text(Tripshare.programAndVersion)],
            ["system", Markdown.text(system)], ["service", Markdown.text(state.settings.host)],
        ]
        if isReplay {
            let recorded = header.map { "a recording of tripshare \($0.program)" } ?? "a log"
            rows.append(["played", Markdown.text(recorded)])
        }
        return Markdown.table(["", ""], rows)
    }

    // MARK: The trip

    private var seen: [String] {
        let (trip, now) = (trip.state, state.now)
        let values: [(label: String, value: String?)] = [
            ("status", Markdown.text(StatusWords(trip).text)),
            ("API name", trip.journey.map { Markdown.code($0.status.name) }),
            ("vehicle", trip.journey?.vehicleID.map { Markdown.code($0.rawValue) }),
            ("age of the last answer", trip.answerAge(at: now).map(localizer.age)),
            ("age of the position, by the service", trip.receivedAge(at: now).map(localizer.age)),
            ("age of the position, by the device", trip.measuredAge(at: now).map(localizer.age)),
            ("clock of the service", localizer.difference(trip.clockOffset)),
            ("next arrival", trip.nextOwnArrival?.arrival.map { time($0.time) }),
            ("remaining distance", (trip.journey?.remainingDistance).map(localizer.distance)),
        ]
        // A row without a value says nothing.
        var rows = values.compactMap { row in row.value.map { [row.label, $0] } }
        if let sentence = self.trip.endMessage(host: state.settings.host, localizer) {
            rows.append(["following ended", Markdown.text(sentence.what)])
        }
        if self.trip.isPaused { rows.append(["polls", "paused"]) }
        return Markdown.table(["", ""], rows)
    }

    private var statuses: [String] {
        Markdown.table(
            ["since", "status"],
            trip.state.statuses.map { [time($0.seen), Markdown.code($0.status.name)] }
        )
    }

    private var receipt: [String] {
        Markdown.table(
            ["", ""],
            localizer.rows(of: trip.receipt, in: zone).map { [Markdown.text($0.label), Markdown.text($0.value)] }
        )
    }

    // MARK: The token

    var token: [String] {
        guard let status = trip.token else { return ["No token was requested."] }
        var rows = [
            ["state", Markdown.code(status.state.rawValue)], ["source", Markdown.text(status.source)],
            ["fetches", "\(status.fetches)"],
        ]
        if let error = status.lastError {
            rows.append([
                "last error", Markdown.text(UserMessage(noToken: error.failure, status, journey: trip.id).what),
            ])
        }
        let fault = status.lastExchange?.fault
        if let line = status.lastExchange?.request.line { rows.append(["last fetch", Markdown.code(line)]) }
        if let fault {
            rows.append(["injected fault", Markdown.text(fault.name) + (fault.isSent ? "" : ": nothing was sent")])
        }
        if let answer = status.lastAnswer, fault?.isSent != false {
            rows.append(["its answer", "HTTP \(answer.status), \(answer.bytes) bytes: \(Markdown.code(answer.body))"])
        }
        if let fingerprint = status.fingerprint {
            rows.append(["first digits of the SHA-256", Markdown.code(fingerprint)])
        }
        rows += (trip.verdict?.claims).map(claims) ?? []
        var lines = Markdown.table(["", ""], rows)
        if let verdict = trip.verdict { lines += ["", "The rules that it breaks or may break:", ""] + rules(verdict) }
        if let rejected = status.lastRejected {
            let verdict = TokenVerdict(rejected)
            lines += ["", "The last rejected token (\(time(rejected.at))):", ""]
            lines += Markdown.table(["", ""], verdict.claims.map(claims) ?? []) + [""] + rules(verdict)
        }
        return lines
    }

    private func claims(_ claims: TokenClaims) -> [[String]] {
        let all: [(String, String?)] = [
            ("alg", claims.algorithm), ("kid", claims.keyID), ("iss", claims.issuer), ("sub", claims.subject),
            ("aud", claims.audiences.isEmpty ? nil : claims.audiences.joined(separator: ", ")),
            ("iat", claims.issuedAt.map(time)), ("exp", claims.expiresAt.map(time)), ("tripid", claims.tripID),
            ("vehicleid", claims.vehicleID),
        ]
        return all.compactMap { name, value in value.map { [Markdown.code(name), Markdown.text($0)] } }
    }

    private func rules(_ verdict: TokenVerdict) -> [String] {
        let odd = verdict.findings.filter { $0.verdict == .broken || $0.verdict == .doubtful }
        guard !odd.isEmpty else { return ["- none"] }
        return odd.map { finding in
            "- \(Markdown.text(finding.evidence))" + (finding.advice.map { " \(Markdown.text($0))" } ?? "")
        }
    }

    // MARK: Problems

    private var events: [String] {
        let entries = state.log.entries(of: trip.id).suffix(50)
        return entries.map { entry in
            "- \(time(entry.time)): \(Markdown.text(entry.text))" + (entry.advice.map { " \(Markdown.text($0))" } ?? "")
        }
    }

    private var others: [String] {
        let rows = state.trips.filter { $0.id != trip.id }.prefix(50).map { other in
            [
                Markdown.code(other.id.rawValue), Markdown.code(other.state.journey?.status.name ?? "not known"),
                "\(other.history.polls)", "\(other.history.errors)",
            ]
        }
        return Markdown.table(["trip", "status", "polls", "errors"], rows)
    }

    // MARK: The session

    var settings: [String] {
        guard let header else { return [] }
        let values = header.configuration
        let thresholds = values.thresholds.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return Markdown.table(
            ["", ""],
            [
                ["project", Markdown.code(values.provider)], ["service", Markdown.code(values.service.asShownURL)],
                ["interval", "\(values.interval) s"], ["token source", Markdown.text(values.tokenSource)],
                ["changed thresholds", Markdown.text(thresholds.joined(separator: ", ")).ifEmpty("none")],
                [
                    "display",
                    "\(state.width)x\(state.height), language \(Markdown.code(header.display.language)), "
                        + "\(Markdown.text(header.display.units)), \(Markdown.text(header.display.output))",
                ],
                ["time zone", Markdown.text("\(header.zone.name), \(header.zone.offset) s from UTC")],
                ["seed", Markdown.code(header.seed)],
            ]
        )
    }

    private var requests: [String] {
        let commands = Self.curlCommands(trip)
        guard !commands.isEmpty else { return ["No request was sent."] }
        return ["Set `TOKEN` to a token for the trip, for example with `tripshare token fetch --reveal`.", ""]
            + Markdown.block(commands, "sh")
    }

    /// The last requests as shell commands with variables instead of secrets; only what was sent.
    static func curlCommands(_ trip: FollowedTrip) -> [String] { trip.commands.map { $0.sanitized(limit: 8000) } }

    func time(_ time: Date) -> String { Timestamp.text(time) }
}

extension String {
    fileprivate func ifEmpty(_ other: String) -> String { isEmpty ? other : self }
}
