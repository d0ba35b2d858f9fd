import Foundation
import TripScreen

/// Reads a base map from a file given by the user.
enum BasemapFile {
    /// The maximum file size in bytes: twice what 200,000 points take.
    private static let maximumBytes = 16 << 20

    /// Reads a base map.
    ///
    /// Throws a ``CommandFailure`` that describes the problem.
    static func read(_ path: String) throws(CommandFailure) -> Basemap {
        let advice = "Name a GeoJSON file of lines and polygons, at most 16 MiB and \(Basemap.mostPoints) points."
        let data = try InputFile.data(path, limit: maximumBytes, what: "base map", advice: advice)
        do {
            return try Basemap(geoJSON: data)
        } catch {
            throw CommandFailure(.badInput, "\(shown(path)) is no base map: \(words(error)).\n\(advice)")
        }
    }

    private static func words(_ problem: Basemap.Problem) -> String {
        switch problem {
        case .notGeoJSON: "it is not GeoJSON"
        case .unknownType(let type): "it has a part of the type \(shown(type)), which GeoJSON does not know"
        case .notDegrees(let longitude, let latitude):
            "\(longitude), \(latitude) are no longitude and latitude in degrees"
        case .empty: "it has no lines and no polygons"
        case .tooManyPoints: "it has too many points"
        }
    }
}
