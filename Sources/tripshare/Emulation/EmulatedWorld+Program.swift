import Canvas
import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Recording
import Runtime
import TripFeed
import TripModel
import TripText

extension EmulatedWorld.Program {
    /// Loads the program that the flags name.
    ///
    /// Throws a ``CommandFailure``.
    init(_ options: RideOptions) throws(CommandFailure) {
        if let path = options.recording {
            self = .recording(try Self.recording(path))
        } else if let name = options.scenario, name != "ride" {
            self = .scenario(try Self.scenario(name).fromItsStart)
        } else {
            self = .ride(try Self.ride(seed: options.seed))
        }
    }

    /// The time of day at which the program starts; `nil` for now.
    var begins: Date? {
        if case .scenario(let scenario) = self { scenario.begins } else { nil }
    }

    /// The roles whose accounts sign tokens from the start.
    var signers: [Caller.Role] {
        let trips: [Caller.Role] = [.server, .consumer, .driver]
        let deliveries: [Caller.Role] = [.deliverySuperUser, .deliveryConsumer, .deliveryTrustedDriver]
        guard case .scenario(let scenario) = self else { return trips }
        return (scenario.drivers.contains { $0.vehicle.ofTrips != nil } ? trips : [])
            + (scenario.drivers.contains { $0.vehicle.ofDeliveries != nil } ? deliveries : [])
    }

    /// Whether this is the default ride.
    var isPlain: Bool { if case .ride = self { true } else { false } }

    /// The lifetime of the emulator's tokens; `nil` for the default.
    var tokenLifetime: Duration? {
        if case .scenario(let scenario) = self { scenario.tokenLifetime } else { nil }
    }

    /// Plans the default ride.
    static func ride(seed: UInt64) throws(CommandFailure) -> Scenario {
        do {
            return try Scenario.plainRide(seed: seed)
        } catch {
            throw CommandFailure(
                .internalError,
                .failureScenarioBroken(name: "ride", reason: excerpt("\(error)"))
            )
        }
    }

    /// Loads a scenario by name or from a file.
    static func scenario(_ name: String) throws(CommandFailure) -> Scenario {
        do {
            if let scenario = try Scenario.named(name) { return scenario }
        } catch {
            let reason = excerpt(error.description)
            throw CommandFailure(
                .internalError,
                .failureScenarioBroken(name: excerpt(path: name), reason: reason)
            )
        }
        guard name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".yml") else {
            throw CommandFailure(.notFound, .failureNoScenario(name: excerpt(path: name)))
        }
        let yaml = try InputFile.text(
            name,
            what: .nounScenario,
            advice: .adviceScenario
        )
        do {
            return try Scenario(
                yaml: yaml,
                name: URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent,
                file: name
            )
        } catch {
            throw CommandFailure(.badInput, .failureScenarioFile(reason: error.description.sanitized(limit: 400)))
        }
    }

    /// Loads a recording from a file.
    static func recording(_ path: String) throws(CommandFailure) -> RecordedTrips {
        let data = try InputFile.data(
            path,
            limit: RecordedTrips.maximumBytes,
            what: .nounRecording,
            advice: .adviceRecording
        )
        do {
            let trips = try RecordedTrips(bytes: [UInt8](data))
            SessionFile.warn(ofSkippedIn: trips.skipped, path)
            return trips
        } catch {
            throw CommandFailure(.badInput) {
                $0(
                    .failureRecording(file: excerpt(path: path), reason: error.sentence($0, advice: .adviceRecording))
                )
            }
        }
    }
}
