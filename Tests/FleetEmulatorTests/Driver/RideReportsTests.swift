import FleetEmulator
import FleetEngineProtos
import FleetWire
import Runtime
import SwiftProtobuf
import Testing
import TripModel
import TripTestSupport

@Suite("Ride reports", .ends(within: .quickTest))
struct RideReportsTests {
    static let seeds: [UInt64] = [0, 1, 2, 7, 42, 1234, .max]

    @Test(arguments: seeds)
    func `never move back and never exceed city speed`(seed: UInt64) async throws {
        for motion in try await Self.motions(seed: seed) {
            for (from, to) in zip(motion, motion.dropFirst()) {
                #expect(to.left <= from.left)
                #expect(from.left - to.left <= 17 * (to.time - from.time) + 1)
            }
            #expect(motion.allSatisfy { (0...17).contains($0.speed) })
            #expect(motion.last?.left == 0)
        }
    }

    @Test(arguments: seeds)
    func `stop at one red light on the way to the drop-off`(seed: UInt64) async throws {
        let stops = try await Self.motions(seed: seed).map { motion in
            let stops = motion.map { $0.speed == 0 && $0.left > 0 }
            return zip(stops, [false] + stops).count { $0 && !$1 }
        }
        #expect(stops == [0, 1])
    }

    @Test(arguments: seeds)
    func `are slow in the traffic that they report`(seed: UInt64) async throws {
        let scene = try DriverScene(seed: seed)
        #expect(await scene.drive() == nil)
        let stretches = try scene.sent("UpdateVehicle").compactMap {
            try $0.vehicleMessage.currentRouteSegmentTraffic.trafficRendering.roadStretch.first
        }
        let stretch = try #require(stretches.last)
        let (start, end) = (Double(stretch.offsetMeters), Double(stretch.offsetMeters + stretch.lengthMeters))
        let length = scene.plan.ride.route.length.meters
        let motion = try #require(try await Self.motions(seed: seed).last)
        let inside = motion.filter {
            (start + 10..<end - 10).contains(length - $0.left)
        }
        #expect(inside.count > 3)
        #expect(inside.allSatisfy { $0.speed <= 8 })
        #expect(motion.contains { $0.speed > 11 })
    }

    @Test(arguments: seeds)
    func `forecast the arrival with an error of at most 4 % that ends at zero`(seed: UInt64) async throws {
        for motion in try await Self.motions(seed: seed) {
            let end = try #require(motion.last).time
            for report in motion {
                let left = end - report.time
                #expect(abs(report.forecast - left) <= 0.04 * left + 0.5)
            }
            #expect(motion.last?.forecast == 0)
            #expect(motion.contains { abs($0.forecast - (end - $0.time)) > 0.6 })
        }
    }

    /// The movement in a report: time in seconds, remaining metres, forecast seconds, metres per second.
    struct Motion {
        var time: Double
        var left: Double
        var forecast: Double
        var speed: Double
    }

    /// The reports of both legs of a ride.
    static func motions(seed: UInt64) async throws -> [[Motion]] {
        let scene = try DriverScene(seed: seed)
        #expect(await scene.drive() == nil)
        return try scene.legs().map { leg in
            try leg.map { report in
                let update = try report.vehicleMessage
                #expect(update.hasRemainingDistanceMeters && update.hasRemainingTimeSeconds)
                return Motion(
                    time: report.time,
                    left: Double(update.remainingDistanceMeters.value),
                    forecast: Double(update.remainingTimeSeconds.value),
                    speed: try #require(update.lastLocation.model.speed)
                )
            }
        }
    }
}
