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

extension BugReport {
    var errors: [String] {
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

    var findings: [String] {
        guard !trip.findings.isEmpty else { return ["None."] }
        let rows = trip.findings.suffix(50).reversed().map { finding in
            [
                time(finding.time), finding.severity.rawValue, Markdown.code(finding.rule.id),
                Markdown.text(UserMessage(finding).what),
            ]
        }
        return Markdown.table(["time", "severity", "rule", "what"], rows)
    }

    var notes: [String] {
        remarks.suffix(100).map { "- \(Markdown.text(RemarkLine($0).sentence))" }
    }

    var judged: [String] {
        expectations.map { result in
            "- \(result.outcome.rawValue): \(Markdown.text(result.expectation.name)) (\(Markdown.text(localizer.verdict(of: result))))"
        }
    }
}
