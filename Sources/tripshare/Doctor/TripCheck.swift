import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import TokenSigning
import TripFeed
import TripModel
import TripText

/// The diagnostic steps for one trip.
struct TripCheck {
    let doctor: Doctor
    let journey: JourneyID
    let tokens: TokenProvider
    let source: RememberingSource

    var localizer: Localizer { doctor.localizer }

    /// Runs the steps up to the first failure; returns its exit code, or `nil` if there was none.
    func run(_ report: (Check) -> Void) async -> ExitStatus? {
        func reportAll(_ checks: [Check]) -> ExitStatus? {
            for check in checks {
                report(check)
                if check.verdict == .failed { return check.exit }
            }
            return nil
        }
        let inspection: TokenInspection?
        switch await fetchToken() {
        case .failed(let checks): return reportAll(checks)
        case .came(let checks, let found):
            inspection = found
            _ = reportAll(checks)
        }
        let client = FleetClient(
            endpoint: doctor.target.endpoint,
            tokens: tokens,
            transport: doctor.calls,
            clock: doctor.target.clock,
            certificates: doctor.certificates
        )
        var renewed: [Check] = []
        let answer = await client.getRenewing(JourneyRequest(provider: doctor.target.provider, journey: journey)) {
            renewed.append(check(.token, .warned, localizer(Text(renewed: $0))))
        }
        return reportAll(renewed + clockChecks(answer) + claimChecks(inspection, answer) + answerChecks(answer))
    }

    func check(
        _ step: Check.Step,
        _ verdict: Check.Verdict,
        _ evidence: String,
        advice: String? = nil,
        exit: ExitStatus = .expectationFailed
    ) -> Check {
        Check(step, verdict, evidence, advice: advice, journey: journey, exit: exit)
    }

    func check(_ step: Check.Step, _ verdict: Check.Verdict, _ sentence: UserMessage) -> Check {
        Check(step, verdict, sentence, journey: journey, localizer: localizer)
    }

    // MARK: The token

    /// The result of fetching a token.
    enum Fetched {
        /// The token is usable; the inspection is `nil` if the token is no longer available.
        case came([Check], TokenInspection?)
        /// There is no token, or it is not usable.
        case failed([Check])
    }

    private func fetchToken() async -> Fetched {
        var refusal: Failure?
        do throws(TokenError) {
            _ = try await tokens.token(for: .journey(journey))
        } catch {
            refusal = error.failure
        }
        let status = tokens.status(of: .journey(journey))
        let details =
            [localizer(doctor.target.access.origin.name)]
            + (status.lastFetchDuration.map { [localizer.latency($0)] } ?? [])
        let came = check(
            .token,
            .passed,
            localizer(.doctorTokenReceived(details: details.joined(separator: localizer(.listComma))))
        )
        if let refusal {
            let sentence = UserMessage(noToken: refusal, status, journey: journey, localizer: localizer)
            let isUnusable = refusal.code == .tokenUnusable
            let step: Check.Step = isUnusable ? .claims : .token
            let exit = refusal.exitStatus
            let failure = Check(step, .failed, sentence, journey: journey, exit: exit, localizer: localizer)
            return .failed(isUnusable ? [came, failure] : [failure])
        }
        // Clock and lifetime warnings have their own steps.
        let odd = status.warnings.filter { $0.party != nil && $0.party != .endpointClock && $0.code != .shortLived }
        let checks = [came] + odd.map { check(.token, .warned, UserMessage($0, localizer: localizer)) }
        guard let issued = source.last else { return .came(checks, nil) }
        let inspection = TokenInspection.inspect(
            issued.revealed,
            TokenInspection.Expectations(context: .journey(journey), providerID: doctor.target.provider.rawValue),
            now: doctor.target.clock.now().wall + (status.clockOffset?.seconds ?? 0)
        )
        return .came(checks, await inspection.checkingSignature(doctor.certificates))
    }

    /// Checks the token's claims against the rules.
    ///
    /// A broken rule is only a warning if the service accepted the token. It is the cause if the service refused it.
    private func claimChecks(_ inspection: TokenInspection?, _ answer: PollReport) -> [Check] {
        guard let inspection else {
            return [check(.claims, .skipped, localizer(.doctorTokenGone))]
        }
        var checks: [Check] = []
        if let rule = answer.failure?.brokenRule {
            let host = doctor.target.endpoint.displayName
            let sentence = UserMessage(
                answer.failure ?? .anotherTrip(journey),
                nil,
                journey: journey,
                host: host,
                localizer: localizer
            )
            let step: Check.Step = rule.rule == .issuer ? .provider : .claims
            return [check(step, .failed, sentence)]
        }
        let broken = inspection.findings.filter { $0.verdict == .broken }
        let foreign = inspection.findings.first { $0.rule == .issuer && $0.verdict == .doubtful }
        let doubtful = inspection.findings.filter { $0.verdict == .doubtful && $0.rule != .issuer }
        for finding in broken + doubtful {
            checks.append(check(.claims, .warned, UserMessage(finding, localizer: localizer)))
        }
        if broken.isEmpty, doubtful.isEmpty {
            let satisfied = inspection.findings.count { $0.verdict == .satisfied }
            let signature = inspection.findings.first { $0.rule == .signature }
            let words =
                [localizer(.doctorRulesSatisfied(count: satisfied))]
                + (signature.map { [$0.evidence(localizer)] } ?? [])
            checks.append(check(.claims, .passed, words.joined(separator: " ")))
        }
        if let foreign {
            checks.append(check(.provider, .warned, UserMessage(foreign, localizer: localizer)))
        } else if case .success = answer.outcome {
            let name = ResourceName(doctor.target.provider, journey).text
            checks.append(check(.provider, .passed, localizer(.doctorAccount(trip: name))))
        }
        return checks
    }

    /// Checks the token endpoint's clock; the other clocks were checked before.
    private func clockChecks(_ answer: PollReport) -> [Check] {
        guard let endpoint = tokens.status(of: .journey(journey)).sourceClockOffset, let date = answer.serverDate else {
            return []
        }
        let service = min(max(date, answer.started.wall), answer.finished.wall).distance(to: date)
        let verdict = ClockVerdict(endpoint: endpoint, service: Duration(clampedSeconds: service))
        guard case .endpoint = verdict, let sentence = UserMessage(verdict, localizer: localizer) else { return [] }
        return [check(.clock, .warned, sentence)]
    }

    // MARK: The answer

    /// The findings that other steps report.
    static let reportedElsewhere: Set<FindingRule.ID> = [
        "statusMissing", "vehicleMissing", "positionStale", "positionLate", "deviceClockAhead", "clocksDiffer",
        "answerCached",
    ]
}
