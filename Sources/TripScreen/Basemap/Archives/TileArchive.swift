import Foundation
package import SystemPackage

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

/// An archive opened for reading; it is read in pieces and never mapped or loaded as a whole.
package final class ArchiveFile: Sendable {
    /// The number of bytes.
    let size: UInt64
    private let file: FileDescriptor

    /// Takes over an open file, which is closed with this object.
    package init(_ file: FileDescriptor, size: UInt64) {
        self.file = file
        self.size = size
    }

    deinit {
        // The file was opened for reading, so a failed close loses no data.
        try? file.close()
    }

    /// Reads a part; a part that is not entirely in the file is refused.
    func bytes(at offset: UInt64, count: UInt64, limit: Int) throws(BasemapProblem) -> [UInt8] {
        let (end, overflows) = offset.addingReportingOverflow(count)
        guard !overflows, end <= size, count <= UInt64(limit) else { throw .damaged }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        var filled = 0
        while filled < bytes.count {
            let read: Int
            do {
                read = try unsafe bytes.withUnsafeMutableBytes { bytes in
                    try unsafe file.read(
                        fromAbsoluteOffset: Int64(offset) + Int64(filled),
                        into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
                    )
                }
            } catch {
                throw .damaged
            }
            guard read > 0 else { throw .damaged }
            filled += read
        }
        return bytes
    }
}

/// The attribution of a map's metadata as plain text.
enum Attribution {
    private struct Metadata: Decodable {
        var attribution: String?
    }

    /// The maximum number of characters.
    private static let longest = 120

    /// Reads the attribution from JSON; empty without one.
    static func text(json: [UInt8]) -> String {
        // Metadata without a readable attribution is no reason to refuse the map.
        let metadata = try? JSONDecoder().decode(Metadata.self, from: Data(json))
        return metadata?.attribution.map(text(html:)) ?? ""
    }

    /// Removes the tags of HTML and decodes the entities that attributions contain.
    static func text(html: String) -> String {
        var text = ""
        var isTag = false
        for character in html.prefix(10 * longest) {
            switch character {
            case "<": isTag = true
            case ">" where isTag: isTag = false
            default: if !isTag { text.append(character) }
            }
        }
        for (entity, character) in ["&copy;": "©", "&#169;": "©", "&nbsp;": " ", "&quot;": "\"", "&amp;": "&"] {
            text = text.replacing(entity, with: character)
        }
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return String(words.prefix(longest))
    }
}

/// The names of the layers in an archive's metadata (`vector_layers` of TileJSON).
enum LayerNames {
    private struct Metadata: Decodable {
        var layers: [Layer]?

        private enum CodingKeys: String, CodingKey {
            case layers = "vector_layers"
        }
    }

    private struct Layer: Decodable {
        var id: String
    }

    /// The maximum number of names.
    private static let most = 256
    /// The maximum number of characters of a name.
    private static let longest = 60

    /// Reads the names from JSON; empty without any.
    static func names(json: [UInt8]) -> [String] {
        // Without readable metadata, the tiles show which layers there are.
        let metadata = try? JSONDecoder().decode(Metadata.self, from: Data(json))
        return bounded(metadata?.layers?.map(\.id) ?? [])
    }

    /// Limits number and length of names.
    static func bounded(_ names: [String]) -> [String] { names.prefix(most).map { String($0.prefix(longest)) } }
}
