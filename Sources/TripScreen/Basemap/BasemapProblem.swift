/// The reason why a file is not a base map.
package enum BasemapProblem: Error, Sendable, Equatable {
    /// The file is not JSON or violates the GeoJSON format.
    case notGeoJSON
    /// The file contains an unknown GeoJSON type.
    case unknownType(String)
    /// The two numbers are not a longitude and a latitude in degrees.
    case notDegrees(Double, Double)
    /// The file contains nothing to draw.
    case empty
    /// The file has more than ``Basemap/maximumPoints`` points.
    case tooManyPoints
    /// The archive is truncated, contradicts itself, or exceeds a limit of this reader.
    case damaged
    /// The archive has another version of the PMTiles format.
    case unsupportedVersion(Int)
    /// The tiles are not vector tiles; the name of what they are.
    case unsupportedTiles(String)
    /// The directories or the tiles are compressed by another method than gzip; its name.
    case unsupportedCompression(String)
}
