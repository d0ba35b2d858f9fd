import Failures
import FleetEmulator
import Foundation
import Synchronization
import Terminal
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
            return startingMessage ?? Localizer.ofProcess(.consoleUnreachable)
        }
    }

    /// Changes the clock of the ride; returns an error message on failure.
    func change(_ ride: RideChange) async -> String? {
        let handle = RideHandle(controlURL: access.withLock(\.controlURL), transport: transport)
        guard let problem = await handle.perform(ride) else { return nil }
        return await fetch() == nil ? startingMessage ?? problem : problem
    }

    /// Says that the demo is starting again; `nil` if its process is not known to run.
    ///
    /// A demo that runs and does not answer has left its ports, to begin another scenario or the same one. The request is not
    /// repeated: it may have been performed.
    private var startingMessage: String? {
        access.withLock(\.process).isRunningHere ? Localizer.ofProcess(.consoleStarting) : nil
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

/// How a presenter's console reaches a demo: the content of its ready file that the console needs.
struct DemoAccess: Sendable, Equatable {
    /// The path of the ready file.
    let path: String
    /// The base URL of the control API, on loopback.
    let controlURL: String
    /// The secret of the console.
    let secret: String
    /// The demo's process.
    let process: EmulatorProcess

    /// `nil` for the ready file of a program that no console can join, or of one that is not on this machine.
    init?(_ ready: ReadyFile, path: String) {
        guard let url = ready.controlURL, let secret = ready.consoleSecret, let process = ready.process,
            URLOrigin(url)?.isLoopback == true
        else { return nil }
        (self.path, controlURL, self.secret, self.process) = (path, url, secret, process)
    }

    private static let advice = Text.adviceConsole

    /// Returns the demo of a ready file.
    static func named(_ path: String) throws(CommandFailure) -> DemoAccess {
        let ready = try ReadyFile.read(path, evenIfStale: false, advice: advice).file
        guard let access = DemoAccess(ready, path: path) else {
            throw CommandFailure(.badInput) {
                $0(.failureNotConsole(file: excerpt(path: path), advice: $0(advice)))
            }
        }
        return access
    }

    /// Returns the demo that began last.
    static func newest(environment: [String: String]) throws(CommandFailure) -> DemoAccess {
        let demos = DemoFolder.all(environment: environment).flatMap { $0.runningDemos() }
        guard let newest = demos.max(by: { $0.order < $1.order }) else {
            throw CommandFailure(.unavailable) { $0(.failureNoConsole(advice: $0(advice))) }
        }
        return newest
    }

    /// The order of the demos by when they began.
    private var order: (String, Int32) { (process.started, process.pid) }
}

/// The ready file with which a demo announces itself to presenters' consoles; it exists as long as the demo plays a scenario.
struct DemoAnnouncement {
    private let ready: ReadyFile
    private let path: String
    /// Rewrites the file; cancelled by ``end()``.
    private let synchronization: Task<Void, Never>

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
        synchronization = Task.detached { [ready] in await ready.synchronize(path, with: clock) }
    }

    /// Removes the file.
    func end() {
        synchronization.cancel()
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
