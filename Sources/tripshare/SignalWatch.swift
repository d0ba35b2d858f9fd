import Dispatch
import Foundation
import Synchronization

/// Hears the signals that ask a program without a screen to end, and leaves the end to the program.
final class SignalWatch: Sendable {
    private let sources: Mutex<[any DispatchSourceSignal]>

    /// Watches SIGINT, SIGTERM and SIGHUP; a second one ends the process at once.
    init(_ heard: @escaping @Sendable (Int32) -> Void) {
        var sources: [any DispatchSourceSignal] = []
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // Dispatch hears only of signals that don't end the process before.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                signal(number, SIG_DFL)
                heard(number)
            }
            source.resume()
            sources.append(source)
        }
        self.sources = Mutex(sources)
    }

    /// Leaves the signals to the system again.
    func stop() {
        sources.withLock { sources in
            for source in sources { source.cancel() }
            sources = []
        }
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    }
}
