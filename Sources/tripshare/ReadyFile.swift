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
        /// Whether it stands; absent in files of older programs.
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
    /// The base of the control API, which listens on loopback.
    var controlURL: String?
    var providerId: String
    var tripIds: [String]
    var vehicleIds: [String]
    var clock: Clock

    /// The anchor, or `nil` where the times can't be read or the speed is out of bounds.
    var anchor: ScaledClock.Anchor? {
        guard let real = Timestamp.date(clock.real), let virtual = Timestamp.date(clock.virtual),
            ScaledClock.speeds.contains(clock.speed)
        else { return nil }
        return ScaledClock.Anchor(real: real, virtual: virtual, speed: clock.speed, isPaused: clock.paused == true)
    }

    /// Puts the file in its place by a rename, so that nobody reads half of it.
    func write(to path: String) throws(CommandFailure) {
        let url = URL(fileURLWithPath: path)
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            try encoder.encode(self).write(to: url, options: .atomic)
        } catch {
            throw CommandFailure(
                .badConfiguration,
                "The ready file \(shown(path)) could not be written: \(error.localizedDescription)\n"
                    + "Name a file in a folder that exists and that you may write to."
            )
        }
    }

    /// What a file says of the clock now; `nil` where it is gone, no ready file any more, or another emulator's.
    func anchor(at path: String) -> ScaledClock.Anchor? {
        guard let (read, anchor) = try? Self.read(path) else { return nil }
        var file = read
        file.clock = clock
        return file == self ? anchor : nil
    }

    /// Lets a clock do what the emulator's does, which writes the file anew with each change, until it is cancelled.
    ///
    /// Without its emulator it runs on, so that whoever asks for a trip finds that nobody is there.
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

    /// Takes the file away, unless it is another emulator's by now.
    func remove(from path: String) {
        guard anchor(at: path) != nil else { return }
        // Where it can't be removed it could not have been written either.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Reads a file that an emulator wrote.
    static func read(_ path: String) throws(CommandFailure) -> (file: ReadyFile, anchor: ScaledClock.Anchor) {
        let data = try InputFile.data(
            path,
            limit: InputFile.maximumBytes,
            what: "ready file",
            advice: "Start an emulator first: tripshare emulate --ready-file \(pasteable(path))"
        )
        guard let file = try? JSONDecoder().decode(ReadyFile.self, from: data), let anchor = file.anchor else {
            // The decoder's own words name keys of ours; what helps is to make the file anew.
            throw CommandFailure(
                .badInput,
                "\(shown(path)) is not a ready file of tripshare emulate.\n"
                    + "Start an emulator with --ready-file to get one."
            )
        }
        return (file, anchor)
    }
}
