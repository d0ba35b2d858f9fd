import Canvas
import TripFeed
import TripText

/// What driver, server and rider of a trip saw; only of a log.
package struct SidesPanel: TextPanel {
    static let title = Text.viewSides
    static var place: any WritableKeyPath<Panels, SidesPanel> & Sendable { \.sides }

    var scroll = 0

    static func above(in state: State) -> ViewKind? { state.trips.count > 1 ? .trips : nil }

    func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas) {
        SidesView(trip: view).draw(on: &canvas, in: layout.body)
    }

    func statements(of evidence: Evidence) -> [Statement] {
        guard let sides = evidence.trip.sides else { return [] }
        return SideStatements(sides: sides, zone: evidence.view.zone, localizer: evidence.view.localizer).all
    }
}
