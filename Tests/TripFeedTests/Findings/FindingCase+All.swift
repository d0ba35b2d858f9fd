import Failures
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripTestSupport

extension FindingCase {
    /// At least one case for each rule.
    static let all = answers + plans + sessions + polls + tokens + shipments

    /// A degree of longitude at the equator is 111,195 m.
    private static let east = 1.0 / 111_195

    private static let answers: [FindingCase] = [
        FindingCase("statusMissing", .warning) { trip, _ in trip.status = TripStatus(name: "UNKNOWN_TRIP_STATUS") },
        FindingCase("statusWentBack", .warning) { trip, _ in trip.status = .enrouteToPickup },
        FindingCase("vehicleMissing", .warning) { trip, _ in trip.vehicleID = nil },
        FindingCase("waypointsMissing", .warning) { trip, _ in trip.remainingWaypoints = [] },
        FindingCase("unknownValue", .info) { trip, _ in trip.unknownFields = [UnknownField(name: "mood", text: "good")]
        },
        FindingCase("unknownValue", .info) { trip, _ in trip.status = .unrecognized("BOARDING") },
        FindingCase("valueUnreadable", .warning) { trip, _ in
            trip.unreadable = [UnknownField(name: "pickupTime", text: "2026-01-01T10:00:00")]
        },
        FindingCase("valueImplausible", .warning) { trip, _ in trip.lastLocation?.speed = 90 },
        FindingCase("listsTooLong", .warning) { trip, _ in
            trip.omitted = [OmittedElements(kind: .waypoints, count: 34_500)]
        },
        FindingCase("providerDiffers", .error) { trip, _ in trip.provider = try ProviderID("other") },
        FindingCase("otherTripFirst", .info) { trip, _ in
            trip.remainingWaypoints.insert(
                Waypoint(coordinate: nil, tripID: try TripID("other"), kind: .dropoff),
                at: 0
            )
        },
        FindingCase("overdue", .info) { trip, scene in
            trip.etaToFirstWaypoint = scene.now.wall.addingTimeInterval(-40)
        },
        FindingCase("arrivalJumped", .warning) { trip, _ in trip.etaToFirstWaypoint? += 46 },
        FindingCase("arrivalJumped", .warning) { trip, _ in trip.etaToFirstWaypoint? -= 300 },
        FindingCase("arrivalAfterEnd", .warning) { trip, _ in trip.status = .complete },
        FindingCase("distanceGrew", .warning) { trip, _ in trip.remainingDistance?.meters += 300 },
        FindingCase("rerouted", .warning) { trip, _ in
            trip.remainingDistance?.meters += 600
            trip.routeVersion = Version("2")
            trip.route = nil
        },
        FindingCase("distanceDiffersFromRoute", .warning) { trip, _ in
            trip.routeVersion = Version("2")
            trip.remainingDistance?.meters -= 1000
        },
        FindingCase("dropoffBeforePickup", .error) { trip, _ in trip.dropoffTime = trip.pickupTime.map { $0 - 1 } },
        FindingCase("farFromPlan", .warning) { trip, _ in
            trip.actualPickup = StopLocation(coordinate: Coordinate(latitude: 0.01, longitude: 0), time: nil)
        },
        FindingCase("impossibleSpeed", .error) { trip, _ in trip.lastLocation?.coordinate?.longitude += 0.02 },
        FindingCase("positionStale", .warning) { trip, _ in trip.lastLocation?.updateTime? -= 70 },
        FindingCase("positionLate", .warning) { trip, _ in trip.lastLocation?.updateTime? -= 40 },
        FindingCase("deviceClockAhead", .warning) { trip, _ in trip.lastLocation?.updateTime? += 30 },
        FindingCase("offRoute", .warning) { trip, _ in trip.lastLocation?.coordinate?.latitude = 0.001 },
    ]

    /// The plan of a trip with one stop and one passenger changes.
    private static func planned(
        _ rule: FindingRule,
        _ change: @escaping @Sendable (inout Trip) -> Void
    ) -> FindingCase {
        .session(rule, .warning) { scene in
            func plan(_ trip: inout Trip) {
                (trip.passengers, trip.type) = (1, .exclusive)
                trip.intermediateDestinations = [Coordinate(latitude: 0, longitude: 0.05)]
            }
            _ = scene.answer(plan)
            return scene.answer { trip in
                plan(&trip)
                change(&trip)
            }
        }
    }

