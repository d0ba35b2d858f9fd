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
            self(.unmetStatus, name(of: status), expected.map(\.name).joined(separator: self(.listComma)))
        case .notReached(let status, let expected): self(.unmetReached, name(of: status), expected.name)
        case .overdue(let actual, let expected): self(.unmetOverdue, seconds(actual), seconds(expected))
        case .positionAge(let actual, let expected): self(.unmetPositionAge, seconds(actual), seconds(expected))
        case .delay(let actual, let expected):
            self(.unmetDelay, seconds(actual), seconds(expected.lowerBound), seconds(expected.upperBound))
        case .finding(let name): self(.unmetFinding, name.sanitized(limit: 100))
        case .othersAhead(let actual, let expected): self(.unmetOthers, String(actual), String(expected))
        case .failing(let expected): self(expected ? .unmetFailing : .unmetNotFailing)
        }
    }

    /// Describes why an expectation has its outcome, with the tester's note.
    package func verdict(of result: ExpectationResult) -> String {
        let verdict =
            switch result.reason {
            case .notBegun(let status): self(.verdictNotBegun, status.name)
            case .waiting(let unmet): self(.verdictWaiting, list(unmet))
            case .holding: self(.verdictHolding)
            case .unanswered: self(.verdictUnanswered)
            case .met: self(.verdictMet)
            case .late(let limit): self(.verdictLate, seconds(limit))
            case .notInTime(let unmet, let limit): self(.verdictNotInTime, seconds(limit), list(unmet))
            case .noLongerMet(let unmet): self(.verdictNoLonger, list(unmet))
            case .happened: self(.verdictHappened)
            case .didNotHappen: self(.verdictDidNotHappen)
            case .tripEnded(let unmet): self(.verdictTripEnded, list(unmet))
            case .sessionEnded(let unmet): self(.verdictSessionEnded, list(unmet))
            case .answered: self(.verdictAnswered)
            }
        return result.note.isEmpty ? verdict : self(.verdictNote, verdict, result.note.sanitized(limit: 500))
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
        return self(.expectationDecided, word(for: result.outcome), name, verdict(of: result))
    }

    private func list(_ unmet: [UnmetCondition]) -> String {
        unmet.map { text(of: $0) }.joined(separator: self(.clauseComma))
    }

    private func name(of status: TripStatus?) -> String {
        status.map { $0.name.sanitized(limit: 64) } ?? self(.notKnown)
    }

    private func seconds(_ value: Double?) -> String {
        value.map { self(.seconds, String(Self.whole($0.rounded()))) } ?? self(.notKnown)
    }
}
