import FleetTokens
import FleetWire
import Foundation
import TripModel

/// What an emulator tells the programs that are to talk to it: one JSON object, written when everything listens.
struct ReadyFile: Codable, Sendable, Equatable {
    /// The anchor of the emulator's clock; times in RFC 3339.
    struct Clock: Codable, Sendable, Equatable {
        var real: String
        var virtual: String
        var speed: Double
        /// Whether it is stopped; absent in files of older programs.
        var paused: Bool?

        init(_ anchor: ScaledClock.Anchor) {
            real = Timestamp.text(anchor.real)
            virtual = Timestamp.text(anchor.virtual)
            speed = anchor.speed
            paused = anchor.isPaused
        }
    }

    var fleetEngineURL: String
    /// A template: `{tripId}` stands for the percent-encoded ID.
    var tokenURL: String
    /// The same for drivers: `{vehicleId}` stands for the percent-encoded ID.
    var vehicleTokenURL: String
    /// The certificates of a service account's keys: `{email}` is replaced by its percent-encoded address; absent in files
    /// of older programs.
    var certificatesURL: String?
    /// The base of the control API, which listens on loopback.
    var controlURL: String?
    var providerId: String
    var tripIds: [String]
    var vehicleIds: [String]
    var clock: Clock
    /// What the token endpoint wants in the header ``EndpointSecret/header``; absent where it wants nothing.
    var tokenSecret: String?
    /// The keys of the token endpoint's answer, where they are not the usual ones.
    var tokenKey: String?
    var tokenExpirationKey: String?
    var tokenExpirationUnit: String?
    /// The emulator; absent in files of older programs.
    var process: EmulatorProcess?
    /// The fields of trips that no answer has, as the played log lacks them; absent where there are none.
    var absentFields: [String]?

    /// The anchor, or `nil` where the times can't be read or the speed is out of bounds.
    var anchor: ScaledClock.Anchor? {
        guard let real = Timestamp.date(clock.real), let virtual = Timestamp.date(clock.virtual),
            ScaledClock.speeds.contains(clock.speed)
        else { return nil }
        return ScaledClock.Anchor(real: real, virtual: virtual, speed: clock.speed, isPaused: clock.paused == true)
    }

    /// Writes the file for its owner alone, by a rename, so that no reader gets half of it.
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

    /// Looks at what is going to be replaced.
    ///
    /// - Returns: What is to be said of it; `nil` where there is none, or one that may be replaced in silence.
    /// - Throws: ``CommandFailure`` where something else than a regular file is there.
    static func warning(beforeReplacing path: String) throws(CommandFailure) -> String? {
        do throws(OutputFile.Failure) {
            try OutputFile.checkForPrivate(path)
        } catch {
            throw notWritten(path, error.reason)
        }
        // What is no ready file is replaced as any other file would be.
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

    /// What a file says of the clock now; `nil` where it is gone, no ready file any more, or another emulator's.
    ///
    /// A pipe or a device is never read back: it may block, or have no end.
    func anchor(at path: String) -> ScaledClock.Anchor? {
        guard OutputFile.isRegular(path), let (read, anchor) = try? Self.read(path, evenIfStale: true) else {
            return nil
        }
        var file = read
        file.clock = clock
        return file == self ? anchor : nil
    }

    /// Lets a clock do what the emulator's does, which writes the file anew with each change, until it is cancelled.
    ///
    /// Without its emulator it runs on, so that the next poll of a trip finds that the emulator is gone.
    func keep(_ clock: ScaledClock, like path: String) async {
        func look() {
            if let anchor = anchor(at: path) { clock.follow(anchor) } else { clock.goOn() }
        }
        let changes = FileWatch.changes(of: path)
        // It may have changed since it was read.
        look()
        guard let changes else {
            Printing.error("The folder of \(shown(path)) can't be watched: the emulator's clock is not followed.")
            return
        }
        for await _ in changes { look() }
    }

    /// Removes the file, unless it belongs to another emulator by now or is no regular file.
    func remove(from path: String) {
        guard anchor(at: path) != nil else { return }
        // Where it can't be removed it could not have been written either.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Reads a file that an emulator wrote.
    ///
    /// - Throws: ``CommandFailure``, also where the emulator is known to have ended without removing it.
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
            // The decoder's own words name keys of ours; what helps is to make the file anew.
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
