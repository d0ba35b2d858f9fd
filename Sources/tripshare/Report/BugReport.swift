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
    private typealias Markdown = MarkdownText

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

    private var localizer: Localizer { .english }
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
        func age(_ duration: Duration?) -> String { duration.map(localizer.age) ?? "not known" }
        func arrival(_ arrival: Arrival?) -> String { arrival.map { time($0.time) } ?? "not known" }
        var rows = [
            ["status", Markdown.text(StatusWords(trip).text)],
            ["API name", trip.journey.map { Markdown.code($0.status.name) } ?? "none"],
            ["vehicle", Markdown.code(trip.journey?.vehicleID?.rawValue ?? "").ifEmpty("not known")],
            ["age of the last answer", age(trip.answerAge(at: now))],
            ["age of the position, by the service", age(trip.receivedAge(at: now))],
            ["age of the position, by the device", age(trip.measuredAge(at: now))],
            ["clock of the service", localizer.difference(trip.clockOffset)],
            ["next arrival", arrival(trip.nextOwnArrival?.arrival)],
            ["remaining distance", (trip.journey?.remainingDistance).map(localizer.distance) ?? "not known"],
        ]
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

    private var token: [String] {
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

    private var errors: [String] {
        let faults = trip.history.faults.sorted { $0.value.last > $1.value.last }.prefix(10)
        guard !faults.isEmpty else { return ["No poll of \(trip.history.polls) failed."] + tokenErrors }
        var counts = "\(trip.history.errors) of \(trip.history.polls) polls failed."
        if trip.history.heldBack > 0 {
            counts += " Injected faults kept \(trip.history.heldBack) more from being sent."
        }
        var lines = ["\(counts) Latest first, each from its cause on:"]
        for (code, fault) in faults {
            lines += ["", "\(Markdown.code(code)), \(fault.count) times, last at \(time(fault.last)):", ""]
            for (number, failure) in Self.chain(fault.poll.failure).enumerated() {
                let token = fault.poll.token?.explaining(failure)
                let sentence = UserMessage(failure, token, journey: trip.id, host: state.settings.host)
                lines.append("\(number + 1). \(Markdown.text(sentence.what)).")
                switch failure.isHeldBack ? nil : failure == fault.poll.failure ? fault.status : failure.status {
                case .http(let status)?: lines.append("   HTTP status \(status).")
                case .grpc(let number)?: lines.append("   gRPC status \(AnswerStatus.grpc(number).name).")
                case nil: break
                }
                if let detail = failure.detail, !failure.isHeldBack {
                    lines.append("   The answer says: \(Markdown.text(detail))")
                }
                if let remedy = sentence.remedy { lines.append("   \(Markdown.text(remedy))") }
            }
        }
        return lines + tokenErrors
    }

    private var tokenErrors: [String] {
        let failed = trip.tokenHistory.entries.filter { $0.failure != nil }
        let rows = failed.suffix(20).reversed().enumerated().compactMap { number, entry -> [String]? in
            guard let failure = entry.failure else { return nil }
            let status = number == 0 ? trip.token?.explaining(failure) : nil
            var sentence =
                status.map { UserMessage(noToken: failure, $0, journey: trip.id) }
                ?? UserMessage(noToken: failure, journey: trip.id)
            if let fault = entry.injected { sentence.explain(by: fault) }
            // The poll whose token was refused has the service's reason. The status alone shows no party.
            let isExplained = sentence.fault != nil || status?.rule(explaining: failure) != nil
            let remedy = failure.rejection == nil || isExplained ? sentence.remedy : nil
            return [time(entry.time), Markdown.text(sentence.what), Markdown.text(remedy ?? "")]
        }
        let table = Markdown.table(["time", "what", "what to do"], rows)
        return table.isEmpty ? [] : ["", "Failed token fetches, latest first:", ""] + table
    }

    /// The failure after its causes.
    private static func chain(_ failure: Failure) -> [Failure] {
        (failure.history.refusal.map(chain) ?? []) + [failure]
    }

    private var findings: [String] {
        guard !trip.findings.isEmpty else { return ["None."] }
        let rows = trip.findings.suffix(50).reversed().map { finding in
            [
                time(finding.time), finding.severity.rawValue, Markdown.code(finding.rule.id),
                Markdown.text(UserMessage(finding).what),
            ]
        }
        return Markdown.table(["time", "severity", "rule", "what"], rows)
    }

    private var notes: [String] {
        remarks.suffix(100).map { "- \(Markdown.text(RemarkLine($0).sentence))" }
    }

    private var judged: [String] {
        expectations.map { result in
            "- \(result.outcome.rawValue): \(Markdown.text(result.expectation.name)) (\(Markdown.text(localizer.verdict(of: result))))"
        }
    }

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

    private var settings: [String] {
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

    private func time(_ time: Date) -> String { Timestamp.text(time) }
}

extension String {
    fileprivate func ifEmpty(_ other: String) -> String { isEmpty ? other : self }
}
