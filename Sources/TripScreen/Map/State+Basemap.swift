import Canvas
import Runtime
import TripModel
import TripText

extension State {
    /// The tiles of the base map in the visible section.
    var neededTiles: [TileID] {
        guard let basemap = settings.basemap else { return [] }
        if basemap.archive != nil, let section = fleetSection { return basemap.needed(in: section) }
        guard let trip, !trip.map.isEmpty, !mapRect.isEmpty else { return [] }
        return basemap.needed(in: camera(trip.map, in: mapRect).section)
    }

    /// Says which layers of a base map are drawn as thin lines, because their contents are unknown.
    mutating func nameUnknownLayers(of basemap: Basemap) {
        let layers = basemap.archive?.unknownLayers ?? []
        guard !layers.isEmpty else { return }
        let localizer = settings.localizer
        message = localizer(.unknownLayers(layers: layers.joined(separator: localizer(.listComma)))).sanitized(
            limit: 300
        )
    }

    /// Returns requests for missing tiles, or for a base map if there is none.
    mutating func basemapRequests() -> [Effect] {
        guard let basemap = settings.basemap else { return basemapSearch() }
        reportUncoveredTrip(basemap)
        guard basemap.archive != nil else { return [] }
        let missing = basemap.missing(neededTiles)
        guard !missing.isEmpty, !display.requestedTiles.isSuperset(of: missing) else { return [] }
        display.requestedTiles = Set(missing)
        return [.loadTiles(missing)]
    }

    /// Shows a message for a tile from which something is left out, once per tile.
    mutating func reportIncomplete(_ tiles: [TileID: MapTile]) {
        let new = tiles.filter { $0.value.omittedFeatures > 0 && display.incompleteTiles.insert($0.key).inserted }
        guard let most = new.values.map(\.omittedFeatures).max() else { return }
        message = settings.localizer(.basemapIncomplete(number: String(most)))
    }

    /// Shows a message if a base map has nothing near the shown trip, once per shown trip.
    private mutating func reportUncoveredTrip(_ basemap: Basemap) {
        guard let trip, display.basemapTrip != trip.id, let bounds = MapBounds(trip.map.corners) else { return }
        display.basemapTrip = trip.id
        // A map may cross the antimeridian on either side.
        let isCovered = [-1.0, 0, 1].contains { basemap.bounds.intersects(bounds.moved(by: $0)) }
        if !isCovered { message = settings.localizer(.basemapElsewhere) }
    }

    /// Returns a search for a base map, once per shown trip.
    private mutating func basemapSearch() -> [Effect] {
        guard settings.findsBasemap, let trip, display.basemapTrip != trip.id,
            let bounds = MapBounds(trip.map.corners)
        else { return [] }
        display.basemapTrip = trip.id
        let middle = (x: (bounds.low.x + bounds.high.x) / 2, y: (bounds.low.y + bounds.high.y) / 2)
        return [.findBasemap(MapPoint(x: middle.x - middle.x.rounded(.down), y: middle.y))]
    }
}
