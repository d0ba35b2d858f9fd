import Canvas
import Runtime
package import TripFeed
import TripModel

/// The texts of expectations and their results.
extension Localizer {
    /// Describes a condition that does not hold.
    package func text(of condition: UnmetCondition) -> String {
        switch condition {
        case .unknownTrip: self(.unmetUnknown)
        case .status(let status, let expected):
            self(.unmetStatus(status: name(of: status), expected: names(expected)))
        case .notReached(let status, let expected):
            self(.unmetReached(status: name(of: status), expected: expected.name))
        case .order(let seen, let expected):
            self(.unmetOrder(seen: names(seen), expected: names(expected)))
        case .check(let check, let actual):
            self(
                .unmetCheck(
                    measure: name(of: check),
                    actual: value(actual, of: check),
                    limit: check.limit.sanitized(limit: 100)
                )
            )
        case .finding(let name): self(.unmetFinding(name: name.sanitized(limit: 100)))
        case .noCalls: self(.verdictNoCalls)
        case .noAnswer: self(.verdictNeverAnswered)
        case .failing(let expected): self(expected ? .unmetFailing : .unmetNotFailing)
        }
    }

    /// Describes why an expectation has its outcome, with the measured values and the tester's note.
    package func verdict(of result: ExpectationResult, in zone: Zone = .utc) -> String {
        let verdict =
            switch result.reason {
            case .notBegun(let occasion): self(.verdictNotBegun(status: words(of: occasion)))
            case .waiting(let unmet): self(.verdictWaiting(unmet: list(unmet)))
            case .holding: self(.verdictHolding)
            case .unanswered: self(.verdictUnanswered)
            case .met:
                self(
                    .verdictMet(
                        poll: String(result.polls ?? 0),
                        duration: seconds(result.seconds),
                        status: name(of: result.status)
                    )
                )
            case .late(let limit): self(.verdictLate(limit: seconds(limit)))
            case .notInTime(let unmet, let limit):
                self(.verdictNotInTime(limit: seconds(limit), unmet: list(unmet)))
            case .noLongerMet(let unmet): self(.verdictNoLonger(unmet: list(unmet)))
            case .notAlways(let unmet): self(.verdictNotAlways(unmet: list(unmet)))
            case .cameFirst(let occasion, let unmet):
                self(.verdictCameFirst(occasion: words(of: occasion), unmet: list(unmet)))
            case .happened: self(.verdictHappened)
            case .didNotHappen(let polls): self(.verdictDidNotHappen(polls: self(.polls(count: polls))))
            case .tripEnded(let unmet): self(.verdictTripEnded(unmet: list(unmet)))
            case .sessionEnded(let unmet): self(.verdictSessionEnded(unmet: list(unmet)))
            case .answered: self(.verdictAnswered)
            case .notMeasurable(let names):
                self(.verdictNotMeasurable(measures: list(names)))
            case .notOfShipments(let names): self(.verdictNotOfShipments(measures: list(names)))
            case .notCounted(let names): self(.verdictNotCounted(measures: list(names)))
            case .noCalls: self(.verdictNoCalls)
            case .neverAnswered: self(.verdictNeverAnswered)
            case .tooMany(let limit): self(.verdictTooMany(limit: String(limit)))
            }
        var parts: [String] = []
        for proof in result.evidence {
            // A value that the reason names is not repeated.
            let part = result.reason.names(proof.check) ? place(of: proof, in: zone) : text(of: proof, in: zone)
            if !parts.contains(part) { parts.append(part) }
        }
        let evidence = parts.joined(separator: self(.clauseComma))
        let proof = evidence.isEmpty ? verdict : self(.labelled(label: verdict, value: evidence))
        return result.note.isEmpty
            ? proof : self(.labelled(label: proof, value: result.note.sanitized(limit: 500)))
    }

    /// Returns the word for an outcome.
    package func word(for outcome: ExpectationResult.Outcome) -> String {
        switch outcome {
        case .pending: self(.outcomePending)
        case .passed: self(.outcomePassed)
        case .failed: self(.outcomeFailed)
        case .skipped: self(.outcomeSkipped)
        case .undecided: self(.outcomeUndecided)
        }
    }

    /// Describes a decided expectation in one sentence without a full stop.
    package func sentence(about result: ExpectationResult, in zone: Zone = .utc) -> String {
        let (outcome, name) = (word(for: result.outcome), name(of: result))
        return self(.expectationDecided(outcome: outcome, name: name, verdict: verdict(of: result, in: zone)))
    }

    /// Returns the sanitized name of an expectation, with the trip if there is a result for each trip.
    package func name(of result: ExpectationResult) -> String {
        let name = result.expectation.name.sanitized(limit: 200)
        guard result.expectation.isForAllTrips, let trip = result.journey else { return name }
        return "\(name) (\(trip.rawValue.sanitized(limit: 64)))"
    }

    private func list(_ names: [String]) -> String {
        names.map { $0.sanitized(limit: 100) }.joined(separator: self(.listComma))
    }

    private func list(_ unmet: [UnmetCondition]) -> String {
        unmet.map { text(of: $0) }.joined(separator: self(.clauseComma))
    }

    private func text(of evidence: ExpectationResult.Evidence, in zone: Zone) -> String {
        self(
            .evidenceValue(
                measure: name(of: evidence.check),
                value: value(evidence.value, of: evidence.check),
                poll: String(evidence.poll),
                time: zone.clock(evidence.time)
            )
        )
    }

    private func place(of evidence: ExpectationResult.Evidence, in zone: Zone) -> String {
        self(.evidencePlace(poll: String(evidence.poll), time: zone.clock(evidence.time)))
    }

    private func value(_ value: MeasuredValue?, of check: MeasureCheck) -> String {
        guard let value, value != .missing else { return self(.notKnown) }
        return value.text(for: check).sanitized(limit: 100)
    }

    private func name(of check: MeasureCheck) -> String { check.name.sanitized(limit: 100) }

    private func words(of occasion: Occasion) -> String { occasion.words.sanitized(limit: 200) }

    private func names(_ statuses: [JourneyStatus]) -> String {
        statuses.isEmpty
            ? self(.notKnown) : statuses.map { $0.name.sanitized(limit: 64) }.joined(separator: self(.listComma))
    }

    private func name(of status: JourneyStatus?) -> String {
        status.map { $0.name.sanitized(limit: 64) } ?? self(.notKnown)
    }

    private func seconds(_ value: Double?) -> String {
        value.map { self(.seconds(seconds: String(Self.whole($0.rounded())))) } ?? self(.notKnown)
    }
}

extension ExpectationFile {
    /// A commented file with one expectation of each kind.
    package static var example: String { EmbeddedText.text(of: "Expectations/example.yaml") }
}
