import Canvas
package import TripFeed
import TripModel

/// The texts of expectations and their results.
extension Localizer {
    /// Describes a condition that does not hold.
    package func text(of condition: UnmetCondition) -> String {
        switch condition {
        case .unknownTrip: self(.unmetUnknown)
        case .status(let status, let expected):
            self(
                .unmetStatus,
                ["status": name(of: status), "expected": expected.map(\.name).joined(separator: self(.listComma))]
            )
        case .notReached(let status, let expected):
            self(.unmetReached, ["status": name(of: status), "expected": expected.name])
        case .overdue(let actual, let expected):
            self(.unmetOverdue, ["actual": seconds(actual), "expected": seconds(expected)])
        case .positionAge(let actual, let expected):
            self(.unmetPositionAge, ["actual": seconds(actual), "expected": seconds(expected)])
        case .delay(let actual, let expected):
            self(
                .unmetDelay,
                ["actual": seconds(actual), "from": seconds(expected.lowerBound), "to": seconds(expected.upperBound)]
            )
        case .finding(let name): self(.unmetFinding, ["name": name.sanitized(limit: 100)])
        case .othersAhead(let actual, let expected):
            self(.unmetOthers, ["number": String(actual), "expected": String(expected)])
        case .failing(let expected): self(expected ? .unmetFailing : .unmetNotFailing)
        }
    }

    /// Describes why an expectation has its outcome, with the tester's note.
    package func verdict(of result: ExpectationResult) -> String {
        let verdict =
            switch result.reason {
            case .notBegun(let status): self(.verdictNotBegun, ["status": status.name])
            case .waiting(let unmet): self(.verdictWaiting, ["unmet": list(unmet)])
            case .holding: self(.verdictHolding)
            case .unanswered: self(.verdictUnanswered)
            case .met:
                self(
                    .verdictMet,
                    [
                        "poll": String(result.polls ?? 0), "duration": seconds(result.seconds),
                        "status": name(of: result.status),
                    ]
                )
            case .late(let limit): self(.verdictLate, ["limit": seconds(limit)])
            case .notInTime(let unmet, let limit):
                self(.verdictNotInTime, ["limit": seconds(limit), "unmet": list(unmet)])
            case .noLongerMet(let unmet): self(.verdictNoLonger, ["unmet": list(unmet)])
            case .happened: self(.verdictHappened)
            case .didNotHappen: self(.verdictDidNotHappen, ["polls": count(result.polls ?? 0, .polls)])
            case .tripEnded(let unmet): self(.verdictTripEnded, ["unmet": list(unmet)])
            case .sessionEnded(let unmet): self(.verdictSessionEnded, ["unmet": list(unmet)])
            case .answered: self(.verdictAnswered)
            }
        return result.note.isEmpty
            ? verdict : self(.labelled, ["label": verdict, "value": result.note.sanitized(limit: 500)])
    }

    /// Returns the word for an outcome.
    package func word(for outcome: ExpectationResult.Outcome) -> String {
        switch outcome {
        case .pending: self(.outcomePending)
        case .passed: self(.outcomePassed)
        case .failed: self(.outcomeFailed)
        case .skipped: self(.outcomeSkipped)
        }
    }

    /// Describes a decided expectation in one sentence without a full stop.
    package func sentence(about result: ExpectationResult) -> String {
        let name = result.expectation.name.sanitized(limit: 200)
        return self(
            .expectationDecided,
            ["outcome": word(for: result.outcome), "name": name, "verdict": verdict(of: result)]
        )
    }

    private func list(_ unmet: [UnmetCondition]) -> String {
        unmet.map { text(of: $0) }.joined(separator: self(.clauseComma))
    }

    private func name(of status: TripStatus?) -> String {
        status.map { $0.name.sanitized(limit: 64) } ?? self(.notKnown)
    }

    private func seconds(_ value: Double?) -> String {
        value.map { self(.seconds, ["seconds": String(Self.whole($0.rounded()))]) } ?? self(.notKnown)
    }
}
