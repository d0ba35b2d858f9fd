import Foundation
import Runtime
import TripFeed
import TripModel

/// What happened on a trip that is complete or canceled; durations in seconds, distances in meters.
///
/// What was not seen is absent.
struct ReceiptLine: Encodable {
    /// The predictions of one arrival, compared with the actual one.
    struct Promise: Encodable {
        var first: String?
        var actual: String?
        /// The latest possible time of the arrival instead, if an outage hid it.
        var actualAtTheLatest: String?
        /// The delay compared with the first prediction, negative if early.
        var delaySeconds: Double?
        /// The errors some minutes before the arrival, by the number of minutes; positive if the vehicle came later.
        var errorSeconds: [String: Double]
        /// Since when the predictions were within 60 s; `never` if the last one was not.
        var within60SecondsSince: String?

        init(_ record: PromiseRecord) {
            first = (record.first?.time).map(Timestamp.text)
            let time = record.actual.map(Timestamp.text)
            (actual, actualAtTheLatest) = record.isLatest ? (nil, time) : (time, nil)
            delaySeconds = record.delay.map(ReceiptLine.rounded)
            errorSeconds = Dictionary(
                uniqueKeysWithValues: PromiseRecord.minutes.compactMap { minutes in
                    record.error(minutesBefore: minutes).map { ("\(minutes)", ReceiptLine.rounded($0)) }
                }
            )
            within60SecondsSince =
                switch record.accuracy {
                case .notKnown: nil
                case .never: "never"
                case .since(let time): Timestamp.text(time)
                }
        }
    }

    /// The distance of a part of the trip.
    struct Way: Encodable {
        var drivenMeters: Double?
        var reportedMeters: Double?

        init(_ leg: DrivenLeg) {
            drivenMeters = leg.driven.map(ReceiptLine.rounded)
            reportedMeters = leg.reported.map(ReceiptLine.rounded)
        }
    }

    var type = "receipt"
    var time: String
    var trip: String
    var status: String
    var waitForDriverSeconds: Double?
    var waitForVehicleSeconds: Double?
    var waitAtPickupSeconds: Double?
    var waitAtStopsSeconds: Double?
    var rideSeconds: Double?
    var wayToPickup: Way
    var wayToDropoff: Way
    var pickup: Promise
    var dropoff: Promise
    var polls: Int
    var errors: [String: Int]
    var tokens: Int
    var tokenRefreshes: Int
    var tokenFailures: Int
    var refusedTokens: Int
    var findings: [String: Int]

    init(_ receipt: TripReceipt, now: Moment) {
        time = Timestamp.text(now.wall)
        trip = receipt.journey.name
        status = receipt.statuses.last?.status.name ?? ""
        waitForDriverSeconds = receipt.waitForDriver.map(Self.rounded)
        waitForVehicleSeconds = receipt.waitForVehicle.map(Self.rounded)
        waitAtPickupSeconds = receipt.waitAtPickup.map(Self.rounded)
        waitAtStopsSeconds = receipt.waitAtStops.map(Self.rounded)
        rideSeconds = receipt.rideDuration.map(Self.rounded)
        (wayToPickup, wayToDropoff) = (Way(receipt.wayToPickup), Way(receipt.wayToDropoff))
        (pickup, dropoff) = (Promise(receipt.pickup), Promise(receipt.dropoff))
        (polls, errors) = (receipt.polls.total, receipt.polls.failures)
        (tokens, tokenRefreshes) = (receipt.tokens.received, receipt.refreshes)
        (tokenFailures, refusedTokens) = (receipt.tokens.failures, receipt.tokens.refused)
        findings = Dictionary(uniqueKeysWithValues: receipt.findings.rules.map { ($0.key.id, $0.value) })
    }

    fileprivate static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
