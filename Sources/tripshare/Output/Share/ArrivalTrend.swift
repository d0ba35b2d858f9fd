import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// How the expected arrival at the end changed, as a curve: later estimates are higher.
struct ArrivalTrend {
    private static let width = 720.0
    private static let height = 200.0
    /// The room for the labels at the left and the right.
    private static let margin = 84.0

    private let estimates: [Arrival]
    /// When the vehicle arrived; `nil` before, and if it is not known.
    private let arrival: Date?
    private let zone: Zone
    private let localizer: Localizer

    /// Creates the curve; `nil` with fewer than two estimates.
    init?(_ state: TripState, _ zone: Zone, _ localizer: Localizer) {
        estimates = Array(state.dropoffEstimates)
        guard estimates.count > 1 else { return nil }
        arrival = state.milestones.finalArrival?.known
        (self.zone, self.localizer) = (zone, localizer)
    }

    /// The picture with its caption.
    var markup: [Markup] {
        let expected = estimates.map(\.time) + [arrival].compactMap(\.self)
        let received = estimates.map(\.receivedAt) + [arrival].compactMap(\.self)
        guard let earliest = expected.min(), let latest = expected.max(), let begin = received.min(),
            let end = received.max(), let last = estimates.last
        else { return [] }
        // The range is that of the estimates. A few seconds are no change worth a mountain: they are in the middle.
        let change = latest.timeIntervalSince(earliest)
        let span = max(10, change)
        let length = max(1, end.timeIntervalSince(begin))
        func x(_ time: Date) -> Double {
            Self.margin + time.timeIntervalSince(begin) / length * (Self.width - Self.margin - 12)
        }
        func y(_ time: Date) -> Double {
            16 + ((span - change) / 2 + latest.timeIntervalSince(time)) / span * (Self.height - 56)
        }
        var steps = ""
        var level = estimates[0].time
        for (index, estimate) in estimates.enumerated() {
            let place = number(x(estimate.receivedAt))
            if index > 0 { steps += "L\(place) \(number(y(level)))" }
            level = estimate.time
            steps += "\(index == 0 ? "M" : "L")\(place) \(number(y(level)))"
        }
        steps += "L\(number(x(end))) \(number(y(last.time)))"
        let bottom = number(Self.height - 28)
        var shapes = [
            Markup.empty("path", ["class": "axis", "d": "M\(number(Self.margin)) \(bottom)H\(number(Self.width))"]),
            .empty("path", ["class": "seen", "d": steps]), label(zone.clock(latest), x: 4, y: y(latest) + 5),
            label(zone.clock(begin), x: Self.margin, y: Self.height - 8),
            label(zone.clock(end), x: Self.width - 4, y: Self.height - 8, anchor: "end"),
        ]
        if y(earliest) - y(latest) > 18 { shapes.append(label(zone.clock(earliest), x: 4, y: y(earliest) + 5)) }
        var caption: [Markup] = []
        if let arrival {
            let line = "M\(number(Self.margin)) \(number(y(arrival)))H\(number(Self.width))"
            shapes.append(.empty("path", ["class": "arrived", "d": line]))
            caption = [.element("figcaption", [:], [.text(localizer(.pageTrendArrival(time: zone.clock(arrival))))])]
        }
        let picture = Markup.block(
            "svg",
            [
                "viewBox": "0 0 \(number(Self.width)) \(number(Self.height))", "role": "img",
                "aria-label": localizer(.pageTrend),
            ],
            shapes
        )
        return [.block("figure", [picture] + caption)]
    }

    private func label(_ text: String, x: Double, y: Double, anchor: String = "start") -> Markup {
        .element("text", ["x": number(x), "y": number(y), "text-anchor": anchor], [.text(text)])
    }

    /// Returns a number with one digit after the point.
    private func number(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        return "\((min(max(value, -1e6), 1e6) * 10).rounded() / 10)"
    }
}
