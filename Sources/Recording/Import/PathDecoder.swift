import Runtime
import TripModel

/// Decodes encoded paths with a cache, because a log repeats a path in every answer until it changes.
struct PathDecoder {
    /// The maximum number of points of all paths in a recording; further paths count as unknown.
    static let maximumPoints = 4_000_000

    private var known: [String: Route?] = [:]
    private var points = 0

    /// Decodes a path; `nil` if there is none or it cannot be decoded.
    ///
    /// Google does not support decoding, so an undecodable path is unknown, not an error.
    mutating func route(_ value: JSONValue?) -> Route? {
        guard let text = value?.string, !text.isEmpty else { return nil }
        if let route = known[text] { return route }
        // A base64 character holds 6 bits and a point needs at least one byte, so the limit is checked before memory is
        // allocated.
        let decoded = points + text.utf8.count <= Self.maximumPoints ? try? S2Polyline.decode(text) : nil
        let route = decoded.map { Route($0) }
        points += decoded?.count ?? 0
        known[text] = .some(route)
        return route
    }

    /// Decodes the points of a path.
    mutating func points(_ value: JSONValue?) -> [Coordinate]? {
        route(value)?.points
    }
}
