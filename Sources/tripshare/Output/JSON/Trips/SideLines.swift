import Canvas
import Failures
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// What a side reported, knew or received.
struct SideValues: Encodable {
    private struct Location: Encodable {
        var latitude: Double
        var longitude: Double
        var heading: Int?
        var speed: Double?
    }

    private var call: String?
    private var receivedAt: String
    private var insertId: String?
    private var status: String?
    private var statusAt: String?
    private var vehicleId: String?
    private var navigationStatus: String?
    private var location: Location?
    private var locationReceivedAt: String?
    private var locationMeasuredAt: String?
    private var waypointsLeft: Int?
    private var eta: String?
    private var remainingDistanceMeters: Double?

    init(_ report: SideReport) {
        call = report.method.isEmpty ? nil : report.method
        receivedAt = Timestamp.text(report.time)
        insertId = report.call?.insertIDInJSON
        status = report.status?.name
        statusAt = (report.statusCall?.time).map(Timestamp.text)
        vehicleId = report.vehicle?.rawValue
        navigationStatus = report.navigation
        location = report.location.flatMap { location in
            location.coordinate.map {
                Location(
                    latitude: $0.latitude,
                    longitude: $0.longitude,
                    heading: location.heading,
                    speed: location.speed
                )
            }
        }
        locationReceivedAt = report.locationTime.map(Timestamp.text)
        locationMeasuredAt = report.location?.measuredTime.map(Timestamp.text)
        waypointsLeft = report.waypointsLeft
        eta = report.arrival.map(Timestamp.text)
        remainingDistanceMeters = report.distance?.meters
    }
}

/// A refused call of a side.
struct SideRefusal: Encodable {
    private var call: String
    private var receivedAt: String
    private var insertId: String?
    private var httpStatus: Int
    private var code: String?
    private var message: String?
    /// The number of refused calls in a row.
    private var count: Int
    /// What was refused, the party at fault and what to do, in English.
    private var failure: String
    private var party: String?
    private var advice: String?

    init(_ refused: SideError, side: TripSide, journey: JourneyID) {
        call = refused.method
        receivedAt = Timestamp.text(refused.time)
        insertId = refused.call.insertIDInJSON
        httpStatus = refused.error.httpStatus
        code = refused.error.status
        message = refused.error.message.map(Cause.shown)
        count = refused.count
        let sentence = UserMessage(refused, side: side, journey: journey)
        failure = sentence.what
        party = sentence.party?.rawValue
        advice = sentence.advice
    }
}

/// A call in a log.
struct SideLine: Encodable {
    private let type = "side"
    private let time: String
    private let trip: String
    private let side: String
    private let outcome: String
    private let values: SideValues?
    private let refused: SideRefusal?

    init(time: String, journey: JourneyID, side: TripSide, report: SideReport) {
        (self.time, self.trip, self.side) = (time, journey.name, side.rawValue)
        (outcome, values, refused) = ("ok", SideValues(report), nil)
    }

    init(time: String, journey: JourneyID, side: TripSide, refused: SideError) {
        (self.time, self.trip, self.side) = (time, journey.name, side.rawValue)
        (outcome, values, self.refused) = ("error", nil, SideRefusal(refused, side: side, journey: journey))
    }
}

/// A difference between the sides that began with a call.
struct SideDifferenceLine: Encodable {
    private let type = "difference"
    private let time: String
    private let trip: String
    private let difference: SideDifferenceValues

    init(time: String, journey: JourneyID, _ difference: SideDifference) {
        (self.time, self.trip) = (time, journey.name)
        self.difference = SideDifferenceValues(difference)
    }
}

/// What the sides disagree about.
struct SideDifferenceValues: Encodable {
    private let kind: String
    private let isFault: Bool
    private let seconds: Double?
    private let meters: Double?
    private let server: String?
    private let rider: String?
    /// The difference as a sentence, in English.
    private let text: String
    /// The calls that have shown both values.
    private let evidence: [SideCallValues]

    init(_ difference: SideDifference) {
        kind = difference.kind.rawValue
        isFault = difference.isFault
        seconds = difference.seconds.map { ($0 * 10).rounded() / 10 }
        meters = difference.meters.map { ($0 * 10).rounded() / 10 }
        server = difference.server
        rider = difference.rider
        text = Localizer.english.sentence(of: difference)
        evidence = difference.evidence.map(SideCallValues.init)
    }
}

/// A call in a log as evidence.
struct SideCallValues: Encodable {
    private let call: String
    private let receivedAt: String
    private let insertId: String?

    init(_ call: SideCall) {
        (self.call, receivedAt, insertId) = (call.method, Timestamp.text(call.time), call.insertIDInJSON)
    }
}

extension SideCall {
    /// The ID of the entry; `nil` if it has none.
    fileprivate var insertIDInJSON: String? { insertID.isEmpty ? nil : Cause.shown(insertID) }
}

/// The end of a difference.
struct AgreementLine: Encodable {
    var type = "agreement"
    var time: String
    var trip: String
    /// The kind of the difference.
    var difference: String
}

/// The last state of a trip.
struct SidesLine: Encodable {
    private let type = "sides"
    private let time: String
    private let trip: String
    private let sides: [String: SideValues]
    private let refused: [String: SideRefusal]
    private let differences: [SideDifferenceValues]

    init(time: String, _ sides: TripSides) {
        (self.time, trip) = (time, sides.id.name)
        func named<Value, Line>(_ values: [TripSide: Value], _ line: (TripSide, Value) -> Line) -> [String: Line] {
            Dictionary(uniqueKeysWithValues: values.map { ($0.rawValue, line($0, $1)) })
        }
        self.sides = named(sides.reports) { SideValues($1) }
        refused = named(sides.errors) { SideRefusal($1, side: $0, journey: sides.id) }
        differences = sides.differences.map(SideDifferenceValues.init)
    }
}
