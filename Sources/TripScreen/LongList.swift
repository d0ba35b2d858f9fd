import TripFeed
import TripModel
import TripText

/// The table of thousands of trips, ordered and counted once a second and not for each frame.
///
/// A shorter list is ordered for each frame, so that it always shows the moment.
struct LongList: Sendable {
    /// What the order was made for; another one needs a new order.
    struct Key: Sendable, Equatable {
        var list: TripList
        var language: Language
        var trips: Int
        /// The second of real time.
        var second: Int
    }

    /// The longest list that is ordered for each frame.
    static let longestLive = 500

    let key: Key
    /// The trips of the table, as indices of ``State/trips``.
    let order: [Int]
    /// How many trips are still followed.
    let active: Int
    /// How many of them are live.
    let live: Int
}

extension State {
    /// Orders a long list anew where that is due, and only while it is shown.
    mutating func keepLongList() {
        guard trips.count > LongList.longestLive else {
            longList = nil
            return
        }
        guard view == .trips else { return }
        let second = (latest.steady.seconds / max(1, settings.speed)).rounded(.down)
        let key = LongList.Key(
            list: list,
            language: settings.wording.language,
            trips: trips.count,
            second: Wording.whole(second)
        )
        guard longList?.key != key else { return }
        let (live, active) = Connection.count(in: self)
        longList = LongList(key: key, order: ordered, active: active, live: live)
    }
}
