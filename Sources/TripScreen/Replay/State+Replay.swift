import Canvas
import FleetTokens
import Foundation
package import Recording
package import Runtime
import TripFeed
import TripModel
import TripText

/// Replays on the screen: the time line, its keys, and moving to another time.
extension State {
    // MARK: Time line

    /// The row of the time line; empty without one.
    var timeLineRect: Rect {
        guard timeLine != nil else { return Rect(x: 0, y: 0, width: 0, height: 0) }
        guard showsPresenter else { return layout.timeLine }
        return Rect(x: 0, y: height - 1, width: width, height: 1)
    }

    /// The area of the presenter view.
    var presenterRect: Rect { Rect(x: 0, y: 0, width: width, height: max(0, height - (timeLine == nil ? 0 : 1))) }

    /// Performs a mouse event on the time line; `nil` if it is elsewhere.
    mutating func seek(_ pointer: Pointer) -> [Effect]? {
        guard let timeLine, prompt == nil, overlay == nil, titlePage == nil else { return nil }
        let rect = timeLineRect
        let isInside = rect.contains(x: pointer.x, y: pointer.y)
        func seek() -> [Effect] {
            [.replay(.seek(.time(TimeLineView(timeLine, in: self).time(at: pointer.x, in: rect))))]
        }
        switch pointer.action {
        case .press:
            time.isDragging = isInside
            return isInside ? seek() : nil
        case .drag: return time.isDragging ? seek() : nil
        case .release:
            defer { time.isDragging = false }
            return time.isDragging ? [] : nil
        case .wheelUp, .wheelDown:
            guard isInside else { return nil }
            let step = max(1, (timeLine.length.seconds / 100).rounded())
            return [.replay(.seek(.offset(.seconds(pointer.action == .wheelUp ? -step : step))))]
        }
    }

    /// Shows to which mark the replay has moved.
    package mutating func show(_ mark: ReplayMark) {
        let localizer = settings.localizer
        let kind = localizer(mark.kind.title)
        let detail = mark.detail.sanitized(limit: 120)
        message =
            detail.isEmpty
            ? "\(localizer.watch(mark.at)) \(kind)"
            : localizer(.markReached(time: localizer.watch(mark.at), kind: kind, detail: detail))
    }

    // MARK: Time travel

    /// The line below the tabs while the session is shown as it was, or compared with that; `nil` otherwise.
    var travelBanner: Banner? {
        guard let timeLine, timeLine.isTravel else { return nil }
        let localizer = settings.localizer
        let (leave, compare) = (keyName(.timeTravel), keyName(.compareTimes))
        let age = timeLine.age ?? .zero
        let past = settings.zone.clock(
            time.latest.wall.addingTimeInterval(timeLine.scene == .present ? -age.seconds : 0)
        )
        let text =
            timeLine.scene == .past
            ? localizer(.travelPast(time: past, age: localizer.watch(age), leave: leave, compare: compare))
            : localizer(.travelPresent(compare: compare, time: past, leave: leave))
        return Banner(
            text: timeLine.differences.isEmpty ? text : "\(text) \(timeLine.differences)",
            role: timeLine.scene == .past ? .badgeWarning : .badge
        )
    }

    /// Returns what differs in status and arrival between a past moment and now, for the shown trip.
    package func differences(from past: Snapshot, to present: Snapshot) -> String {
        guard let trip, let one = past.trip(trip.id), let other = present.trip(trip.id) else { return "" }
        let localizer = settings.localizer
        let (before, after) = (
            StatusWords(one.state, localizer: localizer).text, StatusWords(other.state, localizer: localizer).text
        )
        var parts: [String] = []
        if before != after { parts.append(localizer(.travelStatus(past: before, present: after))) }
        // The same waypoint at both times; for one that was passed, the time of the arrival is what was predicted.
        let now = Arrivals(of: other.state).all
        let shift = Arrivals(of: one.state).all.lazy.compactMap { arrival -> Duration? in
            guard let expected = arrival.expected,
                let later = now.first(where: { $0.place == arrival.place }), let time = later.expected ?? later.arrived
            else { return nil }
            return .seconds(time.timeIntervalSince(expected))
        }.first
        if let shift, abs(shift.seconds) >= 1 {
            parts.append(localizer(.travelArrival(difference: localizer.difference(shift))))
        }
        return parts.isEmpty ? localizer(.travelSame) : parts.joined(separator: "  ")
    }

    /// The latest known time, also while the displayed time is frozen.
    package var latestMoment: Moment { time.latest }

    /// The key that shows a view; `nil` if there is none.
    package func key(showing view: ViewKind) -> Key? {
        let opening = view.panel.opening?.command
        let keys = settings.keys.first { $0.command == opening ?? .showView }?.keys ?? []
        return keys.first { opening != nil || $0.name == String(view.number) }
    }
}

extension State {
    /// Shows the events of one moment of a recording or a log.
    package mutating func play(_ step: ReplayCursor.Step) -> [Effect] {
        guard !step.items.isEmpty else { return [] }
        var effects = update(.tick(step.moment))
        for item in step.items {
            if let event = item.received { effects += update(Message(event)) }
            switch item {
            case .token(let event, let inspection?):
                guard case .stored = event.kind, let trip = event.context.journey else { break }
                let verdict = TokenVerdict(
                    claims: inspection.claims,
                    findings: inspection.findings
                )
                effects += update(.inspected(trip, verdict))
            case .remark(let remark): effects += update(.remark(remark))
            case .side(let step): effects += update(.logged(step))
            default: break
            }
        }
        return effects
    }
}
