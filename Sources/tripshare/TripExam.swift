import FleetTokens
import FleetWire
import Foundation
import TripFeed
import TripModel
import TripScreen

/// The part of a check-up that is about one trip.
struct TripExam {
    let doctor: Doctor
    let trip: TripID
    let tokens: TokenProvider
    let source: RememberingSource

    /// Looks at the trip up to the first cause; its exit code, or `nil` where there is none.
    func run(_ report: (Check) -> Void) async -> ExitStatus? {
        func tell(_ checks: [Check]) -> ExitStatus? {
            for check in checks {
                report(check)
                if check.verdict == .failed { return check.exit }
            }
            return nil
        }
        if let failed = tell(await tokenChecks()) { return failed }
        let client = FleetClient(
            endpoint: doctor.target.endpoint,
            tokens: tokens,
            transport: doctor.transport,
            clock: doctor.target.clock
        )
        let answer = await client.getTrip(GetTripRequest(provider: doctor.target.provider, trip: trip))
        return tell(answerChecks(answer))
    }

    private func check(
        _ step: Check.Step,
        _ verdict: Check.Verdict,
        _ evidence: String,
        advice: String? = nil,
        exit: ExitStatus = .expectationFailed
    ) -> Check {
        Check(step, verdict, evidence, advice: advice, trip: trip, exit: exit)
    }

    // MARK: The token

    private func tokenChecks() async -> [Check] {
        var refusal: TokenError?
        do throws(TokenError) {
            _ = try await tokens.token(for: .trip(trip))
        } catch {
            refusal = error
        }
        let status = tokens.status(of: .trip(trip))
        if let refusal {
            // What was handed out and may not be used is explained claim by claim.
            guard case .unusable = refusal else {
                let sentence = Sentence(refusal, trip: trip)
                return [
                    check(.token, .failed, sentence.what + ".", advice: sentence.lastAdvice, exit: refusal.exitStatus)
                ]
            }
        }
        let took = status.lastFetchDuration.map { " in \(Wording.english.latency($0))" } ?? ""
        let came = check(.token, .passed, "A token came from the \(status.source)\(took).")
        return [came] + claimChecks(refusal, offset: status.clockOffset)
    }

    /// Holds the token against the rules; the first broken one is the cause.
    private func claimChecks(_ refusal: TokenError?, offset: Duration?) -> [Check] {
        guard let issued = source.last else {
            return [check(.claims, .skipped, "The token is not at hand any more.")]
        }
        let now = doctor.target.clock.now().wall + (offset?.seconds ?? 0)
        let inspection = TokenInspection.inspect(
            issued.revealed,
            TokenInspection.Expectations(context: .trip(trip), providerID: doctor.target.provider.rawValue),
            now: now
        )
        let broken = inspection.findings.filter { $0.verdict == .broken }
        let issuer = broken.first { $0.rule == .issuer }
        if let finding = broken.first(where: { $0.rule != .issuer }) ?? (refusal == nil ? nil : issuer) {
            return [check(.claims, .failed, finding.evidence, advice: finding.advice, exit: .notPermitted)]
        }
        if let refusal {
            let sentence = Sentence(refusal, trip: trip)
            return [check(.claims, .failed, sentence.what + ".", advice: sentence.advice, exit: .notPermitted)]
        }
        let kept = inspection.findings.count { $0.verdict == .kept }
        let claims = check(.claims, .passed, "\(Wording.count(kept, "rule")) kept, none broken.")
        if let issuer {
            return [
                claims,
                check(.provider, .failed, issuer.evidence, advice: issuer.advice, exit: .notPermitted),
            ]
        }
        let name = ResourceName.trip(doctor.target.provider, trip).text
        return [claims, check(.provider, .passed, "The token's account fits; the trip is \(name).")]
    }

    // MARK: The answer

    private func answerChecks(_ report: PollReport) -> [Check] {
        switch report.outcome {
        case .failure(let failure):
            let sentence = Sentence(failure, trip: trip, host: doctor.target.endpoint.host)
            return [
                check(.trip, .failed, sentence.what + ".", advice: sentence.lastAdvice, exit: failure.exitStatus)
            ]
        case .success(let answer):
            var state = TripState(id: trip)
            state.merge(answer, serverDate: report.serverDate, sent: report.started, at: report.finished)
            let came = check(.trip, .passed, "It is \(answer.status.name).")
            if answer.status.isTerminal {
                return [
                    came, check(.vehicle, .skipped, "The trip is over."),
                    check(.position, .skipped, "The trip is over."),
                ]
            }
            guard let vehicle = answer.vehicleID else {
                return [
                    came,
                    check(
                        .vehicle,
                        .failed,
                        "No vehicle is assigned yet.",
                        advice: "Set vehicleId with UpdateTrip; until then there is neither a position nor an arrival."
                    ),
                ]
            }
            return [came, check(.vehicle, .passed, "Vehicle \(vehicle) serves it."), position(state, report.finished)]
        }
    }

    private func position(_ state: TripState, _ now: Moment) -> Check {
        let advice = "Look at the driver's device: is tracking on, and does it report with a driver's token?"
        guard let location = state.trip?.lastLocation, location.coordinate != nil else {
            return check(.position, .failed, "The vehicle has never told where it is.", advice: advice)
        }
        guard let age = state.receivedAge(at: now) ?? state.measuredAge(at: now) else {
            return check(.position, .warned, "There is a position, and nobody says how old it is.")
        }
        guard age <= doctor.staleAfter else {
            return check(.position, .failed, "The position is \(Wording.english.span(age)) old.", advice: advice)
        }
        if let measured = state.measuredAge(at: now), measured > doctor.staleAfter {
            return check(
                .position,
                .failed,
                "The position came \(Wording.english.span(age)) ago and was measured \(Wording.english.span(measured)) ago.",
                advice: "The driver's device delivers late: look at its network, or at who keeps its reports back."
            )
        }
        if let measured = state.measuredAge(at: now), measured < .seconds(-5) {
            return check(
                .position,
                .warned,
                "The device measured it \(Wording.english.span(measured)) in the future.",
                advice: "Set the clock of the driver's device."
            )
        }
        return check(.position, .passed, "The position is \(Wording.english.span(max(.zero, age))) old.")
    }
}
