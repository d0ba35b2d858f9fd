import Failures
import Foundation
import Testing
import TransportLive
import TripTestSupport

/// An emulator with a van that waits for a driver.
enum ParkedVan {
    /// A van that has three stops and no driver.
    private static let scenario = """
        title: A parked van
        about: It has stops and no driver.
        vans:
          - id: own
            at: Museum
            steps:
              - assign: [one, [two, three]]
              - silent: 80000
        tasks:
          - {id: one, tracking: s-1, at: Library, takes: 30}
          - {id: two, tracking: s-2, at: Station, takes: 30}
          - {id: three, tracking: s-3, at: Station, takes: 30}
        followed: [s-1, s-2, s-3]
        expect: []
        """

    /// Starts an emulator with such a van.
    static func run(
        _ body: (_ ready: String, _ object: [String: Any]) async throws -> Void
    ) async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "parked.yaml")
            try Data(Self.scenario.utf8).write(to: file)
            try await EmulatedEngine.run(["--scenario", file.path, "--speed", "60"], body: body)
        }
    }

    /// What the recipient of a shipment sees.
    struct Tracking: Decodable, Sendable {
        struct Window: Decodable {}

        var state: String
        var taskOutcome: String?
        var remainingStopCount: Int?
        var targetTimeWindow: Window?
    }

    /// Returns what the recipient of a shipment sees.
    static func tracking(_ id: String, _ object: [String: Any]) async throws -> Tracking {
        let texts = object.compactMapValues { $0 as? String }
        let url = try #require(texts["trackingTokenURL"]).replacing("{trackingId}", with: id)
        let engine = try #require(texts["fleetEngineURL"])
        let provider = try #require(texts["providerId"])
        return try await withLiveHTTPTransport { transport in
            let answer = try await transport.send(HTTPTransportRequest(url: url, timeout: .testTimeout))
            let fields = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
            let token = try #require(fields["token"] as? String)
            let info = try await transport.send(
                HTTPTransportRequest(
                    url: "\(engine)/v1/providers/\(provider)/taskTrackingInfo/\(id)",
                    headers: [("authorization", "Bearer \(token)")],
                    timeout: .testTimeout
                )
            )
            #expect(info.status == 200, "\(String(decoding: info.body, as: UTF8.self))")
            return try JSONDecoder().decode(Tracking.self, from: Data(info.body))
        }
    }
}
