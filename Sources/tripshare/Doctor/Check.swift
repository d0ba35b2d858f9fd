import Canvas
import Failures
import Foundation
import Runtime
import TripModel
import TripText

/// The result of one diagnostic step.
struct Check: Sendable, Equatable {
    /// The steps in order of execution.
    enum Step: String, Sendable, Hashable, CaseIterable {
        case configuration, name, connection, tls, service, clock
        case credentials, access, server, signing
        case token, claims, provider, trip, vehicle, position, findings

        /// The name of the step in text output; JSON has the raw value.
        var label: Text {
            switch self {
            case .configuration: .checkConfiguration
            case .name: .checkName
            case .connection: .checkConnection
            case .tls: .checkTLS
            case .service: .checkService
            case .clock: .checkClock
            case .credentials: .checkCredentials
            case .access: .checkAccess
            case .server: .checkServer
            case .signing: .checkSigning
            case .token: .checkToken
            case .claims: .checkClaims
            case .provider: .checkProvider
            case .trip: .checkTrip
            case .vehicle: .checkVehicle
            case .position: .checkPosition
            case .findings: .checkFindings
            }
        }
    }

    /// The result of a step.
    enum Verdict: String, Sendable {
        /// No problem found.
        case passed
        /// Unusual, but everything still works.
        case warned
        /// The cause of the failure; later steps are not run.
        case failed
        /// Not applicable.
        case skipped
    }

    /// The step.
    var step: Step
    /// The result.
    var verdict: Verdict
    /// What was observed; may contain untrusted text.
    var evidence: String
    /// What to change.
    var advice: String?
    /// The first suspect; `nil` if there is none or it is unknown.
    var party: Party? { suspects.first?.party }
    /// The parties that may have to fix it, the likeliest first.
    var suspects: [Diagnosis.Suspect] = []
    /// The journey, for a step that checks one journey.
    var journey: JourneyID?
    /// The exit code if the step failed.
    var exit: ExitStatus

    /// Creates a result from a sentence in the language of `localizer`.
    init(
        _ step: Step,
        _ verdict: Verdict,
        _ sentence: UserMessage,
        journey: JourneyID? = nil,
        exit: ExitStatus = .notPermitted,
        localizer: Localizer
    ) {
        let evidence = sentence.what.prefix(1).uppercased() + sentence.what.dropFirst() + localizer(.fullStop)
        self.init(step, verdict, evidence, advice: sentence.lastAdvice, journey: journey, exit: exit)
        suspects = sentence.suspects
    }

    /// Creates a result from its parts.
    init(
        _ step: Step,
        _ verdict: Verdict,
        _ evidence: String,
        advice: String? = nil,
        journey: JourneyID? = nil,
        exit: ExitStatus = .expectationFailed
    ) {
        self.step = step
        self.verdict = verdict
        self.evidence = evidence
        self.advice = advice
        self.journey = journey
        self.exit = exit
    }

    /// The exit code that results from this step.
    var code: ExitStatus { verdict == .failed ? exit : .done }
}

/// Prints results line by line, as text or JSON.
struct CheckPrinter: Sendable {
    let form: ReportForm
    /// The language of text output.
    let localizer: Localizer
    /// The width of the widest step name in columns.
    private let width: Int

    /// Creates a printer; `localizer` must be the wording of `form`.
    init(form: ReportForm, localizer: Localizer) {
        (self.form, self.localizer) = (form, localizer)
        width = Check.Step.allCases.map { TextWidth.of(localizer($0.label)) }.max() ?? 0
    }

    /// Prints one result.
    func record(_ check: Check) {
        switch form {
        case .plain: for line in lines(check) { Printing.out(line, ifUnread: check.code) }
        case .json: Printing.json(Line(check), ifUnread: check.code)
        }
    }

    /// Prints the last line.
    func finish(hasPassed: Bool, hasWarned: Bool) {
        switch form {
        case .plain:
            Printing.out(localizer(!hasPassed ? .doctorStopped : hasWarned ? .doctorWarned : .doctorPassed))
        case .json: Printing.json(End(outcome: hasPassed ? "passed" : "failed"))
        }
    }

    private func lines(_ check: Check) -> [String] {
        let mark =
            switch check.verdict {
            case .passed: "✓"
            case .warned: "!"
            case .failed: "✗"
            case .skipped: "–"
            }
        let step = localizer(check.step.label).padded(to: width)
        let trip = check.journey.map { "\($0.rawValue.sanitized(limit: 64)): " } ?? ""
        let evidence = "\(mark) \(step)  \(trip)\(check.evidence.sanitized(limit: 400))"
        guard let advice = check.advice else { return [evidence] }
        return [evidence, "  \(String(repeating: " ", count: width))  → \(advice.sanitized(limit: 400))"]
    }

    private struct Line: Encodable {
        var type = "check"
        var party: String?
        var suspects: [SuspectLine]?
        var step: String
        var verdict: String
        var evidence: String
        var advice: String?
        var trip: String?

        init(_ check: Check) {
            step = check.step.rawValue
            verdict = check.verdict.rawValue
            evidence = check.evidence
            advice = check.advice
            party = check.party?.rawValue
            suspects = SuspectLine.all(check.suspects)
            trip = check.journey?.name
        }
    }

    private struct End: Encodable {
        var type = "end"
        var outcome: String
    }
}
