import Canvas
import Runtime
import TripFeed
import TripModel
import TripText

/// Draws the vehicles of all listed trips on one map, with the route of the selected one.
struct FleetMap {
    let state: State
    let listed: [Int]

    /// The maximum number of vehicles that are drawn; more would hide each other.
    static let mostVehicles = 500

    private var localizer: Localizer { state.settings.localizer.about(state.shownKind) }

    /// Returns the rows of the map and of the table below it; without room the table gets all of them.
    static func parts(_ trips: Int, in rect: Rect) -> (map: Rect, table: Rect) {
        let table = min(trips + 3, max(8, rect.height / 2))
        let rows = rect.rows([.flexible(), .fixed(rect.height < 26 ? rect.height : table)])
        return (rows[0], rows[1])
    }

    /// The selected trip among the others.
    var picture: MapPicture {
        var others: [MapPicture.Other] = []
        let own = state.trip
        let reference = own?.state.journey?.lastLocation?.coordinate?.longitude
        for index in listed.prefix(Self.mostVehicles) where index != state.selected {
            let trip = state.trips[index]
            guard trip.end == nil, let location = trip.state.journey?.lastLocation,
                let place = location.coordinate, place.isValid
            else { continue }
            others.append(
                MapPicture.Other(
                    place: MapPicture.Point(place, near: reference ?? place.longitude),
                    heading: location.heading.map(Double.init),
                    name: Printable.truncated(Reporter.sanitized(trip.id.rawValue, limit: 64), to: 16),
                    isOld: PositionAge(of: trip, at: state.now)?.reason != nil
                )
            )
        }
        return MapPicture(of: own?.map ?? MapPicture(), among: others)
    }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        guard rect.height > 2 else { return }
        let picture = picture
        let shown = picture.others.count + (picture.vehicle == nil ? 0 : 1)
        let note =
            shown == listed.count
            ? localizer(.tripCount(count: shown))
            : localizer(.tripsShown(number: String(shown), total: String(listed.count)))
        let inner = canvas.frame(rect, title: localizer(.map), note: note)
        guard !picture.isEmpty, let trip = state.trip else {
            canvas.put(localizer(.nothingOnMap), in: inner, row: inner.height / 2, align: .center, role: .secondary)
            return
        }
        let age = PositionAge(of: trip, at: state.now)
        MapView(
            picture: picture,
            isStale: age?.reason != nil,
            camera: state.bestFit(picture, in: inner),
            age: age?.received ?? age?.measured,
            estimate: state.estimate(trip),
            basemap: state.settings.basemap,
            isMonochrome: state.isMonochrome,
            localizer: localizer
        )
        .draw(on: &canvas, in: inner)
    }
}

extension State {
    /// The section of the map of all vehicles; `nil` if it is not shown.
    var fleetSection: Basemap.Section? {
        guard view == .trips, titlePage == nil else { return nil }
        let rect = FleetMap.parts(listed.count, in: layout.body).map
        guard rect.height > 2 else { return nil }
        let picture = FleetMap(state: self, listed: listed).picture
        return picture.isEmpty ? nil : bestFit(picture, in: rect.inset(by: 1)).section
    }
}
