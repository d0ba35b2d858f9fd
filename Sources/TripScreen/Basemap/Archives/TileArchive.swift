/// A file with the vector tiles of a map.
///
/// Its functions read the file and are called outside the drawing path.
package protocol TileArchive: AnyObject, Sendable {
    /// The zoom levels of the tiles.
    var zooms: ClosedRange<Int> { get }
    /// The part of the world with tiles.
    var bounds: MapBounds { get }
    /// Who made the data, as plain text; empty if unknown.
    var attribution: String { get }
    /// The names of the layers: the names in the metadata, or the names in one tile if the metadata has none.
    var layers: [String] { get }
    /// Returns the uncompressed bytes of a tile; `nil` if the archive does not contain it.
    func bytes(of id: TileID) throws(BasemapProblem) -> [UInt8]?
    /// Returns the uncompressed bytes of any tile; `nil` if there is none.
    func anyBytes() throws(BasemapProblem) -> [UInt8]?
}

extension TileArchive {
    /// Reads a tile.
    ///
    /// For a tile that the archive does not contain, it is the part of the next tile above: tools leave out tiles without detail of their
    /// own. It is empty outside of the map and where there is none.
    package func tile(_ id: TileID) throws(BasemapProblem) -> MapTile {
        guard id.bounds.intersects(bounds) else { return MapTile() }
        var source = id
        while true {
            if let bytes = try bytes(of: source) {
                let tile = try TileDecoder.decode(
                    bytes,
                    id: source,
                    // A tile that replaces a missing tile has no more detailed tile below it.
                    isDeepest: id.zoom == zooms.upperBound || source != id,
                    drawsUnknown: !unknownLayers.isEmpty
                )
                return source == id ? tile : tile.clipped(to: id.bounds)
            }
            guard source.zoom > zooms.lowerBound, let parent = source.parent else { return MapTile() }
            source = parent
        }
    }

    /// The layers whose lines are drawn although their contents are unknown, because no known layer has streets.
    package var unknownLayers: [String] {
        let rules = layers.map { LayerRule.byLayer[$0] }
        guard !rules.contains(where: { $0?.hasStreets == true }) else { return [] }
        return zip(layers, rules).filter { $0.1 == nil }.map(\.0)
    }

    /// Returns the names of one tile's layers.
    ///
    /// Throws if the archive contains no tiles, or if one of them is not a vector tile.
    package func checkedTile() throws(BasemapProblem) -> [String] {
        guard let bytes = try anyBytes() else { throw .empty }
        _ = try TileDecoder.decode(bytes, id: TileID(zoom: 0, x: 0, y: 0), isDeepest: true)
        return try LayerNames.bounded(TileDecoder.layers(of: bytes))
    }
}

/// The limits of an archive's parts in bytes.
enum ArchiveLimit {
    /// A tile as it is in the file.
    ///
    /// Tools that make tiles warn above 0.5 MB.
    static let storedTile = 2 << 20
    /// An uncompressed tile.
    static let tile = 4 << 20
    /// A directory of PMTiles as it is in the file.
    static let storedDirectory = 1 << 20
    /// An uncompressed directory or uncompressed metadata.
    static let directory = 4 << 20
}
