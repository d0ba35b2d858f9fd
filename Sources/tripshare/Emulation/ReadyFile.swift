import Failures
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// What an emulator publishes for other programs: one JSON object, written when all ports listen.
struct ReadyFile: Codable, Sendable, Equatable {
    /// The anchor of the emulator's clock; times in RFC 3339.
    struct Clock: Codable, Sendable, Equatable {
        var real: String
        var virtual: String
        var speed: Double
        /// Whether the clock is paused; absent in files of older versions.
        var paused: Bool?

        init(_ anchor: ScaledClock.Anchor) {
            real = Timestamp.text(anchor.real)
            virtual = Timestamp.text(anchor.virtual)
            speed = anchor.speed
            paused = anchor.isPaused
        }
    }

    var fleetEngineURL: String
    /// A URL template: `{tripId}` is replaced by the percent-encoded ID.
    var tokenURL: String
    /// The URL template for drivers: `{vehicleId}` is replaced by the percent-encoded ID.
    var vehicleTokenURL: String
    /// The URL for server tokens; absent in files of older versions.
    var serverTokenURL: String?
    /// The URL template for recipients of shipments: `{trackingId}` is replaced by the percent-encoded ID.
    ///
    /// This and the next three are absent in files of older versions.
    var trackingTokenURL: String?
    /// The URL template for drivers of delivery vehicles: `{deliveryVehicleId}` is replaced by the percent-encoded ID.
    var deliveryVehicleTokenURL: String?
    /// The URL template for drivers who also change the stops: `{deliveryVehicleId}` is replaced by the percent-encoded ID.
    var trustedDeliveryVehicleTokenURL: String?
    /// The URL for server tokens of deliveries.
    var deliveryServerTokenURL: String?
    /// The URL template for certificates: `{email}` is replaced by the percent-encoded address of a service account.
    ///
    /// Absent in files of older versions.
    var certificatesURL: String?
    /// The base URL of IAM Service Account Credentials: `/v1/projects/-/serviceAccounts/…` follows.
    ///
    /// This and the next four are absent in files of older versions.
    var iamURL: String?
    /// The URL of the OAuth token endpoint.
    var oauthTokenURL: String?
    /// The URL of the security token service.
    var stsURL: String?
    /// Host and port of the metadata server.
    var metadataHost: String?
    /// The absolute path of the folder with credential files; absent if there is none.
    var credentialsFolder: String?
    /// The base URL of the control API, which listens on loopback only.
    var controlURL: String?
    /// Host and port of the gRPC listener; absent if there is none.
    var grpcTarget: String?
    /// The path of the certificate that gRPC clients have to trust; absent without TLS.
    var grpcRootCertificate: String?
    var providerId: String
    var tripIds: [String]
    var vehicleIds: [String]
    /// The tracking IDs of the followed shipments; this and the next one are absent in files of older versions.
    var trackingIds: [String]?
    var deliveryVehicleIds: [String]?
    var clock: Clock
    /// The secret that the token endpoint requires in the header ``EndpointSecret/header``; absent if it requires none.
    var tokenSecret: String?
    /// The JSON keys of the token endpoint's answer, if they differ from the default.
    var tokenKey: String?
    var tokenExpirationKey: String?
    var tokenExpirationUnit: String?
    /// The secret that a presenter's console sends in the header ``EndpointSecret/header``; absent if none can join.
    var consoleSecret: String?
    /// The emulator's process; absent in files of older versions.
    var process: EmulatorProcess?
    /// The trip fields that no answer contains, because the replayed log lacks them; absent if there are none.
    var absentFields: [String]?

    /// Returns the base URL of the service; throws a ``CommandFailure`` if the emulator does not serve the protocol.
    func serviceURL(over protocol: ServiceProtocol, path: String) throws(CommandFailure) -> String {
        guard `protocol` == .grpc else { return fleetEngineURL }
        guard let grpcTarget else {
            throw CommandFailure(.badConfiguration, .failureNoGRPC(path: excerpt(path: path)))
        }
        return "\(grpcRootCertificate == nil ? "http" : "https")://\(grpcTarget)"
    }

    /// The anchor; `nil` if the times are invalid or the speed is out of range.
    var anchor: ScaledClock.Anchor? {
        guard let real = Timestamp.date(clock.real), let virtual = Timestamp.date(clock.virtual),
            ScaledClock.speeds.contains(clock.speed)
        else { return nil }
        return ScaledClock.Anchor(real: real, virtual: virtual, speed: clock.speed, isPaused: clock.paused == true)
    }

    /// Writes the file with owner-only permissions; replaces it by a rename so that readers never see a partial file.
    ///
    /// It ends with the process.
    func write(to path: String) throws(CommandFailure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let reason: @Sendable (Localizer) -> String
        do {
            return try OutputFile.writePrivate(try encoder.encode(self), to: path, .process)
        } catch let problem as OutputFile.Failure {
            reason = { problem.reason($0) }
        } catch {
            let description = error.localizedDescription
            reason = { _ in description }
        }
        throw Self.notWritten(path, reason)
    }

