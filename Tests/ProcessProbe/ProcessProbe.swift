import Foundation
import ProcessControl

/// A program for tests: it occupies every thread of the task pool and never ends by itself.
///
/// The first argument is the timeout of its watchdog in seconds; without one it waits for a signal. It exits with 69 after
/// the timeout and with 128 and the number of a signal.
@main
struct ProcessProbe {
    static func main() async {
        let timeout = CommandLine.arguments.dropFirst().first.flatMap(Double.init).map { Duration.seconds($0) }
        let watchdog = Watchdog(timeout: timeout) { reason, _ in
            switch reason {
            case .timeout: _exit(69)
            case .signal(let number): _exit(128 + number)
            }
        }
        let signals = SignalWatch { watchdog.receive(signal: $0) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<(2 * ProcessInfo.processInfo.activeProcessorCount) {
                group.addTask {
                    while true {
                        // The processor is left to others now and then, the thread of the pool is not.
                        usleep(1000)
                    }
                }
            }
            group.addTask { print("never reached") }
            FileHandle.standardOutput.write(Data("busy\n".utf8))
        }
        signals.stop()
    }
}
