import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import TokenSigning
import TripFeed
import TripModel
import TripText

extension TripCheck {
    func answerChecks(_ report: PollReport) -> [Check] {
        switch report.outcome {
        case .failure(let failure):
            let sentence = UserMessage(
                failure,
                tokens.status(of: .journey(journey)).explaining(failure),
                journey: journey,
                host: doctor.target.endpoint.displayName,
                localizer: localizer
            )
            return [
                Check(.trip, .failed, sentence, journey: journey, exit: failure.exitStatus, localizer: localizer)
            ]
        case .success(let answer):
            var state = TripState(id: journey)
            state.merge(answer, of: report)
            if let missing = UserMessage(missing: answer.status, localizer: localizer) {
                return [
                    Check(.trip, .failed, missing, journey: journey, exit: .expectationFailed, localizer: localizer)
                ]
            }
            let came = check(.trip, .passed, localizer(.doctorStatus(status: answer.status.name)))
            if answer.status.isTerminal {
                return [came] + [.vehicle, .position].map { check($0, .skipped, localizer(.doctorTripEnded)) }
                    + findings(state, report)
            }
            guard answer.shipment == nil else {
                // The sender decides what is shown, so that a hidden vehicle is no mistake.
                let shown =
                    answer.lastLocation == nil
                    ? [check(.position, .skipped, localizer(.notShownWhy))] : [position(state, report.finished)]
                return [came] + shown + findings(state, report)
            }
            guard let vehicle = answer.vehicleID else {
                return [
                    came,
                    check(
                        .vehicle,
                        .failed,
                        localizer(.doctorNoVehicle),
                        advice: localizer(.doctorNoVehicleAdvice)
                    ),
                ]
            }
            return [
                came, check(.vehicle, .passed, localizer(.doctorVehicle(vehicle: "\(vehicle)"))),
                position(state, report.finished),
            ] + findings(state, report)
        }
    }

    /// Checks the answer with the rules of `watch` that need no earlier answer.
    func findings(_ state: TripState, _ report: PollReport) -> [Check] {
        var detector = FindingDetector(journey: journey, provider: doctor.target.provider)
        let found = detector.examine(report, state: state, interval: .seconds(5)).filter {
            $0.severity > .info && $0.rule.isLogged && !Self.reportedElsewhere.contains($0.rule.id)
        }
        guard !found.isEmpty else { return [check(.findings, .passed, localizer(.doctorNoFindings))] }
        return found.map { check(.findings, .warned, UserMessage($0, localizer: localizer)) }
    }

    private func position(_ state: TripState, _ now: Moment) -> Check {
        let advice = localizer(.doctorPositionAdvice)
        guard let location = state.journey?.lastLocation, location.coordinate != nil else {
            return check(.position, .failed, localizer(.doctorPositionNone), advice: advice)
        }
        guard let age = state.receivedAge(at: now) ?? state.measuredAge(at: now) else {
            return check(.position, .warned, localizer(.doctorPositionAgeUnknown))
        }
        if let cache = state.cache, max(age, state.measuredAge(at: now) ?? age) > doctor.staleAfter {
            return check(
                .position,
                .warned,
                localizer(.doctorCached(headers: Reporter.sanitized(cache.text, limit: 200))),
                advice: localizer(.cachedAdvice)
            )
        }
        guard age <= doctor.staleAfter else {
            return check(
                .position,
                .failed,
                localizer(.doctorPositionAge(age: localizer.span(age))),
                advice: advice
            )
        }
        if let measured = state.measuredAge(at: now), measured > doctor.staleAfter {
            return check(
                .position,
                .failed,
                localizer(
                    .doctorPositionLate(received: localizer.span(age), measured: localizer.span(measured))
                ),
                advice: localizer(.doctorPositionLateAdvice)
            )
        }
        if let measured = state.measuredAge(at: now),
            PositionAge(state: state, schedule: nil, at: now)?.reason == .clocksDiffer
        {
            return check(
                .position,
                .warned,
                localizer(.doctorPositionAhead(ahead: localizer.span(measured))),
                advice: localizer(.adviceDeviceClock)
            )
        }
        return check(.position, .passed, localizer(.doctorPositionAge(age: localizer.span(max(.zero, age)))))
    }
}
