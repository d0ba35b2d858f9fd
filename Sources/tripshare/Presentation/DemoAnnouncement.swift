import Failures
import FleetEmulator
import Foundation
import Terminal
import TripText

/// The ready file with which a demo announces itself to presenters' consoles; it exists as long as the demo plays a scenario.
struct DemoAnnouncement {
    private let ready: ReadyFile
    private let path: String
    /// Rewrites the file; cancelled by ``end()``.
    private let keeping: Task<Void, Never>

    /// Writes the file, and removes the files of demos that have ended without removing them.
    init(
        _ address: EmulatorAddress,
        world: EmulatedWorld,
        clock: ScaledClock,
        secret: EndpointSecret
    ) throws(CommandFailure) {
        let folder = try Self.folder(environment: ProcessContext.current.environment)
        _ = folder.runningDemos()
        var ready = ReadyFile(address, world: world, clock: clock)
        ready.consoleSecret = secret.revealed
        ready.process = .current(started: ProcessIdentity.beginning(now: clock.anchor.real))
        let path = folder.file(of: getpid())
        try ready.write(to: path)
        (self.ready, self.path) = (ready, path)
        // Nothing awaits it: `end()` cancels it, and it writes only while the file exists.
        keeping = Task.detached { [ready] in await ready.keep(in: path, like: clock) }
    }

    /// Removes the file.
    func end() {
        keeping.cancel()
        ready.remove(from: path)
    }

    /// Returns the first folder that can be used; throws the failure of the last one.
    private static func folder(environment: [String: String]) throws(CommandFailure) -> DemoFolder {
        let reason = SystemReason.text(ENOENT)
        var failure = CommandFailure(.outputFailed, .failureConsoleFolder(folder: "~", reason: reason))
        for folder in DemoFolder.all(environment: environment) {
            do throws(CommandFailure) {
                try folder.prepare()
                return folder
            } catch {
                failure = error
            }
        }
        throw failure
    }
}
