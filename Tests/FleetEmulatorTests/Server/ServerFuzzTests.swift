import Failures
import FleetEmulator
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Server: hostile requests", .ends(within: .quickTest))
struct ServerFuzzTests {
    /// The requests of one service that are damaged.
    private struct Corpus: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var targets: [String]
        var bodies: [String]
        var isOfDeliveries: Bool
    }

    private static let methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "BREW"]
    private static let trips = Corpus(
        testDescription: "trips",
        targets: tripTargets,
        bodies: tripBodies + notMessages,
        isOfDeliveries: false
    )
    private static let deliveries = Corpus(
        testDescription: "deliveries",
        targets: deliveryTargets,
        bodies: deliveryBodies + notMessages,
        isOfDeliveries: true
    )
    private static let deliveryTargets = [
        "/v1/providers/p/tasks/t-1?updateMask=state,taskOutcome,attributes", "/v1/providers/p/tasks?taskId=t-2",
        "/v1/providers/p/tasks:batchCreate",
        "/v1/providers/p/tasks?pageSize=3&filter=state%3DOPEN%20OR%20-type%3DPICKUP",
        "/v1/providers/p/deliveryVehicles/v-1?updateMask=lastLocation,remainingVehicleJourneySegments",
        "/v1/providers/p/deliveryVehicles?deliveryVehicleId=v-1", "/v1/providers/p/taskTrackingInfo/s-1",
        "/v1/providers/p/deliveryVehicles?filter=attributes.a%3D%22b%22&viewport.low.latitude=5&viewport.high.latitude=9",
        "/v1/providers/p/deliveryVehicles/v-1?updateMask=currentRouteSegment,remainingDuration&fields=name",
        "/token/delivery_consumer/s-1", "/token/delivery_driver/v-1",
    ]
    private static let deliveryBodies = [
        #"{"type":"DELIVERY","state":"OPEN","trackingId":"s-1","taskDuration":"60s","plannedLocation":{"point":{"latitude":5}}}"#,
        #"{"taskOutcome":1,"state":2,"taskTrackingViewConfig":{"vehicleLocationVisibility":{"remainingStopCountThreshold":5}}}"#,
        #"{"requests":[{"taskId":"a","task":{"type":4,"state":1,"taskDuration":"1e9s"}},{"taskId":"b","parent":"providers/p"}]}"#,
        #"{"lastLocation":{"location":{"latitude":51.05,"longitude":-3.7e0},"heading":359},"remainingVehicleJourneySegments":[{"stop":{"plannedLocation":{"point":{}},"state":2,"tasks":[{"taskId":"t-2"}]}}]}"#,
        #"{"currentRouteSegment":"AhYCECPlXZ6GAJABAA==","remainingDuration":"315576000000s","remainingDistanceMeters":-2147483648}"#,
        #"{"type":1,"attributes":[{"key":"a","value":"b"}]}"#, "{}",
    ]
    private static let tripTargets = [
        "/v1/providers/p/trips/tr-1?updateMask=tripStatus,vehicleId&view=2", "/v1/providers/p/trips?tripId=tr-2",
        "/v1/providers/p/vehicles/veh-1?updateMask=lastLocation,waypoints",
        "/v1/providers/p/vehicles?pageSize=3&filter=a",
        "/v1/providers/p/trips:search", "/v1/providers/p/vehicles:search", "/v1/providers/p/billableTrips/x:report",
        "/v1/providers/p/vehicles/veh-1:updateAttributes", "/token/consumer/tr-1",
    ]
    private static let tripBodies = [
        #"{"tripStatus":"ENROUTE_TO_PICKUP","vehicleId":"veh-1","vehicleWaypoints":[{"tripId":"tr-1","waypointType":1}]}"#,
        #"{"lastLocation":{"location":{"latitude":51.05,"longitude":-3.7e0},"heading":359},"waypoints":[],"attributes":[{"key":"a"}]}"#,
        #"{"tripType":2,"pickupPoint":{"point":{}},"intermediateDestinations":[{"point":{"latitude":"NaN"}}],"numberOfPassengers":"3"}"#,
        #"{"pickupPoint":{"point":{}},"pickupRadiusMeters":400,"count":1,"minimumCapacity":1,"tripTypes":[2],"vehicleTypes":[{}],"orderBy":1}"#,
        #"{"currentRouteSegment":"AhYCECPlXZ6GAJABAA==","currentRouteSegmentTraffic":{"trafficRendering":{"roadStretch":[{"style":2,"offsetMeters":-5}]}}}"#,
    ]
    private static let notMessages = ["", "null", "[[[[[[[[]]]]]]]]", "\u{0}"]
    private static let spices = Array(#"{}[]",:0-9e./%?&=~*"#.utf8) + [0, 0x7f, 0xc3, 0xff]

    private static func mutated(_ text: String, _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(spices.randomElement(using: &random) ?? 0, at: place)
            default: bytes[place] = spices.randomElement(using: &random) ?? 0
            }
        }
        return bytes
    }

    @Test(arguments: [trips, deliveries])
    private func `answers each of 6,000 damaged requests, and none with a 5xx status`(corpus: Corpus) async throws {
        let clock = ManualClock()
        let router = RequestRouter(
            FleetService(.world(World(provider: try ProviderID("p")))),
            keys: try await SharedKeys.keys,
            options: EmulatorOptions(),
            clock: clock,
            faults: FaultInjector()
        )
        let token = try await router.operatorToken(ofDeliveries: corpus.isOfDeliveries)
        let transport = router.transport
        var random = SeededGenerator(seed: 44)
        var statuses: [Int: Int] = [:]
        for number in 0..<6000 {
            let target = String(
                decoding: Self.mutated(corpus.targets.randomElement(using: &random) ?? "/", &random),
                as: UTF8.self
            )
            let host = target.hasPrefix("/token") ? "http://tokens.test" : "http://engine.test"
            let body = Self.mutated(corpus.bodies.randomElement(using: &random) ?? "", &random)
            let request = HTTPTransportRequest(
                method: Self.methods.randomElement(using: &random) ?? "GET",
                url: host + target,
                headers: [("authorization", "Bearer \(token)")],
                body: body,
                timeout: .testTimeout
            )
            do throws(Failure) {
                let response = try await transport.send(request)
                statuses[response.status, default: 0] += 1
                let isAnswer = (200..<500).contains(response.status)
                #expect(isAnswer, "request \(number): \(response.status)")
                if response.status >= 400 {
                    let error = ServiceAnswer(httpStatus: response.status, body: response.body)
                    #expect(error.status != nil && error.message != nil, "request \(number)")
                }
            } catch {
                // A target that is not a path is not answered here; the HTTP listener answers it with 400.
                #expect(error == .malformed(reason: "not a path"), "request \(number)")
            }
        }
        #expect(statuses[200, default: 0] > 20 && statuses[400, default: 0] > 200)
    }
}
