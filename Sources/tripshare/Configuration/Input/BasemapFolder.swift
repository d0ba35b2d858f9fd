import Failures
import Foundation
import TripScreen
import TripText

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
