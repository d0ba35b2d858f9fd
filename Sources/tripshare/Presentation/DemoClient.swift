import Failures
import FleetEmulator
import Foundation
import Synchronization
import TripScreen
import TripText

/// The console's side of the connection with a demo.
///
/// A demo that starts again, with another scenario for example, has other ports and another secret in its ready file.
final class DemoClient: Sendable {
    /// What a demo answers.
    enum Answer: Sendable, Equatable {
        case report(PresenterReport)
        /// The demo runs, but does not answer; it may be starting again.
        case noAnswer
        /// The demo has ended.
        case ended
    }

    private let access: Mutex<DemoAccess>
    private let transport: HTTPTransport
    /// How many answers in a row are missing.
    private let missing = Mutex(0)

    /// The time limit of a request.
    private static let timeout = Duration.seconds(5)
    /// The number of missing answers after which a demo whose process is unknown has ended.
    private static let mostMissing = 20

    init(_ access: DemoAccess, transport: HTTPTransport) {
        self.access = Mutex(access)
        self.transport = transport
    }

    /// Asks for a report.
    func report() async -> Answer {
        if let report = await fetch() {
            missing.withLock { $0 = 0 }
            return .report(report)
        }
        let known = access.withLock(\.self)
        // A missing or damaged file means that the demo ends or restarts.
        if let next = try? DemoAccess.named(known.path) { access.withLock { $0 = next } }
        if known.process.isOver { return .ended }
        let count = missing.withLock { missing in
            missing += 1
            return missing
        }
        return known.process.isRunningHere || count < Self.mostMissing ? .noAnswer : .ended
    }

    private func fetch() async -> PresenterReport? {
        // The caller finds out why there is no answer.
        guard let response = try? await transport.send(request("GET")), response.status == 200 else { return nil }
        return PresenterReport(json: response.body)
    }

    /// Sends a request; returns an error message on failure.
    func send(_ request: PresenterRequest) async -> String? {
        do {
            let status = try await transport.send(self.request("POST", request.json)).status
            return status == 200 ? nil : Localizer.ofProcess(.consoleRefused(status: "\(status)"))
        } catch {
            return Localizer.ofProcess(.consoleUnreachable)
        }
    }

    /// Changes the clock of the ride; returns an error message on failure.
    func change(_ ride: RideChange) async -> String? {
        await RideHandle(controlURL: access.withLock(\.controlURL), transport: transport).perform(ride)
    }

    private func request(_ method: String, _ body: [UInt8] = []) -> HTTPTransportRequest {
        let access = access.withLock(\.self)
        return HTTPTransportRequest(
            method: method,
            url: "\(access.controlURL)/presenter",
            headers: [("Content-Type", "application/json"), (EndpointSecret.header, access.secret)],
            body: body,
            timeout: Self.timeout
        )
    }
}
