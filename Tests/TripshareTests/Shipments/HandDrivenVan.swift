import Failures
import Foundation
import Testing
import TransportLive
import TripTestSupport

/// A van of an emulator that a test drives by calls of a delivery server.
struct HandDrivenVan {
    private let base: String
    private let token: String
    private let transport: HTTPTransport

    /// Creates the van `van` in the emulator of a ready file.
    init(_ ready: [String: String], over transport: HTTPTransport) async throws {
        self.transport = transport
        base = "\(try #require(ready["fleetEngineURL"]))/v1/providers/\(try #require(ready["providerId"]))/"
        let url = try #require(ready["deliveryServerTokenURL"])
        let answer = try await transport.send(HTTPTransportRequest(url: url, timeout: .testTimeout))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
        token = try #require(object["token"] as? String)
        try await call("POST", "deliveryVehicles?deliveryVehicleId=van", "{}")
        try await call(
            "PATCH",
            "deliveryVehicles/van?updateMask=lastLocation",
            #"{"lastLocation":{"location":{"latitude":51.05,"longitude":3.72}}}"#
        )
    }

    private func call(_ method: String, _ path: String, _ body: String) async throws {
        let answer = try await transport.send(
            HTTPTransportRequest(
                method: method,
                url: base + path,
                headers: [("authorization", "Bearer \(token)")],
                body: Array(body.utf8),
                timeout: .testTimeout
            )
        )
        #expect(answer.status == 200, "\(method) \(path): \(String(decoding: answer.body, as: UTF8.self))")
    }

    private static let place = #"{"point":{"latitude":51.06,"longitude":3.73}}"#

    /// Creates a delivery with its own ID as the task's, for a tracking ID.
    func create(_ task: String, for tracking: String, visibility: String = "{}") async throws {
        try await call(
            "POST",
            "tasks?taskId=\(task)",
            """
            {"type":"DELIVERY","state":"OPEN","trackingId":"\(tracking)","taskDuration":"60s",
            "taskTrackingViewConfig":\(visibility),"plannedLocation":\(Self.place)}
            """
        )
    }

    /// Sets the stops: each a task and the first one ENROUTE; the tasks of the stops before are closed.
    func drive(to tasks: [String]) async throws {
        let stops = tasks.enumerated().map { index, task in
            #"{"stop":{"plannedLocation":\#(Self.place),"state":"\#(index == 0 ? "ENROUTE" : "NEW")","tasks":[{"taskId":"\#(task)"}]}}"#
        }
        try await call(
            "PATCH",
            "deliveryVehicles/van?updateMask=remainingVehicleJourneySegments",
            #"{"remainingVehicleJourneySegments":[\#(stops.joined(separator: ","))]}"#
        )
    }

    /// Sets the outcome of a task.
    func finish(_ task: String, _ outcome: String) async throws {
        try await call("PATCH", "tasks/\(task)?updateMask=taskOutcome", #"{"taskOutcome":"\#(outcome)"}"#)
    }
}
