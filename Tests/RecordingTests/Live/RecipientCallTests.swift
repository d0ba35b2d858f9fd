import Failures
import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Calls of recipients in a log", .ends(within: .quickTest))
struct RecipientCallTests {
    private static let request = #"{"trackingid":"s"}"#
    private static let place = #""plannedlocation":{"point":\#(LogText.place(51))}"#

    /// A task of the shipment `s`, which the van has not loaded.
    private static let task = LogText.entry(
        "CreateTask",
        second: 1,
        request: "{}",
        response: #"{"name":"providers/acme/tasks/t","trackingid":"s","state":"TASK_STATE_LOG_OPEN",\#(place)}"#
    )

    /// The van on its way to the only stop, at the position that the service received then.
    private static func van(_ degrees: Double, second: Int) -> String {
        let stop = #"{\#(place),"tasks":[{"taskid":"t"}],"state":"VEHICLE_STOP_STATE_LOG_ENROUTE"}"#
        let segment = #"{"stop":\#(stop),"drivingduration":"600s","drivingdistancemeters":5000}"#
        return LogText.entry(
            "UpdateDeliveryVehicle",
            second: second,
            request: "{}",
            response: #"{"name":"providers/acme/deliveryVehicles/v"\#(LiveLogTests.location(degrees, at: second)),"#
                + #""remainingvehiclejourneysegments":[\#(segment)]}"#
        )
    }

    /// What the recipient received.
    private static func received(_ second: Int, state: String = "OPEN", _ more: String = "") -> String {
        LogText.entry(
            "GetTaskTrackingInfo",
            second: second,
            request: request,
            response: #"{"name":"providers/acme/taskTrackingInfo/s","trackingid":"s","#
                + #""state":"TASK_STATE_LOG_\#(state)",\#(place)\#(more)}"#
        )
    }

    private static func refused(_ second: Int) -> String {
        LiveLogTests.refused(
            "GetTaskTrackingInfo",
            second: second,
            request: request,
            status: 403,
            code: "PERMISSION_DENIED"
        )
    }

    private static func items(_ lines: [String], trips: [JourneyID] = []) -> [LiveLog.Item] {
        var log = LiveLog(trips: trips)
        return log.handle(Array(lines.map { $0 + "\n" }.joined().utf8)) { Moment(wall: $0, steady: .zero) }
    }

    private static func steps(_ lines: [String]) -> [LiveLog.Step] {
        items(lines).compactMap { item in if case .step(let step) = item { step } else { nil } }
    }

    private static func shipment(of step: LiveLog.Step) -> TaskTrackingInfo? {
        step.events.reversed().lazy.compactMap { event in
            if case .polled(_, let state, _) = event { state.journey?.shipment } else { nil }
        }
        .first
    }

    @Test func `are counted, refused ones, too, if the shipment is followed`() throws {
        let lines = [Self.task, Self.received(5), Self.refused(10), Self.received(15)]
        func codes(_ items: [LiveLog.Item]) -> [String?] {
            items.compactMap { item in
                guard case .riderCall(let journey, let refused, _) = item else { return nil }
                return journey.name == "taskTrackingInfo/s" ? .some(refused?.status) : nil
            }
        }
        #expect(codes(Self.items(lines)) == [nil, "PERMISSION_DENIED", nil])
        #expect(codes(Self.items(lines, trips: [.shipment(try TrackingID("other"))])).isEmpty)
    }

    @Test func `show a refusal until one succeeds`() {
        let steps = Self.steps([Self.task, Self.refused(5), Self.refused(10), Self.received(15)])
        #expect(steps.map(\.side) == [.server, .rider, .rider, .rider])
        #expect(steps.map(\.isRefused) == [false, true, true, false])
        #expect(steps[2].sides.errors[.rider]?.count == 2 && steps[2].events.isEmpty)
        #expect(steps[3].sides.reports[.rider]?.method == "GetTaskTrackingInfo")
        #expect(steps.allSatisfy { $0.sides.differences.isEmpty })
    }

    @Test func `show that the state of the other calls still holds`() throws {
        let steps = Self.steps([Self.task, Self.van(50.99, second: 5), Self.received(100)])
        let (last, before) = (try #require(steps.last), steps[1])
        #expect(last.side == .rider && last.time > before.time)
        let (shown, held) = (try #require(Self.shipment(of: last)), try #require(Self.shipment(of: before)))
        #expect(shown == held && shown.remainingStopCount == 1 && shown.vehicleLocation != nil)
    }

    @Test func `make an old position of the van known as soon as a recipient asks`() {
        func ages(_ lines: [String]) -> [PositionAge.Reason?] {
            var table = JourneyTable()
            return Self.steps(lines).flatMap { step in
                step.events.flatMap { table.apply($0, at: step.moment) }.compactMap { change in
                    if case .positionAge(let age, _) = change.kind { .some(age?.reason) } else { nil }
                }
            }
        }
        let moves = [Self.task, Self.van(50.98, second: 5), Self.van(50.99, second: 10)]
        let calls = stride(from: 12, to: 200, by: 5).map { Self.received($0) }
        #expect(ages(moves).isEmpty)
        #expect(ages(moves + calls) == [.driverSilent])
    }

    @Test func `are the state of a shipment without other calls, followed and replayed`() throws {
        let way =
            #","remainingstopcount":{"value":2},"remainingdrivingdistancemeters":{"value":900},"#
            + #""estimatedarrivaltime":"\#(LogText.time(300))","estimatedtaskcompletiontime":"\#(LogText.time(360))","#
            + #""routepolylinepoints":[\#(LogText.place(50)),\#(LogText.place(51))],"#
            + #""vehiclelocation":{"location":\#(LogText.place(50)),"servertime":"\#(LogText.time(9))"}"#
        let outcome =
            #","taskoutcome":"TASK_OUTCOME_LOG_SUCCEEDED","taskoutcometime":"\#(LogText.time(299))""#
        let lines = [
            Self.received(10, way), Self.received(15, way), Self.received(300, state: "CLOSED", outcome),
        ]
        let steps = Self.steps(lines)
        #expect(steps.map(\.side) == [.rider, .rider, .rider] && steps.allSatisfy { !$0.events.isEmpty })
        let first = try #require(Self.shipment(of: steps[0]))
        #expect(first.remainingStopCount == 2 && first.remainingDistance == Distance(meters: 900))
        #expect(first.estimatedArrival != nil && first.estimatedCompletion != nil && first.route?.points.count == 2)
        #expect(first.vehicleLocation?.coordinate == Coordinate(latitude: 50, longitude: 50))
        #expect(Self.shipment(of: steps[2])?.outcome == .succeeded)
        let replayed = try LogText.read(lines)
        #expect(replayed.timelines.map(\.id.name) == ["taskTrackingInfo/s"])
        // The second answer is the same.
        #expect(replayed.timelines[0].snapshots.map(\.journey.shipment) == [first, Self.shipment(of: steps[2])])
    }

    @Test func `do not replace the state that the other calls show`() throws {
        let trips = try LogText.read([Self.task, Self.van(50.99, second: 5), Self.received(100)])
        #expect(trips.timelines[0].snapshots.count == 2)
    }
}
