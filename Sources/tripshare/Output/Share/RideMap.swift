import Foundation
import TripFeed
import TripModel
import TripScreen
import TripText

/// The map of a page: the way that was seen, the last planned way and the stops, above the streets.
struct RideMap {
    /// The width of the picture in its own units.
    static let width = 720.0
    /// The limits of its height.
    private static let heights = 240.0...720.0
    /// The maximum number of points of a way.
    static let mostPoints = 1500
    /// The maximum number of points of all streets.
    static let mostStreetPoints = 6000
    /// The blank border around the ride as a share of its size.
    private static let border = 0.12
    /// The smallest section in Mercator units, about 200 m at the equator.
    private static let smallest = 5e-6

    /// A place with a name.
    private struct Stop {
        let name: String
        let place: MapPoint
    }

    private let seen: [MapPoint]
    private let planned: [MapPoint]
    private let stops: [Stop]
    /// The last position of a vehicle that is still on its way.
    private let vehicle: MapPoint?
    /// The visible section.
    private let bounds: MapBounds
    private let localizer: Localizer

    /// Creates the map of a ride; `nil` if no place was seen.
    init?(_ state: TripState, _ localizer: Localizer) {
        guard let journey = state.journey else { return nil }
        let trail = state.trail.compactMap(\.coordinate).filter(\.isValid)
        let route = (journey.route?.points ?? []).filter(\.isValid)
        let places = Self.places(of: journey, localizer).filter { $0.place.isValid }
        guard let first = places.first?.place ?? trail.first ?? route.first else { return nil }
        func project(_ point: Coordinate) -> MapPoint { MapPoint(point, near: first.longitude) }
        seen = Self.thinned(trail).map(project)
        planned = Self.thinned(route).map(project)
        stops = places.map { Stop(name: $0.name, place: project($0.place)) }
        vehicle = journey.status.isTerminal ? nil : trail.last.map(project)
        guard let bounds = MapBounds(seen + planned + stops.map(\.place)) else { return nil }
        self.bounds = Self.section(around: bounds)
        self.localizer = localizer
    }

    private static func places(of journey: Journey, _ localizer: Localizer) -> [(name: String, place: Coordinate)] {
        let stops = journey.intermediateDestinations.prefix(Arrivals.maximumStops)
        let between = stops.enumerated().map { index, place in
            (name: localizer(stops.count == 1 ? .stop : .stopNumber(number: String(index + 1))), place: place)
        }
        return [journey.pickup.map { (name: localizer(.pickup), place: $0) }].compactMap(\.self) + between
            + [journey.dropoff.map { (name: localizer(.dropoff), place: $0) }].compactMap(\.self)
    }

    /// Returns at most ``mostPoints`` points, among them the first and the last one.
    private static func thinned(_ points: [Coordinate]) -> [Coordinate] {
        guard points.count > mostPoints else { return points }
        let step = Double(points.count - 1) / Double(mostPoints - 1)
        return (0..<mostPoints).map { points[min(points.count - 1, Int((Double($0) * step).rounded()))] }
    }

    /// Returns a section with a border, of a shape that fits a page.
    private static func section(around bounds: MapBounds) -> MapBounds {
        let middle = MapPoint(x: (bounds.low.x + bounds.high.x) / 2, y: (bounds.low.y + bounds.high.y) / 2)
        let size = max(bounds.size, smallest) * (1 + 2 * border)
        let shapes = (heights.lowerBound / width)...(heights.upperBound / width)
        var (across, down) = (bounds.high.x - bounds.low.x, bounds.high.y - bounds.low.y)
        across = max(across + 2 * border * size, size / 4)
        down = max(down + 2 * border * size, size / 4)
        across = max(across, down / shapes.upperBound)
        down = max(down, across * shapes.lowerBound)
        return MapBounds(
            low: MapPoint(x: middle.x - across / 2, y: middle.y - down / 2),
            high: MapPoint(x: middle.x + across / 2, y: middle.y + down / 2)
        )
    }

    /// Units of the picture per Mercator unit.
    private var scale: Double { Self.width / (bounds.high.x - bounds.low.x) }
    private var height: Double { (bounds.high.y - bounds.low.y) * scale }