    private static let plans: [FindingCase] = [
        planned("pickupMoved") { $0.pickup = Coordinate(latitude: 0, longitude: 400 * east) },
        planned("dropoffMoved") { $0.dropoff = Coordinate(latitude: 0, longitude: 0.2) },
        planned("stopsChanged") { $0.intermediateDestinations.append(Coordinate(latitude: 0, longitude: 0.07)) },
        planned("stopMoved") {
            $0.intermediateDestinations = [Coordinate(latitude: 0, longitude: 0.05 + 500 * east)]
        },
        planned("passengersChanged") { $0.passengers = 3 },
        planned("tripTypeChanged") { $0.type = .shared },
        .session("planShrank", .warning) { scene in
            let own = scene.base.remainingWaypoints
            return scene.answer { $0.remainingWaypoints = own + own } + scene.answer()
        },
        .session("stopsSkipped", .warning) { scene in
            let stops = [0.02, 0.04].map { Coordinate(latitude: 0, longitude: $0) }
            _ = scene.answer {
                $0.intermediateDestinations = stops
                $0.status = .enrouteToIntermediateDestination
            }
            return scene.answer { $0.intermediateDestinations = stops }
        },
    ]

    private static let sessions: [FindingCase] = [
        .session("statusSkipped", .info) { scene in
            scene.answer { $0.status = .enrouteToPickup } + scene.answer()
        },
        .session("changedAfterEnd", .error) { scene in
            let end = scene.answer {
                $0.status = .complete
                $0.etaToFirstWaypoint = nil
            }
            return end + scene.answer()
        },
        .session("pickupTimeMoves", .warning) { scene in
            let stop = StopLocation(coordinate: Coordinate(latitude: 0, longitude: 0), time: nil)
            _ = scene.answer { $0.actualPickup = stop }
            return scene.answer {
                $0.actualPickup = stop
                $0.pickupTime? += 9
            }
        },
        .session("vehicleAlternates", .warning) { scene in
            let other = try VehicleID("other")
            return scene.answer() + scene.answer { $0.vehicleID = other } + scene.answer()
        },
        .session("coordinatesSwapped", .warning) { scene in
            (0..<10).flatMap { number in
                scene.answer { trip in
                    trip.pickup = Coordinate(latitude: 52.52, longitude: 13.405)
                    trip.dropoff = Coordinate(latitude: 52.50, longitude: 13.45)
                    trip.lastLocation?.coordinate =
                        number < 2
                        ? Coordinate(latitude: 52.51, longitude: 13.42) : Coordinate(latitude: 13.42, longitude: 52.51)
                }
            }
        },
        .session("arrivalDisagrees", .warning) { scene in
            let arrival = scene.start.wall.addingTimeInterval(116.6 + 7200)
            return (0..<14).flatMap { _ in
                let meters = scene.now.steady.seconds * 10
                return scene.answer { trip in
                    trip.lastLocation?.coordinate?.longitude = meters * east
                    trip.remainingDistance = Distance(meters: 1166 - meters)
                    trip.etaToFirstWaypoint = arrival
                }
            }
        },
        .session("positionGap", .warning) { scene in
            let known = scene.base.lastLocation
            return (0..<10).flatMap { _ in scene.answer { $0.lastLocation = known } } + scene.answer()
        },
        .session("reportsRare", .warning) { scene in
            (0..<120).flatMap { _ in
                let report = scene.healthy(after: (scene.now.steady.seconds / 40).rounded(.down) * 40)
                return scene.answer {
                    ($0.lastLocation, $0.remainingDistance) = (report.lastLocation, report.remainingDistance)
                }
            }
        },
        .session("reportsFrequent", .info) { _ in
            var limits = FindingLimits()
            limits[.frequentReports] = 6
            var scene = try FindingScene(limits: limits)
            return (0..<20).flatMap { _ in scene.answer() }
        },
        .session("standsStill", .warning) { scene in (0..<60).flatMap { _ in scene.answer(stand) } },
        .session("arrivalSlides", .info) { scene in
            (0..<20).flatMap { _ in
                let passed = scene.now.steady.seconds
                return scene.answer {
                    stand(&$0)
                    $0.etaToFirstWaypoint? += passed
                }
            }
        },
        .session("trackingMissing", .warning) { scene in
            (0..<12).flatMap { _ in scene.answer { $0.lastLocation = nil } }
        },
        .session("clocksDiffer", .warning) { scene in scene.answer(serviceAhead: 300) },
        .session("answerCached", .warning) { scene in
            scene.answer(serviceAhead: -120, cache: CacheEvidence([(name: "Age", value: "120")]))
        },
        .session("answerOutdated", .warning) { scene in
            let old = scene.healthy(after: 0)
            return scene.answer() + scene.answer() + scene.answer { $0 = old }
        },
    ]

