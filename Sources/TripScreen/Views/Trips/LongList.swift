import TripText

/// The cached table of thousands of trips, sorted and counted once per second instead of once per frame.
///
/// A shorter list is sorted for each frame, so that it is always current.
struct LongList: Sendable {
    /// The inputs of the order; a change requires a new order.
    struct Key: Sendable, Equatable {
        var list: TripList
        var language: Language
        var trips: Int
        /// The second of real time.
        var second: Int
    }

    /// The maximum length of a list that is sorted for each frame.
    static let longestLive = 500

    let key: Key
    /// The rows of the table, as indices of ``State/trips``.
    let order: [Int]
    /// The number of active trips.
    let active: Int
    /// The number of live trips.
    let live: Int
}