    private static func notWritten(
        _ path: String,
        _ reason: @escaping @Sendable (Localizer) -> String
    ) -> CommandFailure {
        CommandFailure(.outputFailed) { $0(.failureReadyFile(file: excerpt(path: path), reason: reason($0))) }
    }

    /// Checks the file that is about to be replaced.
    ///
    /// - Returns: A warning; `nil` if there is no file or it can be replaced silently. An empty file can be: `mktemp` creates one.
    /// - Throws: ``CommandFailure`` if the path is not a regular file, or if no emulator has written the file.
    static func warning(beforeReplacing path: String) throws(CommandFailure) -> Text? {
        do throws(OutputFile.Failure) {
            try OutputFile.checkForPrivate(path)
        } catch {
            throw notWritten(path) { error.reason($0) }
        }
        guard OutputFile.hasContent(path) else { return nil }
        // Why the file is not a ready file does not matter: it belongs to the user.
        guard let (file, _) = try? read(path, evenIfStale: true) else {
            throw CommandFailure(.outputFailed, .failureReadyFileForeign(file: excerpt(path: path)))
        }
        guard let process = file.process else { return nil }
        if process.isOver {
            return .warningReadyFileLeft(file: excerpt(path: path), process: "\(process.pid)")
        }
        return process.isRunningHere
            ? .warningReadyFileUsed(file: excerpt(path: path), process: "\(process.pid)") : nil
    }

    /// Rereads the clock's anchor; `nil` if the file is gone, invalid, or belongs to another emulator.
    ///
    /// Pipes and devices are never reread, because they may block or have no end.
    func anchor(at path: String) -> ScaledClock.Anchor? {
        // An unreadable file counts as gone.
        guard OutputFile.isRegular(path), let (read, anchor) = try? Self.read(path, evenIfStale: true) else {
            return nil
        }
        var file = read
        file.clock = clock
        return file == self ? anchor : nil
    }

    /// Synchronizes a clock with the emulator's clock by rereading the file after each change, until cancelled.
    ///
    /// If the emulator ends, the clock runs on, so that the next poll detects it.
    func synchronize(_ clock: ScaledClock, with path: String) async {
        func check() {
            if let anchor = anchor(at: path) { clock.follow(anchor) } else { clock.resume() }
        }
        let changes = FileWatch.changes(of: path)
        // The file may have changed since it was read.
        check()
        guard let changes else {
            Printing.warning(.warningClockNotFollowed(file: excerpt(path: path)))
            return
        }
        for await _ in changes { check() }
    }

    /// Removes the file, unless it belongs to another emulator or is not a regular file.
    func remove(from path: String) {
        guard anchor(at: path) != nil else { return }
        OutputFile.remove(path)
    }

    /// Reads a file written by an emulator.
    ///
    /// - Throws: ``CommandFailure``, also if the emulator is known to have ended without removing the file.
    static func read(_ path: String) throws(CommandFailure) -> (file: ReadyFile, anchor: ScaledClock.Anchor) {
        try read(path, evenIfStale: false)
    }

    /// Reads a file written by an emulator.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - evenIfStale: Whether to return the file of an emulator that is known to have ended without removing it.
    ///   - advice: What to do if there is no emulator; `nil` to start one.
    /// - Returns: The file and the anchor of its clock.
    /// - Throws: ``CommandFailure``.
    static func read(
        _ path: String,
        evenIfStale: Bool,
        advice: Text? = nil
    ) throws(CommandFailure) -> (file: ReadyFile, anchor: ScaledClock.Anchor) {
        let advice = advice ?? Text.adviceReadyFile(path: pasteable(path))
        let data = try InputFile.data(path, limit: InputFile.maximumBytes, what: .nounReadyFile, advice: advice)
        guard let file = try? JSONDecoder().decode(ReadyFile.self, from: data), let anchor = file.anchor else {
            // The decoder's error names internal keys. The remedy is to write the file again.
            throw CommandFailure(.badInput, .failureNotReadyFile(file: excerpt(path: path)))
        }
        if !evenIfStale, let process = file.process, process.isOver {
            throw CommandFailure(.unavailable) {
                $0(
                    .failureEmulatorEnded(
                        file: excerpt(path: path),
                        process: "\(process.pid)",
                        started: excerpt(process.started),
                        advice: $0(advice)
                    )
                )
            }
        }
        return (file, anchor)
    }

    /// Reads the file of an emulator, if one is given, and returns it with its path and a clock that starts with the emulator's
    /// time, or with the machine's.
    static func join(
        _ path: String?
    ) throws(CommandFailure) -> (emulator: (ready: ReadyFile, path: String)?, clock: ScaledClock) {
        guard let path else { return (nil, ScaledClock(speed: 1)) }
        let (file, anchor) = try read(path)
        return ((file, path), ScaledClock(anchor: anchor))
    }
}
