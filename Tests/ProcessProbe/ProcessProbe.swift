import Foundation
import Terminal

/// A program for tests that keeps all threads of the task pool busy and never ends by itself.
///
/// The first argument is the timeout of its watchdog in seconds; without one it waits for a signal. Its exit code is 69
/// after the timeout and 128 plus the number of a signal.
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
                        // Yields the processor now and then, but never the thread of the task pool.
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
