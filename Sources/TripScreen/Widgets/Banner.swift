import Canvas
import Runtime
import TripFeed
import TripModel
import TripText

/// A line that every view shows while something needs attention.
struct Banner: Sendable, Equatable {
    var text: String
    var role: Role
}

extension State {
    /// The line below the tabs; `nil` if there is none.
    var banner: Banner? {
        if let travelBanner { return travelBanner }
        let banners = [deliveryBanner, faultBanner, expectationBanner].compactMap(\.self)
        guard let first = banners.first else { return nil }
        let role = faultBanner?.role ?? first.role
        return Banner(text: banners.map(\.text).joined(separator: "  "), role: role)
    }

    /// What is said about notices that are not delivered yet; `nil` if there is nothing to say.
    var deliveryBanner: Banner? { delivery.isEmpty ? nil : Banner(text: delivery, role: .badgeWarning) }

    /// The areas of the screen.
    var layout: ScreenLayout {
        let screen = Rect(x: 0, y: 0, width: width, height: height)
        return ScreenLayout(
            screen,
            mapIsLarge: mapControl.isLarge,
            hasBanner: banner != nil,
            hasTimeLine: timeLine != nil,
            hasTalk: display.showsTalk,
            isPresenter: settings.isPresenter,
            captionRows: max(captionLines.count, display.leastRows.caption),
            steps: shown { trip in
                // A shipment has two steps, and one more for an attempt that failed.
                guard trip.id.kind == .trip else { return 3 }
                return 5 + 2 * min(trip.state.journey?.intermediateDestinations.count ?? 0, 4)
            } ?? 5
        )
    }

    /// The areas of the screen, in which the panels of the view of one trip share their rows by need.
    var panelLayout: ScreenLayout {
        let layout = layout
        guard let trip else { return layout }
        return TripPanels(TripView(state: self, trip: trip), in: layout).layout
    }

    /// The rows that the texts of the caption and of the panels need.
    var panelRows: PanelRows {
        var rows = trip.map { TripPanels(TripView(state: self, trip: $0), in: layout).rows } ?? PanelRows()
        rows.caption = captionLines.count
        return rows
    }

    /// The lines of the caption below a view: in presenter style, and in the view of one trip while a scenario tells something.
    var captionLines: [String] {
        guard !showsPresenter, settings.isPresenter || (view == .trip && height >= 20) else { return [] }
        // The usual style has the status in a line of its own.
        let text = settings.isPresenter ? audienceCaption : ride.caption ?? ""
        guard !text.isEmpty else { return [] }
        return Printable.wrapped(text, to: max(1, width - 4), limit: Self.captionLimit(width: width, height: height))
    }

    /// The maximum number of lines of a caption on a screen.
    static func captionLimit(width: Int, height: Int) -> Int { width < 60 && height >= 24 ? 4 : 2 }
}

/// Draws the caption of the scenario in the usual style.
func drawCaption(of state: State, on canvas: inout Canvas, in rect: Rect) {
    guard !rect.isEmpty else { return }
    canvas.fill(rect, role: .banner)
    for (row, line) in state.captionLines.enumerated() {
        canvas.put(line, in: rect, row: row, align: .center, role: .banner)
    }
}

/// Draws the banner, if there is one.
func drawBanner(of state: State, on canvas: inout Canvas, in rect: Rect) {
    guard let banner = state.banner, !rect.isEmpty else { return }
    canvas.fill(rect, role: banner.role)
    canvas.put(banner.text, in: rect.inset(horizontal: 1, vertical: 0), role: banner.role)
}
