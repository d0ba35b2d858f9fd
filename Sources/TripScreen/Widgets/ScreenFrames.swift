package import Canvas
import Foundation
import Runtime
import TripFeed
import TripModel

/// Draws the frames of a session.
///
/// Most frames differ from the previous frame by time alone. In the view of one trip, such a frame repeats what time does not change:
///
/// ```
/// the vehicle moved        the map
/// a second, a new poll     header, status, arrival, timeline, token, polling, calls; the map if it changes
/// anything else            all
/// ```
package struct ScreenFrames: Sendable {
    /// The last frame, and what it depends on.
    private struct Last: Sendable {
        var canvas: Canvas
        var changes: Int
        var textChanges: Int
        var map: MapControl
        var layout: ScreenLayout
        var vehicle: TripView.ShownVehicle
        /// The displayed second, counted from 1970.
        var second: Int
        /// The time of the texts.
        var texts: Moment

        /// The displayed minute: with the next one, the day may be another.
        var minute: Int { second / 60 }
    }

    private var last: Last?
    /// Whether all parts of the last frame have the time of the state; texts may be older by less than a displayed second.
    package private(set) var isComplete = true

    /// Starts with a complete frame.
    package init() {}

    /// Returns the frame of a state that shows the present.
    package mutating func next(_ state: State) -> Canvas {
        isComplete = true
        guard state.repeatsFrames, let trip = state.trip else {
            last = nil
            return view(state)
        }
        let view = TripView(state: state, trip: trip)
        if let canvas = repeated(view) { return canvas }
        let (canvas, layout) = (TripScreen.view(state), state.layout)
        last = Last(
            canvas: canvas,
            changes: state.display.changes,
            textChanges: state.display.textChanges,
            map: state.mapControl,
            layout: TripPanels(view, in: layout).layout,
            vehicle: view.shownVehicle(in: layout.map),
            second: Self.second(of: state),
            texts: state.now
        )
        return canvas
    }

    /// Returns a frame that differs from the last one by time alone; `nil` if it must be drawn completely.
    private mutating func repeated(_ view: TripView) -> Canvas? {
        guard var last, last.changes == view.state.display.changes, last.map == view.state.mapControl else {
            return nil
        }
        self.last = nil
        let second = Self.second(of: view.state)
        let textChanges = view.state.display.textChanges
        if second != last.second || textChanges != last.textChanges {
            let before = last.minute
            (last.second, last.textChanges) = (second, textChanges)
            guard last.minute == before else { return nil }
            let panels = TripPanels(view, in: view.state.layout)
            guard panels.layout == last.layout else { return nil }
            view.drawHeader(on: &last.canvas, in: last.layout.header)
            for place in [last.layout.status] + panels.places { last.canvas.fill(place) }
            view.drawStatus(on: &last.canvas, in: last.layout.status)
            panels.draw(view, on: &last.canvas)
            last.texts = view.now
        }
        let vehicle = view.shownVehicle(in: last.layout.map)
        if vehicle != last.vehicle {
            last.vehicle = vehicle
            last.canvas.fill(last.layout.map)
            view.drawMap(on: &last.canvas, in: last.layout.map)
        }
        isComplete = last.texts == view.now
        self.last = last
        return last.canvas
    }

    private static func second(of state: State) -> Int {
        Int(clamped: state.now.wall.timeIntervalSince1970.rounded(.down))
    }
}

extension State {
    /// What a message may change in the view of one trip with its panels.
    enum MessageScope {
        /// At most the time.
        case time
        /// The texts that depend on time, too.
        case texts
        /// Anything.
        case all
    }

    /// Returns what a message may change; what it adds to the log is counted by the log.
    func scope(of message: Message) -> MessageScope {
        switch message {
        case .tick: return .time
        case .speed(let speed): return speed == settings.speed ? .time : .all
        // Only a large screen shows calls of the driver and pages of searches in the view of one trip.
        case .search: return layout.calls.isEmpty ? .time : .texts
        case .feed(.driver(let trip, _)):
            return followed.places[trip] == nil ? .all : layout.calls.isEmpty ? .time : .texts
        case .feed(.polling(let trip, let schedule)):
            guard let index = followed.places[trip], let known = trips[index].schedule else { return .all }
            return known.isPaused == schedule.isPaused ? .texts : .all
        case .caption: return settings.isPresenter || view == .trip ? .all : .time
        default: return .all
        }
    }

    /// Whether the places of all parts of the screen are known: the view of one trip with its panels, and nothing over it.
    fileprivate var repeatsFrames: Bool {
        guard view == .trip, focus == .view, timeLine == nil, banner == nil else { return false }
        guard !settings.isPresenter, !showsLargeArrival, !display.showsTalk, !mapControl.isLarge else {
            return false
        }
        return !layout.polling.isEmpty
    }
}
