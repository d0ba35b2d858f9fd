import TripModel

/// Decodes encoded paths with a cache, because a log repeats a path in every answer until it changes.
package struct PathDecoder: Sendable {
    /// The maximum number of points of all paths; further paths count as unknown.
    private let limit: Int
    private var known: [String: Route?] = [:]
    private var points = 0

    /// Creates a decoder without paths; by default it has room for the paths of a recording.
    package init(limit: Int = 4_000_000) { self.limit = limit }

    /// Decodes a path; `nil` if it cannot be decoded.
    ///
    /// Google does not support decoding, so an undecodable path is unknown, not an error.
    mutating func route(_ text: String) -> Route? {
        if let route = known[text] { return route }
        // A base64 character holds 6 bits and a point needs at least one byte, so the limit is checked before memory is
        // allocated.
        let decoded = points + text.utf8.count <= limit ? try? S2Polyline.decode(text) : nil
        let route = decoded.map { Route($0) }
        points += decoded?.count ?? 0
        known[text] = .some(route)
        return route
    }
}
