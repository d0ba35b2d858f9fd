import FleetWire
import TripModel

/// Decodes encoded paths, each one once: a log repeats the same path in every answer until it changes.
struct PathDecoder {
    /// How many points all paths of a recording may have together; beyond that a path counts as not known.
    static let maximumPoints = 4_000_000

    private var known: [String: Route?] = [:]
    private var points = 0

    /// The path of an encoded string; `nil` where there is none or where it can't be read.
    ///
    /// Google calls decoding unsupported, so a path that can't be read is a path not known, not an error.
    mutating func route(_ value: JSONValue?) -> Route? {
        guard let text = value?.string, !text.isEmpty else { return nil }
        if let route = known[text] { return route }
        // A base64 character holds 6 bits, a point takes a byte at least: refused before any memory is set aside.
        let decoded = points + text.utf8.count <= Self.maximumPoints ? try? S2Polyline.decode(text) : nil
        let route = decoded.map { Route($0) }
        points += decoded?.count ?? 0
        known[text] = .some(route)
        return route
    }

    /// The points of an encoded string.
    mutating func points(_ value: JSONValue?) -> [Coordinate]? {
        route(value)?.points
    }
}
