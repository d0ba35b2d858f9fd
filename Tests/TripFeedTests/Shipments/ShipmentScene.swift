import Foundation
import Runtime
import TripFeed
import TripModel

/// An open shipment whose vehicle is shown, answers about it, and the findings about them.
struct ShipmentScene {
    static let start = Date(timeIntervalSince1970: 1_767_286_800)
    let id: JourneyID
    private(set) var now = Moment(wall: start, steady: .zero)
    private(set) var state: TripState
    private var detector: FindingDetector
    private let base: TaskTrackingInfo
    let interval = Duration.seconds(5)

    init() throws {
        let (tracking, provider) = (try TrackingID("s"), try ProviderID("p"))
        id = JourneyID.shipment(tracking)
        var info = TaskTrackingInfo(trackingID: tracking, provider: provider, state: .open)
        info.plannedLocation = Coordinate(latitude: 0, longitude: 0.1)
        info.targetTimeWindow = TimeWindow(start: Self.start, end: Self.start + 1800)
        info.remainingStopCount = 4
        info.estimatedArrival = Self.start + 600
        info.estimatedCompletion = Self.start + 660
        info.remainingDistance = Distance(meters: 11_119)
        info.route = Route([Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 0, longitude: 0.1)])
        info.vehicleLocation = VehicleLocation(coordinate: Coordinate(latitude: 0, longitude: 0))
        info.vehicleLocation?.serverTime = Self.start
        base = info
        state = TripState(id: id)
        detector = FindingDetector(journey: id, provider: provider, limits: FindingLimits())
    }

    /// The fields that the last answer has changed, without those that change with every answer.
    var changed: Set<TripField> { state.changed.subtracting([.lastLocation]) }

    /// What the service answers now, after a change.
    func info(_ change: (inout TaskTrackingInfo) -> Void = { _ in }) -> TaskTrackingInfo {
        var info = base
        info.vehicleLocation?.serverTime = now.wall
        change(&info)
        return info
    }

    /// Examines the answer that is due now, after a change, and advances the clock; returns the findings.
    mutating func answer(
        after delay: Duration = .seconds(5),
        cacheAge: Duration = .zero,
        _ change: (inout TaskTrackingInfo) -> Void = { _ in }
    ) -> [Finding] {
        let trip = Journey.shipment(info(change))
        var report = PollReport(journey: id, started: now)
        report.outcome = .success(trip)
        state.merge(trip, serverDate: nil, cacheAge: cacheAge, at: now)
        defer { now = now.advanced(by: delay) }
        return detector.examine(report, state: state, interval: interval)
    }
}
