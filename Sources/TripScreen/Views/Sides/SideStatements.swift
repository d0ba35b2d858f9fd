import TripFeed
import TripModel
import TripText

/// The sentences about the sides of a trip, with the calls in the log that have shown their values.
struct SideStatements {
    let sides: TripSides
    let zone: Zone
    let localizer: Localizer

    /// All sentences, in the order of the view.
    var all: [Statement] { reports + refusals + differences + [summary].compactMap(\.self) }

    private var reports: [Statement] {
        TripSide.allCases.compactMap { side in
            guard let report = sides.reports[side] else { return nil }
            let calls = [
                report.call, report.statusCall, report.vehicleCall, report.locationCall, report.routeCall,
            ]
            let line = localizer.line(of: report, side: side, in: sides.id.kind, zone: zone)
            return statement(line, calls.compactMap(\.self))
        }
    }

    private var refusals: [Statement] {
        TripSide.allCases.compactMap { side in
            guard let refused = sides.errors[side] else { return nil }
            let message = UserMessage(refused, side: side, journey: sides.id, localizer: localizer)
            return statement(message.what, [refused.call])
        }
    }

    private var differences: [Statement] {
        sides.differences.map { statement(localizer.sentence(of: $0) + localizer(.fullStop), $0.evidence) }
    }

    /// That there is no call of the rider, or no difference, by the last calls of all sides; `nil` if neither is so.
    private var summary: Statement? {
        SidesSummary(sides).map { summary in
            statement(localizer(summary.text), TripSide.allCases.compactMap { sides.reports[$0]?.call })
        }
    }

    /// Returns a sentence with its calls, each of them once.
    private func statement(_ text: String, _ calls: [SideCall]) -> Statement {
        var known: [SideCall] = []
        for call in calls where !known.contains(call) { known.append(call) }
        return Statement(.sides, localizer(.viewSides), text, [], known.map { .init($0) })
    }
}

/// What is said of the sides of a trip as a whole.
enum SidesSummary {
    /// The log has no call of the rider.
    case withoutRider
    /// The sides agree.
    case agreeing

    /// Creates the summary; `nil` if the rider's calls are known, and a call was refused or differs.
    ///
    /// The calls about a shipment have no sides that could agree.
    init?(_ sides: TripSides) {
        guard sides.id.kind == .trip else { return nil }
        if sides.reports[.rider] == nil, sides.errors[.rider] == nil {
            self = .withoutRider
        } else if sides.differences.isEmpty, sides.errors.isEmpty {
            self = .agreeing
        } else {
            return nil
        }
    }

    /// The sentence.
    var text: Text { self == .withoutRider ? .sideNoRider : .sideNoDifference }
}
