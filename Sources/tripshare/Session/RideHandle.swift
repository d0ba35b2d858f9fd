import Failures
import Foundation
import Runtime
import Terminal
import TripModel
import TripScreen
import TripText

/// Lets a session change the clock of the emulator that it follows.
struct RideHandle: Sendable {
    /// The settings shown on the screen.
    var settings: RideSettings
    /// Whether a change is complete when ``perform`` returns.
    let isImmediate: Bool
    /// Performs a change; returns an error message on failure.
    var perform: @Sendable (RideChange) async -> String?

    /// Controls the clock of an emulator in this process.
    init(_ clock: ClockControl, settings: RideSettings) {
        self.settings = settings
        isImmediate = true
        perform = { change in
            if let speed = change.speed { _ = clock.setSpeed(speed) }
            if let isPaused = change.isPaused { clock.pause(isPaused) }
            if let step = change.step { clock.step(step) }
            return nil
        }
    }

    /// Controls the clock of an emulator in another process through its control API.
    init(controlURL: String, transport: HTTPTransport) {
        struct Body: Encodable {
            var paused: Bool?
            var speed: Double?
            var stepSeconds: Double?
        }
        settings = RideSettings()
        isImmediate = false
        perform = { change in
            let body = Body(paused: change.isPaused, speed: change.speed, stepSeconds: change.step?.seconds)
            do {
                let request = HTTPTransportRequest(
                    method: "POST",
                    url: "\(controlURL)/clock",
                    headers: [("Content-Type", "application/json")],
                    body: [UInt8](try JSONEncoder().encode(body)),
                    timeout: .seconds(5)
                )
                let status = try await transport.send(request).status
                return status == 200 ? nil : Localizer.ofProcess(.rideRefused(status: "\(status)"))
            } catch {
                return Localizer.ofProcess(.rideUnreachable)
            }
        }
    }
}

/// Thrown to end a demo and start it again from the beginning.
struct DemoRestart: Error {
    /// The scenario to play; `nil` for the same one.
    var scenario: String?
    /// The stage of the tour to play; `nil` for the same one.
    ///
    /// A scenario ends the tour.
    var stage: Int?
    /// Whether the presenter view is shown; the restarted demo begins in it.
    var isPresenter = false
    /// The number of the terminal's keys and other inputs that were handled; the restarted program handles the rest.
    var handledInputs = 0

    /// Replaces the program; returns why it could not be replaced.
    func perform(typedAhead: [UInt8] = []) -> CommandFailure {
        let arguments = arguments(from: Array(CommandLine.arguments.dropFirst()), typedAhead: typedAhead)
        ProcessReplacement.run(arguments: arguments)
        return CommandFailure(.internalError, .failureRestart(arguments: arguments.joined(separator: " ")))
    }

    /// Returns the arguments for the restarted program, derived from the current ones.
    ///
    /// The restarted ride is not recorded, because the file has the first ride.
    func arguments(from old: [String], typedAhead: [UInt8] = []) -> [String] {
        let dropped =
            ["--record", "--typed-ahead"] + (scenario == nil ? [] : ["--scenario", "--recording"])
            + (scenario == nil && stage == nil ? [] : ["--tour-stage"])
        var arguments: [String] = []
        var isValue = false
        for argument in old {
            if isValue {
                isValue = false
            } else if dropped.contains(argument) {
                isValue = true
            } else if scenario != nil, argument == "--tour" {
                continue
            } else if !dropped.contains(where: { argument.hasPrefix("\($0)=") }) {
                arguments.append(argument)
            }
        }
        // A tour always has the presenter view.
        let hasPresenter = arguments.contains { $0 == "--presenter" || $0 == "--tour" }
        return arguments + (scenario.map { ["--scenario", $0] } ?? [])
            + (isPresenter && !hasPresenter ? ["--presenter"] : [])
            + (stage.map { ["--tour-stage", "\($0 + 1)"] } ?? [])
            + (typedAhead.isEmpty ? [] : ["--typed-ahead", Data(typedAhead).base64EncodedString()])
    }
}
