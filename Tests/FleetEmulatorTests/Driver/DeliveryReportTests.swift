import FleetEngineProtos
import FleetWire
import Foundation
import Testing
import TripModel
import TripTestSupport

@testable import FleetEmulator

@Suite("Reports of a delivery vehicle", .ends(within: .quickTest))
struct DeliveryReportTests {
    /// Paths whose texts have all characters of URL-safe base64.
    private static let paths = (0..<40).map { number in
        (0...3).map { Coordinate(latitude: 51.04 + Double(number) / 997, longitude: -30.01 + Double($0) / 499) }
    }

    @Test func `the path is the driver's, whatever characters its text has`() throws {
        let texts = Self.paths.map { S2Polyline.encode($0) }
        #expect(texts.contains { $0.contains("-") } && texts.contains { $0.contains("_") })
        for text in texts {
            var report = VehicleMessage(.online)
            report.currentRouteSegment = text
            let sent = DeliveryVehicleMessage(report)
            let path = try S2Polyline.decode(sent.currentRouteSegment.base64EncodedString())
            #expect(path == (try S2Polyline.decode(text)))
            #expect(sent.mask.contains("currentRouteSegment"))
        }
    }
}
