import FleetEngineProtos
import FleetWire
import Foundation
import SwiftProtobuf
import TripModel

/// A position that a vehicle reports.
protocol ReportedPosition {
    var hasLocation: Bool { get }
    var hasUpdateTime: Bool { get }
    var updateTime: Google_Protobuf_Timestamp { get }
    var hasRawLocationTime: Bool { get }
    var rawLocationTime: Google_Protobuf_Timestamp { get }
    var hasServerTime: Bool { get }
    var serverTime: Google_Protobuf_Timestamp { get set }
    /// Whether it has the sensor that only the service sets.
    var isFromService: Bool { get }
}

extension ReportedPosition {
    /// Whether it has a coordinate on the road.
    var hasPlace: Bool { hasLocation }
    /// When it was measured, by the device's clock: on the road if known, else raw.
    var measuredTime: Date? { hasUpdateTime ? updateTime.time : hasRawLocationTime ? rawLocationTime.time : nil }
    /// When the service received it.
    var receivedTime: Date? { hasServerTime ? serverTime.time : nil }

    /// Returns the position with the time of its receipt.
    func received(at now: Date) -> Self {
        var location = self
        location.serverTime = Google_Protobuf_Timestamp(now)
        return location
    }

    /// The time of the measurement, otherwise the time of the receipt.
    fileprivate func time(or now: Date) -> Date { measuredTime ?? receivedTime ?? now }

    /// Returns the position with the time of its receipt; throws if a vehicle must not report it.
    func reported(at now: Date) throws(ServiceError) -> Self {
        guard !isFromService else {
            throw .invalidArgument("FLEET_ENGINE_LOCATION can be set by the service only")
        }
        return received(at: now)
    }
}

/// The positions that a vehicle has reported, in the order of their measurement.
extension Array where Element: ReportedPosition {
    /// The maximum number of positions that are stored; at one position in 5 s they cover more than an hour.
    private static var maximumCount: Int { 1000 }

    /// Adds the positions of one report.
    ///
    /// - Parameters:
    ///   - past: Positions that could not be sent in time. They are older than the known one, unless there was no report for a
    ///     while: then the newest of them becomes the last position.
    ///   - last: The last position, which the report has set if `isLastReported` is `true`.
    ///   - isLastReported: Whether the last position is new.
    ///   - now: The time of the report.
    mutating func add(_ past: [Element], last: inout Element?, isLastReported: Bool, at now: Date) {
        var reported = past.filter(\.hasPlace).map { $0.received(at: now) }
        if isLastReported, let last {
            reported.append(last)
        } else if let newest = reported.max(by: { $0.time(or: now) < $1.time(or: now) }) {
            let known = last?.measuredTime
            if known.map({ $0 < newest.measuredTime ?? .distantPast }) ?? true { last = newest }
        }
        guard let first = reported.map({ $0.time(or: now) }).min() else { return }
        // Only positions that are later than the oldest reported one change their places.
        let tail = self.reversed().prefix { $0.time(or: now) > first }.reversed()
        let sorted = (Array(tail) + reported).enumerated().sorted { one, two in
            let (left, right) = (one.element.time(or: now), two.element.time(or: now))
            return left == right ? one.offset < two.offset : left < right
        }
        removeLast(tail.count)
        self += sorted.map(\.element)
        removeFirst(Swift.max(0, count - Self.maximumCount))
    }
}

extension LocationMessage: ReportedPosition {
    var isFromService: Bool { locationSensor == .fleetEngineLocation }
}

extension DeliveryLocationMessage: ReportedPosition {
    var isFromService: Bool { locationSensor == .fleetEngineLocation }
}