    /// Makes the vehicle report the same position again.
    private static func stand(_ trip: inout Trip) {
        trip.lastLocation?.coordinate = Coordinate(latitude: 0, longitude: 0)
        trip.remainingDistance = Distance(meters: 11_119)
    }

    private static let polls: [FindingCase] = [
        .session("pollsFail", .info) { scene in scene.answer() + scene.fail(.refused) },
        .session("pollsOverlap", .error) { scene in
            scene.fail(.refused, after: .seconds(-1)) + scene.fail(.refused)
        },
        .session("noBackOff", .warning) { scene in
            (0..<6).flatMap { _ in scene.fail(.refused, after: .milliseconds(300)) }
        },
        .session("serviceRefuses", .error) { scene in
            let answer = ServiceAnswer(httpStatus: 403, status: "PERMISSION_DENIED", message: "no")
            return scene.fail(.service(answer, retryAfter: nil))
        },
    ]

    private static func rejected(_ rule: FindingRule, _ error: @escaping @Sendable () -> TokenError) -> FindingCase {
        .session(rule, .error) { scene in scene.fail(error().failure) }
    }

    private static func token(_ generation: Int, life: Double, at date: Date) -> TokenStatus {
        var status = TokenStatus(state: .fresh, source: "test")
        (status.generation, status.issuedAt) = (generation, date)
        status.expiresAt = date.addingTimeInterval(life)
        return status
    }

    private static let tokens: [FindingCase] = [
        rejected("tokenForAnother") { .unusable(.tokenBoundToAnother, retryAfter: .seconds(1)) },
        rejected("tokenIDForm") {
            .unusable(.tokenIDForm(.resourceName, claim: "tripid"), retryAfter: .seconds(1))
        },
        rejected("tokenUnusable") { .unusable(.tokenWrongAudience, retryAfter: .seconds(1)) },
        .session("tokenTooShortLived", .warning) { scene in
            scene.answer(token: token(1, life: 9, at: scene.now.wall))
        },
        .session("tokenRefetched", .warning) { scene in
            (1...3).flatMap { scene.answer(token: token($0, life: 3300, at: scene.now.wall)) }
        },
    ]

    private static let shipments: [FindingCase] = [
        .shipment("arrivalAfterWindow", .warning) { scene in
            scene.answer { $0.estimatedArrival = ShipmentScene.start + 1861 }
        },
        .shipment("windowPassed", .warning) { scene in
            scene.answer(after: .seconds(1870)) + scene.answer()
        },
        .shipment("outcomeNotClosed", .info) { scene in
            scene.answer { info in
                (info.outcome, info.outcomeTime) = (.succeeded, ShipmentScene.start - 601)
                (info.estimatedArrival, info.estimatedCompletion) = (nil, nil)
            }
        },
        .shipment("stopsGrew", .warning) { scene in
            scene.answer { $0.remainingStopCount = 2 } + scene.answer { $0.remainingStopCount = 6 }
        },
        .shipment("windowMoved", .warning) { scene in
            let later = TimeWindow(start: ShipmentScene.start + 10_800, end: ShipmentScene.start + 12_600)
            return scene.answer() + scene.answer { $0.targetTimeWindow = later }
        },
        .shipment("valueHidden", .info) { scene in
            scene.answer() + scene.answer { ($0.vehicleLocation, $0.route) = (nil, nil) }
        },
    ]
}
