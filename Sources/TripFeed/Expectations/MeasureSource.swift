import TripModel

extension MeasureCheck {
    /// What the compared value is measured in.
    var source: MeasureForm.Source { MeasureForm.all.first { $0.id == measure }?.source ?? .answer }
}

extension ExpectedConditions {
    /// What must be seen to know whether they hold.
    var sources: Set<MeasureForm.Source> {
        var sources = Set(checks.map(\.source))
        if isFailing != nil { sources.insert(.calls) }
        // A condition without anything is about the trip, too.
        if !statuses.isEmpty || reached != nil || !order.isEmpty || finding != nil || sources.isEmpty {
            sources.insert(.answer)
        }
        return sources
    }
}

extension UnmetCondition {
    /// What must be seen to know whether it holds.
    var source: MeasureForm.Source {
        switch self {
        case .unknownTrip, .noAnswer, .status, .notReached, .order, .finding: .answer
        case .failing, .noCalls: .calls
        case .check(let check, _): check.source
        }
    }
}
