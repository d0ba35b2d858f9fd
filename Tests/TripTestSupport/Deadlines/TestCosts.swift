import Foundation
import Runtime
import Testing
import TripModel

/// The processor time of each test, for the search for expensive ones.
///
/// With the environment variable `TEST_COSTS=FILE`, each test adds a line to the file: the processor time of this process and
/// of the processes that ended meanwhile, and the elapsed time, all in milliseconds. The numbers are those of one test only if
/// the tests run one after the other (`SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=1`).
struct TestCosts: Sendable {
    private static let path = ProcessInfo.processInfo.environment["TEST_COSTS"]

    private let before: Resources
    private let start = ContinuousClock.now

    /// Starts measuring; `nil` if no costs are wanted.
    init?() {
        // Without the numbers of the kernel there are no costs.
        guard Self.path != nil, let before = try? Resources(of: getpid()) else { return nil }
        self.before = before
    }

    /// Writes the line of a test.
    func write(_ test: Test) {
        guard let now = try? Resources(of: getpid()) else { return }
        let used = [now.processor - before.processor, now.children - before.children, start.duration(to: .now).seconds]
        let name = "\(test.id)".prefix { $0 != "\n" }
        let line = used.map { String(Int($0 * 1000)) }.joined(separator: "\t") + "\t\(name)"
        Self.append(line)
    }

    /// Adds a line to the file; tests in processes of their own append to it, too, so that each line is one write.
    private static func append(_ line: String) {
        guard let path else { return }
        let descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        // Without a descriptor every write fails, which is visible.
        FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(Data((line + "\n").utf8))
    }
}
