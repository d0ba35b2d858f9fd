import Basemap
import Canvas
import TripModel

extension State {
    /// The tiles of the base map in the visible section.
    var neededTiles: [TileID] {
        guard let basemap = settings.basemap, let trip, !trip.map.isEmpty, !mapRect.isEmpty else { return [] }
        return basemap.needed(in: camera(trip.map, in: mapRect).section)
    }

    /// Returns requests for missing tiles, or for a base map if there is none.
    mutating func basemapRequests() -> [Effect] {
        guard let basemap = settings.basemap else { return basemapSearch() }
        guard basemap.archive != nil else { return [] }
        let missing = basemap.missing(neededTiles)
        guard !missing.isEmpty, !requestedTiles.isSuperset(of: missing) else { return [] }
        requestedTiles = Set(missing)
        return [.loadTiles(missing)]
    }

    /// Returns a search for a base map, once per shown trip.
    private mutating func basemapSearch() -> [Effect] {
        guard settings.findsBasemap, let trip, basemapTrip != trip.id,
            let bounds = MapBounds(trip.map.corners)
        else { return [] }
        basemapTrip = trip.id
        let middle = (x: (bounds.low.x + bounds.high.x) / 2, y: (bounds.low.y + bounds.high.y) / 2)
        return [.findBasemap(MapPoint(x: middle.x - middle.x.rounded(.down), y: middle.y))]
    }
}
