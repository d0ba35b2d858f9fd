import Runtime
import Synchronization
import TripModel

/// A PMTiles archive of version 3 with Mapbox vector tiles.
package final class PMTilesArchive: TileArchive {
    package let attribution: String
    package var zooms: ClosedRange<Int> { header.zooms }
    package var bounds: MapBounds { header.bounds }

    package var layers: [String] { layerNames.withLock { $0 } }

    private let file: ArchiveFile
    private let header: PMTilesHeader
    private let root: PMTilesDirectory
    /// The last used directories, newest last.
    private let leaves = Locked<[Leaf]>([])

    private let layerNames: Locked<[String]>

    private struct Leaf {
        var offset: UInt64
        var directory: PMTilesDirectory
    }

    /// The maximum number of directories on the way to a tile; the specification allows the root and three more.
    private static let maximumDepth = 4
    /// The maximum number of entries of all cached directories together, about 5 MB.
    private static let maximumCachedEntries = PMTilesDirectory.maximumEntries

    /// Returns whether a file starts like a PMTiles archive.
    package static func isOne(_ start: [UInt8]) -> Bool { start.starts(with: PMTilesHeader.magic) }

    /// Opens an archive: reads its header, its first directory, its metadata and one tile.
    package init(_ file: ArchiveFile) throws(BasemapProblem) {
        self.file = file
        let start = try file.bytes(at: 0, count: min(UInt64(PMTilesHeader.length), file.size), limit: 1 << 10)
        header = try PMTilesHeader(start)
        // Otherwise an incomplete download would open and have no streets in most places.
        for section in [header.root, header.metadata, header.leaves, header.tiles] where section.length > 0 {
            let (end, overflows) = section.offset.addingReportingOverflow(section.length)
            guard !overflows, end <= file.size else { throw .damaged }
        }
        root = try PMTilesDirectory(Self.part(header.root, of: file, header))
        let metadata = try Self.part(header.metadata, of: file, header)
        attribution = Attribution.text(json: metadata)
        layerNames = Locked(LayerNames.names(json: metadata))
        let found = try checkedTile()
        layerNames.withLock { if $0.isEmpty { $0 = found } }
    }

    package func bytes(of id: TileID) throws(BasemapProblem) -> [UInt8]? {
        let number = id.archiveNumber
        return try bytes { $0.entry(for: number) }
    }

    package func anyBytes() throws(BasemapProblem) -> [UInt8]? { try bytes { $0.entries.first } }

    /// Returns the tile to which a choice of entries leads.
    private func bytes(_ choice: (PMTilesDirectory) -> PMTilesDirectory.Entry?) throws(BasemapProblem) -> [UInt8]? {
        var directory = root
        for _ in 0..<Self.maximumDepth {
            guard let entry = choice(directory) else { return nil }
            if entry.runLength > 0 { return try tile(entry) }
            directory = try leaf(entry)
        }
        throw .damaged
    }

    private func tile(_ entry: PMTilesDirectory.Entry) throws(BasemapProblem) -> [UInt8] {
        let section = try Self.section(entry, in: header.tiles)
        let bytes = try file.bytes(at: section.offset, count: section.length, limit: ArchiveLimit.storedTile)
        guard Gzip.isCompressed(bytes) else { return bytes }
        return try Gzip.decompressed(bytes, limit: ArchiveLimit.tile)
    }

    private func leaf(_ entry: PMTilesDirectory.Entry) throws(BasemapProblem) -> PMTilesDirectory {
        let section = try Self.section(entry, in: header.leaves)
        let known = leaves.withLock { leaves -> PMTilesDirectory? in
            guard let index = leaves.firstIndex(where: { $0.offset == section.offset }) else { return nil }
            leaves.append(leaves.remove(at: index))
            return leaves.last?.directory
        }
        if let known { return known }
        let directory = try PMTilesDirectory(Self.part(section, of: file, header))
        leaves.withLock { leaves in
            leaves.append(Leaf(offset: section.offset, directory: directory))
            while leaves.count > 1,
                leaves.reduce(0, { $0 + $1.directory.entries.count }) > Self.maximumCachedEntries
            {
                leaves.removeFirst()
            }
        }
        return directory
    }

    /// Returns where an entry is in the file.
    private static func section(
        _ entry: PMTilesDirectory.Entry,
        in section: PMTilesHeader.Section
    ) throws(BasemapProblem) -> PMTilesHeader.Section {
        let (end, overflows) = entry.offset.addingReportingOverflow(UInt64(entry.length))
        let (offset, overflowsToo) = section.offset.addingReportingOverflow(entry.offset)
        guard !overflows, !overflowsToo, end <= section.length else { throw .damaged }
        return PMTilesHeader.Section(offset: offset, length: UInt64(entry.length))
    }

    /// Reads a directory or the metadata.
    private static func part(
        _ section: PMTilesHeader.Section,
        of file: ArchiveFile,
        _ header: PMTilesHeader
    ) throws(BasemapProblem) -> [UInt8] {
        let bytes = try file.bytes(
            at: section.offset,
            count: section.length,
            limit: ArchiveLimit.storedDirectory
        )
        guard header.hasCompressedDirectories, !bytes.isEmpty else { return bytes }
        return try Gzip.decompressed(bytes, limit: ArchiveLimit.directory)
    }
}
