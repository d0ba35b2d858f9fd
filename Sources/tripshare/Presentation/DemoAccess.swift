import Failures
import Foundation
import TripText

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
