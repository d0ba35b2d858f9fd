import FleetTokens
import FleetWire
import Foundation
import TripModel

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
    /// The URL template for certificates: `{email}` is replaced by the percent-encoded address of a service account.
    ///
    /// Absent in files of older versions.
    var certificatesURL: String?
    /// The base URL of the control API, which listens on loopback only.
    var controlURL: String?
    var providerId: String
    var tripIds: [String]
    var vehicleIds: [String]
    var clock: Clock
    /// The secret that the token endpoint requires in the header ``EndpointSecret/header``; absent if it requires none.
    var tokenSecret: String?
    /// The JSON keys of the token endpoint's answer, if they differ from the default.
    var tokenKey: String?
    var tokenExpirationKey: String?
    var tokenExpirationUnit: String?
    /// The emulator's process; absent in files of older versions.
    var process: EmulatorProcess?
    /// The trip fields that no answer contains, because the replayed log lacks them; absent if there are none.
    var absentFields: [String]?

    /// The anchor; `nil` if the times are invalid or the speed is out of range.
    var anchor: ScaledClock.Anchor? {
        guard let real = Timestamp.date(clock.real), let virtual = Timestamp.date(clock.virtual),
            ScaledClock.speeds.contains(clock.speed)
        else { return nil }
        return ScaledClock.Anchor(real: real, virtual: virtual, speed: clock.speed, isPaused: clock.paused == true)
    }

    /// Writes the file with owner-only permissions; replaces it by a rename so that readers never see a partial file.
    func write(to path: String) throws(CommandFailure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let reason: String
        do {
            return try OutputFile.writePrivate(try encoder.encode(self), to: path)
        } catch let problem as OutputFile.Failure {
            reason = problem.reason
        } catch {
            reason = error.localizedDescription
        }
        throw Self.notWritten(path, reason)
    }

    private static func notWritten(_ path: String, _ reason: String) -> CommandFailure {
        CommandFailure(
            .badConfiguration,
            "The ready file \(shown(path)) could not be written: \(reason).\n"
                + "Name a file in a folder that exists and that you may write to."
        )
    }

    /// Checks the file that is about to be replaced.
    ///
    /// - Returns: A warning; `nil` if there is no file or it can be replaced silently.
    /// - Throws: ``CommandFailure`` if the path is not a regular file.
    static func warning(beforeReplacing path: String) throws(CommandFailure) -> String? {
        do throws(OutputFile.Failure) {
            try OutputFile.checkForPrivate(path)
        } catch {
            throw notWritten(path, error.reason)
        }
        // A file that is not a ready file is replaced without a warning.
        guard let (file, _) = try? read(path, evenIfStale: true), let process = file.process else { return nil }
        if process.isOver {
            return "The ready file \(shown(path)) was left behind by an emulator that was killed (process "
                + "\(process.pid)). It is replaced."
        }
        guard process.isRunningHere else { return nil }
        return
            "The ready file \(shown(path)) is that of another emulator that still runs (process \(process.pid)). It is "
            + "replaced: programs that follow that one find it no longer."
    }

    /// Rereads the clock's anchor; `nil` if the file is gone, invalid, or belongs to another emulator.
    ///
    /// Pipes and devices are never reread, because they may block or have no end.
    func anchor(at path: String) -> ScaledClock.Anchor? {
        guard OutputFile.isRegular(path), let (read, anchor) = try? Self.read(path, evenIfStale: true) else {
            return nil
        }
        var file = read
        file.clock = clock
        return file == self ? anchor : nil
    }

    /// Keeps a clock in step with the emulator's, by rereading the file after each change, until cancelled.
    ///
    /// If the emulator ends, the clock runs on, so that the next poll detects it.
    func keep(_ clock: ScaledClock, like path: String) async {
        func look() {
            if let anchor = anchor(at: path) { clock.follow(anchor) } else { clock.goOn() }
        }
        let changes = FileWatch.changes(of: path)
        // The file may have changed since it was read.
        look()
        guard let changes else {
            Printing.error("The folder of \(shown(path)) can't be watched: the emulator's clock is not followed.")
            return
        }
        for await _ in changes { look() }
    }

    /// Removes the file, unless it belongs to another emulator or is not a regular file.
    func remove(from path: String) {
        guard anchor(at: path) != nil else { return }
        // If the file cannot be removed, it could not have been written either.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Reads a file written by an emulator.
    ///
    /// - Throws: ``CommandFailure``, also if the emulator is known to have ended without removing the file.
    static func read(_ path: String) throws(CommandFailure) -> (file: ReadyFile, anchor: ScaledClock.Anchor) {
        try read(path, evenIfStale: false)
    }

    private static func read(
        _ path: String,
        evenIfStale: Bool
    ) throws(CommandFailure) -> (file: ReadyFile, anchor: ScaledClock.Anchor) {
        let advice = "Start an emulator first: tripshare emulate --ready-file \(pasteable(path))"
        let data = try InputFile.data(path, limit: InputFile.maximumBytes, what: "ready file", advice: advice)
        guard let file = try? JSONDecoder().decode(ReadyFile.self, from: data), let anchor = file.anchor else {
            // The decoder's error names internal keys. The remedy is to write the file again.
            throw CommandFailure(
                .badInput,
                "\(shown(path)) is not a ready file of tripshare emulate.\n"
                    + "Start an emulator with --ready-file to get one."
            )
        }
        if !evenIfStale, let process = file.process, process.isOver {
            throw CommandFailure(
                .unavailable,
                "The emulator of the ready file \(shown(path)) has ended without removing it: process \(process.pid), "
                    + "started \(shown(process.started)).\n\(advice)"
            )
        }
        return (file, anchor)
    }
}