    // MARK: Markup

    /// Returns the picture with its legend.
    func markup(above basemap: Basemap?) -> [Markup] {
        let streets = basemap.map(streets) ?? []
        var shapes = streets
        if planned.count > 1 { shapes.append(path(planned, "planned")) }
        if seen.count > 1 { shapes.append(path(seen, "seen")) }
        if let vehicle { shapes.append(circle(vehicle, "vehicle")) }
        shapes += stops.flatMap { [circle($0.place, "stop"), label($0)] }
        let legend = [
            seen.count > 1
                ? [Markup.element("span", ["style": "color:var(--seen)"], [.text("━ ")]), text(.pageSeen)] : [],
            planned.count > 1
                ? [Markup.element("span", ["style": "color:var(--plan)"], [.text("┅ ")]), text(.pagePlanned)] : [],
        ]
        .filter { !$0.isEmpty }
        var captions = legend.map { Markup.element("span", [:], $0 + [.text(" ")]) }
        if let basemap, !streets.isEmpty, !basemap.attribution.isEmpty {
            captions.append(.element("span", [:], [.text(localizer.attribution(basemap.attribution))]))
        }
        let picture = Markup.block(
            "svg",
            [
                "viewBox": "0 0 \(number(Self.width)) \(number(height))", "role": "img",
                "aria-label": (stops.map(\.name)).joined(separator: localizer(.listComma)),
            ],
            shapes
        )
        return [.block("figure", [picture, .element("figcaption", [:], captions)])]
    }

    private func text(_ text: Text) -> Markup { .text(localizer(text)) }

    private func path(_ points: [MapPoint], _ style: String) -> Markup {
        let steps = points.map { "\(x($0)) \(y($0))" }.joined(separator: "L")
        return .empty("path", ["class": style, "d": "M\(steps)"])
    }

    private func circle(_ place: MapPoint, _ style: String) -> Markup {
        .empty("circle", ["class": style, "cx": x(place), "cy": y(place), "r": "6"])
    }

    /// Returns the name of a stop, on the side that has more room.
    private func label(_ stop: Stop) -> Markup {
        let isLeft = (stop.place.x - bounds.low.x) * scale > Self.width * 0.7
        let place = number((stop.place.x - bounds.low.x) * scale + (isLeft ? -11 : 11))
        return .element(
            "text",
            [
                "x": place, "y": number((stop.place.y - bounds.low.y) * scale + 5),
                "text-anchor": isLeft ? "end" : "start",
            ],
            [.text(stop.name)]
        )
    }

    private func x(_ point: MapPoint) -> String { number((point.x - bounds.low.x) * scale) }
    private func y(_ point: MapPoint) -> String { number((point.y - bounds.low.y) * scale) }

    /// Returns a number with one digit after the point.
    private func number(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        return "\((min(max(value, -1e6), 1e6) * 10).rounded() / 10)"
    }

    // MARK: Streets

    /// Returns the visible streets, the most important ones first while there is room, in drawing order.
    private func streets(of basemap: Basemap) -> [Markup] {
        var basemap = basemap
        let needed = basemap.needed(in: Basemap.Section(bounds: bounds, scale: scale))
        if let archive = basemap.archive {
            var loaded: [TileID: MapTile] = [:]
            // A tile that cannot be read leaves its streets out, as on the screen.
            for id in basemap.missing(needed) { loaded[id] = try? archive.tile(id) }
            basemap.add(loaded, needed: needed)
        }
        let lines = basemap.drawn(needed).flatMap(\.lines).filter {
            ($0.kind.isRoad || [.shore, .waterway, .rail].contains($0.kind)) && !$0.isNameOnly
                && $0.points.count > 1 && $0.bounds.intersects(bounds)
        }
        var room = Self.mostStreetPoints
        var chosen: [MapTile.Line] = []
        for line in lines.sorted(by: { $0.kind > $1.kind }) {
            room -= line.points.count
            guard room >= 0 else { break }
            chosen.append(line)
        }
        return chosen.reversed().map { path($0.points, $0.kind >= .tertiary ? "road" : "street") }
    }
}
