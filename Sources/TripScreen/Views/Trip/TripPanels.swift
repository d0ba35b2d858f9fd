import Canvas

/// The numbers of lines that the parts of the view of one trip need.
struct PanelRows: Sendable, Equatable {
    var caption = 0
    var arrival = 0
    var token = 0
    var polling = 0

    /// Returns the larger number of each part.
    func larger(_ other: PanelRows) -> PanelRows {
        PanelRows(
            caption: max(caption, other.caption),
            arrival: max(arrival, other.arrival),
            token: max(token, other.token),
            polling: max(polling, other.polling)
        )
    }
}

/// The panels of the view of one trip whose content changes with time: their places, and the lines by which they share their rows.
struct TripPanels {
    /// The areas of the screen.
    private(set) var layout: ScreenLayout
    private let arrival: Rows
    private let token: Rows?
    private let polling: Rows
    /// The number of rows of a panel that says why there is no token.
    private static let withoutToken = 2

    /// Computes the lines, and with them the places in the areas of the screen.
    init(_ view: TripView, in layout: ScreenLayout) {
        self.layout = layout
        arrival = view.panelRows
        token = view.tokenRows
        polling = view.pollingRows(width: layout.polling.width - 4)
        self.layout.shareRows(rows.larger(view.state.display.leastRows))
    }

    /// The lines in each panel.
    var rows: PanelRows {
        PanelRows(
            arrival: arrival.rows.count,
            token: token?.rows.count ?? Self.withoutToken,
            polling: polling.rows.count
        )
    }

    /// The places of the panels.
    var places: [Rect] { [layout.arrival, layout.timeline, layout.token, layout.polling, layout.calls] }

    /// Draws the panels.
    func draw(_ view: TripView, on canvas: inout Canvas) {
        view.drawArrival(arrival, on: &canvas, in: layout.arrival)
        if layout.hasTimelinePanel {
            view.drawTimelinePanel(on: &canvas, in: layout.timeline)
        } else {
            view.drawTimelineStrip(on: &canvas, in: layout.timeline)
        }
        view.drawToken(token, on: &canvas, in: layout.token)
        view.drawPolling(polling, on: &canvas, in: layout.polling)
        if !layout.calls.isEmpty { CallTable(latestOf: view).drawLatest(on: &canvas, in: layout.calls) }
    }
}
