import Runtime
import TripFeed
import TripModel

/// What may be said about a trip at the time of an event.
struct ClaimLine: Encodable {
    /// `expected`, `overdue`, `notShown`, `noReport`, `atStop`, `reached` or `ended`.
    private let kind: String
    /// The kind of the stop, as the service names it, such as `PICKUP_WAYPOINT_TYPE`.
    private let place: String?
    /// The number of the stop among several ones, from 1.
    private let stopNumber: Int?
    /// When the arrival is or was expected.
    private var expected: String?
    /// The time until the expected arrival.
    private var leftSeconds: Double?
    /// The time since the expected arrival, to ``asOf``.
    private var overdueSeconds: Double?
    /// The age of the news.
    private var ageSeconds: Double?
    /// Since when the vehicle is at the stop.
    private var since: String?
    /// When the vehicle arrived.
    private var at: String?
    /// Whether ``at`` is only the latest possible time, because an outage hid the arrival.
    private var atTheLatest: Bool?
    /// The delay against the first estimate, negative if early.
    private var delaySeconds: Double?
    /// The last status.
    private var status: String?
    /// The time of what it says.
    private let asOf: String
    /// When it ends without another event.
    private let until: String?
    /// `reported`, `estimated` or `estimatedLongAgo`.
    private let strength: String
    /// The numbers of the events that support it.
    private let evidence: [Int]

    init(_ claim: Claim) {
        (place, stopNumber) = (claim.arrival?.kind.name, claim.arrival?.number)
        (asOf, until) = (Timestamp.text(claim.asOf), claim.until.map(Timestamp.text))
        (strength, evidence) = (claim.strength.rawValue, claim.evidence.map(\.rawValue))
        switch claim.kind {
        case .expected(_, let time, let left):
            (kind, expected, leftSeconds) = ("expected", Timestamp.text(time), Self.rounded(left))
        case .overdue(_, let time, let delay):
            (kind, expected, overdueSeconds) = ("overdue", Timestamp.text(time), Self.rounded(delay))
        case .notShown(_, let time): (kind, expected) = ("notShown", Timestamp.text(time))
        case .noReport(let age, let missed):
            (kind, ageSeconds) = ("noNews", Self.rounded(age))
            expected = (missed?.expected).map(Timestamp.text)
        case .atStop(_, let time): (kind, since) = ("atStop", Timestamp.text(time))
        case .reached(let arrival, let time, let delay):
            (kind, at, delaySeconds) = ("reached", Timestamp.text(time), delay.map(Self.rounded))
            if arrival.isLatestDone { atTheLatest = true }
        case .ended(let last): (kind, status) = ("ended", last.name)
        }
    }

    /// Returns the claims after a poll, at the time of its end; `nil` before the first answer.
    static func all(_ facts: JourneyFacts?, at time: Moment) -> [ClaimLine]? {
        facts?.claims(at: time)?.all.map(ClaimLine.init)
    }

    private static func rounded(_ duration: Duration) -> Double { (duration.seconds * 10).rounded() / 10 }
}

/// What may be said about a trip after a call of a log has changed it.
struct ClaimsLine: Encodable {
    private let type = "claims"
    private let time: String
    private let trip: String
    private let eventNumber: Int
    private let claims: [ClaimLine]?

    init(_ report: PollReport, _ table: JourneyTable) {
        time = Timestamp.text(report.finished.wall)
        trip = report.journey.name
        eventNumber = table.lastEvent.rawValue
        claims = ClaimLine.all(table[report.journey], at: report.finished)
    }
}
