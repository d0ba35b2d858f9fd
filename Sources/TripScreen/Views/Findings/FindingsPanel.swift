import Canvas
import TripFeed
import TripText

/// The findings of a trip.
package struct FindingsPanel: TextPanel {
    static let title = Text.viewFindings

    /// The number of rows above the first visible one, or in a wide view the number of the chosen rule.
    var scroll = 0

    /// The tab shows a finding in every view.
    static func sign(in state: State) -> Role? {
        guard let worst = state.trip?.findings.map(\.severity).max(), worst > .info else { return nil }
        return worst == .error ? .critical : .warning
    }

    // It is about what was found, which may be something else than what failed.
    static func explains(_ failure: FollowedTrip.Failed) -> Bool { false }

    func lastRow(of view: TripView) -> Int { FindingsView.lastRow(of: view, width: view.state.layout.body.width) }

    func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas) {
        FindingsView(trip: view, scroll: scroll).draw(on: &canvas, in: layout.body)
    }

    func statements(of evidence: Evidence) -> [Statement] {
        evidence.statements(
            ofFindings: FindingsView(trip: evidence.view, scroll: scroll)
                .shown(width: evidence.state.layout.body.width)
        )
    }
}

extension ViewKind {
    /// The findings of a trip.
    package static let findings = ViewKind(panel: FindingsPanel.self)
}
