import Failures
import Foundation
import SystemPackage
import TripScreen
import TripText

/// Reads a base map from a file given by the user: GeoJSON, PMTiles or MBTiles, recognized by the first bytes.
enum BasemapFile {
    /// The maximum size of a GeoJSON file in bytes: twice what 200,000 points take.
    ///
    /// Archives have no limit.
    private static let maximumBytes = 16 << 20

    /// Reads a base map; of an archive, only the directory and one tile.
    ///
    /// Throws a ``CommandFailure`` that describes the problem.
    static func read(_ path: String) throws(CommandFailure) -> Basemap {
        let advice = Text.adviceBasemap(points: String(Basemap.maximumPoints))
        do {
            if let archive = try archive(path) { return Basemap(archive: archive) }
            let data = try InputFile.data(path, limit: maximumBytes, what: .nounBasemap, advice: advice)
            return try Basemap(geoJSON: data)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            let reason = reason(error)
            throw CommandFailure(.badInput) {
                $0(.failureBasemap(file: excerpt(path: path), reason: $0(reason), advice: $0(advice)))
            }
        }
    }

    /// Returns the reason in words.
    static func reason(_ error: any Error) -> Text {
        switch error as? BasemapProblem {
        case .notGeoJSON: .basemapNotGeoJSON
        case .unknownType(let type): .basemapUnknownType(type: excerpt(type))
        case .notDegrees(let longitude, let latitude):
            .basemapNotDegrees(longitude: "\(longitude)", latitude: "\(latitude)")
        case .empty: .basemapEmpty
        case .tooManyPoints: .basemapTooManyPoints
        case .unsupportedVersion(let version): .basemapVersion(version: "\(version)")
        case .unsupportedTiles(let type): .basemapTiles(type: excerpt(type))
        case .unsupportedCompression(let method): .basemapCompression(method: excerpt(method))
        case .damaged, nil: .basemapDamaged
        }
    }

    /// Opens an archive; `nil` for a file that is not one, such as a pipe, or that cannot be read.
    static func archive(_ path: String) throws(BasemapProblem) -> (any TileArchive)? {
        // The code that reads GeoJSON reports why a file cannot be read.
        guard let (file, size) = ReadableFile.openRegular(path) else { return nil }
        let opened = ArchiveFile(file, size: UInt64(size))
        var start = [UInt8](repeating: 0, count: 16)
        guard
            let count = try? unsafe start.withUnsafeMutableBytes({
                try unsafe file.read(fromAbsoluteOffset: 0, into: $0)
            })
        else { return nil }
        start = Array(start[..<count])
        if PMTilesArchive.isOne(start) { return try PMTilesArchive(opened) }
        return MBTilesArchive.isOne(start) ? try MBTilesArchive(path: path) : nil
    }
}

/// A folder that is searched for a base map.
enum BasemapFolder {
    /// The maximum number of files that are opened.
    private static let maximumFiles = 200
    private static let extensions: Set<String> = ["pmtiles", "mbtiles", "geojson"]

    /// Throws a ``CommandFailure`` if the folder cannot be read.
    static func check(_ path: String) throws(CommandFailure) { _ = try files(path) }

    /// Returns the base map that contains a point: of several, the map of the smallest area.
    ///
    /// Files that are not base maps are skipped.
    static func basemap(in path: String, containing point: MapPoint) throws(CommandFailure) -> Basemap? {
        var best: Basemap?
        for file in try files(path) {
            // The folder may contain other files; `--basemap` reports what is wrong with one of them.
            guard let basemap = try? BasemapFile.read(file), basemap.bounds.contains(point) else { continue }
            if best.map({ basemap.bounds.size < $0.bounds.size }) ?? true { best = basemap }
        }
        return best
    }

    private static func files(_ path: String) throws(CommandFailure) -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw CommandFailure(.badConfiguration, .settingBasemaps(folder: excerpt(path: path)))
        }
        return names.sorted().filter { extensions.contains(($0 as NSString).pathExtension.lowercased()) }
            .prefix(maximumFiles).map { (path as NSString).appendingPathComponent($0) }
    }
}
