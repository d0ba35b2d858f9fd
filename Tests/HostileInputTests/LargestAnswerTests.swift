import CoreFoundation
import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport

/// Bodies of the largest accepted size, each as expensive to process as possible in one way.
@Suite("Largest answers", .ends(within: .longTest))
struct LargestAnswerTests {
    /// The content of a body.
    enum Filling: String, CaseIterable, CustomTestStringConvertible {
        case waypoints, repeatedWaypoints, namedWaypoints, points, encodedPath, intervals, stops, attributes
        case unknownFields, snakeCaseFields, unknownList, escapes, status, number, nested, errorDetails, errorMembers
        case errorMessage, spaces, waypointPaths

        var testDescription: String { rawValue }

        /// Whether the number of values is limited; other bodies are always of the largest size.
        var hasManyValues: Bool {
            switch self {
            case .encodedPath, .escapes, .status, .number, .nested, .errorMessage, .spaces: false
            default: true
            }
        }
    }

    /// Each content in the largest size, and with almost as many values as are accepted.
    private static let bodies =
        Filling.allCases.map { ($0, Int.max) }
        + Filling.allCases.filter(\.hasManyValues).map { ($0, JSONBytes.maximumValues - 100) }

    private static let largest = 4 << 20

    /// A body with this content, of the largest size or with almost as many values as are accepted.
    ///
    /// `round` makes each body differ from the previous one.
    private static func body(_ filling: Filling, _ round: Int, maximumCommas: Int) -> [UInt8] {
        let head =
            #"{"name":"providers/p/trips/t","tripStatus":"ENROUTE_TO_PICKUP","vehicleId":"v\#(round)","#
            + #""remainingWaypointsRouteVersion":"2026-01-01T00:00:00Z","#
            + #""lastLocation":{"location":{"latitude":52.\#(round),"longitude":13}},"#
        func list(_ key: String, _ item: (Int) -> String) -> String {
            var text = head + "\"\(key)\":["
            var (number, commas) = (0, 0)
            while text.utf8.count < largest - 200, commas < maximumCommas {
                let next = (number > 0 ? "," : "") + item(number)
                text += next
                commas += next.utf8.count { $0 == UInt8(ascii: ",") }
                number += 1
            }
            return text + "]}"
        }
        func members(_ head: String, _ tail: String, _ item: (Int) -> String) -> String {
            var text = head
            var number = 0
            while text.utf8.count < largest - 200, number < maximumCommas {
                text += item(number)
                number += 1
            }
            return text + tail
        }
        let text: String
        switch filling {
        case .waypoints: text = list("remainingWaypoints") { _ in "{}" }
        case .repeatedWaypoints:
            text = list("remainingWaypoints") { _ in #"{"tripId":"t","waypointType":"PICKUP_WAYPOINT_TYPE"}"# }
        case .namedWaypoints:
            text = list("remainingWaypoints") {
                #"{"tripId":"\#($0 + round)","location":{"point":{"latitude":\#($0 % 80),"longitude":1}}}"#
            }
        case .waypointPaths:
            text = list("remainingWaypoints") { _ in #"{"pathToWaypoint":[{},{},{},{},{},{},{},{},{},{},{},{},{},{}]}"#
            }
        case .points: text = list("route") { "{\"latitude\":\(Double($0 % 900) / 10 + 0.01),\"longitude\":\(round)}" }
        case .encodedPath:
            let points = (0..<200_000).map { Coordinate(latitude: Double($0 % 80), longitude: Double($0 % 170)) }
            text = head + "\"currentRouteSegment\":\"\(S2Polyline.encode(points))\"}"
        case .intervals:
            text = list("remainingWaypoints") { number in
                number > 0
                    ? #"{"trafficToWaypoint":{"speedReadingInterval":[{},{},{},{},{},{},{},{}]}}"#
                    : #"{"trafficToWaypoint":{"speedReadingInterval":[{"speed":"X"}]}}"#
            }
        case .stops: text = list("intermediateDestinations") { _ in "{\"point\":{}}" }
        case .attributes: text = list("attributes") { "{\"key\":\"\($0)\",\"value\":\"\(round)\"}" }
        case .unknownFields: text = members(String(head.dropLast()), "}") { ",\"a\($0)\":0" }
        case .snakeCaseFields: text = members(String(head.dropLast()), "}") { ",\"a_b_\($0)\":0" }
        case .unknownList: text = list("mystery") { _ in "[[{}]]" }
        case .escapes: text = head + "\"view\":\"" + String(repeating: "\\u202e", count: 680_000) + "\"}"
        case .status:
            text =
                "{\"name\":\"providers/p/trips/t\",\"tripStatus\":\""
                + String(repeating: "e\u{301}\u{301}", count: 800_000) + "\(round)\"}"
        case .number: text = head + "\"numberOfPassengers\":1" + String(repeating: "0", count: 4_000_000) + "}"
        case .nested: text = String(repeating: "[", count: largest - 1)
        case .errorDetails: text = members(#"{"error":{"details":[{}"#, "]}}") { _ in ",{}" }
        case .errorMembers: text = members(#"{"error":{"status":"X""#, "}}") { ",\"a\($0)\":{}" }
        case .errorMessage: text = #"{"error":{"message":"\#(String(repeating: "x ", count: 1_900_000))"}}"#
        case .spaces: text = head + String(repeating: " ", count: 3_900_000) + "\"view\":\"SDK\"}"
        }
        return Array(text.utf8)
    }

    @Test(arguments: bodies)
    func `takes at most two seconds from the bytes to the screen`(_ filling: Filling, maximumCommas: Int) throws {
        let request = JourneyRequest(provider: try ProviderID("p"), journey: try .trip(TripID("t")))
        let isError = filling.rawValue.hasPrefix("error")
        var shortest = Duration.seconds(100)
        // Repeated, because the first time may include one-time initialization.
        for _ in 0..<4 where shortest > .seconds(2) {
            var state = TripState(id: request.journey)
            var detector = FindingDetector(journey: request.journey, provider: request.provider)
            var screen = State(
                trips: [request.journey],
                settings: State.Settings(host: "h"),
                now: Moment(wall: .distantPast, steady: .zero),
                width: 100,
                height: 30
            )
            _ = screen.update(.key(.character("5")))
            var longest = Duration.zero
            // The second answer is merged into the state of the first.
            for round in 1...2 {
                let body = Self.body(filling, round, maximumCommas: maximumCommas)
                #expect(body.count <= Self.largest)
                let response = HTTPTransportResponse(status: isError ? 500 : 200, body: body)
                let now = Moment(wall: HurriedClock.start, steady: .seconds(round))
                let began = ProcessorTime.ofThread
                var report = PollReport(journey: request.journey, started: now)
                report.call = .sample(status: response.status, body: body, at: now)
                report.outcome = FleetClient.outcome(of: response, for: request, now: now.wall)
                if case .success(let trip) = report.outcome { state.merge(trip, serverDate: nil, at: now) }
                let findings = detector.examine(report, state: state, interval: .seconds(5))
                let schedule = PollSchedule(interval: .seconds(5), next: nil)
                _ = screen.update(.feed(.polled(report, state, schedule)))
                if !findings.isEmpty { _ = screen.update(.feed(.found(request.journey, findings))) }
                longest = max(longest, ProcessorTime.ofThread - began)
                #expect(report.answer?.body.map { $0.bytes.count <= StoredBody.largest } == true)
            }
            shortest = min(shortest, longest)
        }
        #expect(shortest <= .seconds(2))
        print("Largest answers: \(filling.rawValue), \(maximumCommas) commas: \(shortest)")
    }
}
