import Foundation

/// Another program that is measured in the same round for comparison.
struct Peer {
    let path: String
    let arguments: [String]

    /// A program in `PATH`; `nil` if there is none with this name.
    init?(named name: String, arguments: [String]) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        guard let folder = folders.first(where: { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") })
        else {
            return nil
        }
        self.init(path: "\(folder)/\(name)", arguments: arguments)
    }

    /// A program at a path.
    init(path: String, arguments: [String]) {
        self.path = path
        self.arguments = arguments
    }

    /// The output of the program; `nil` if it fails.
    func output(environment: [String: String] = [:]) throws -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        // Threads of the pool block signals, and child processes inherit that: `openssl speed` would wait forever for its
        // alarm.
        var alarm = sigset_t()
        unsafe sigemptyset(&alarm)
        unsafe sigaddset(&alarm, SIGALRM)
        unsafe pthread_sigmask(SIG_UNBLOCK, &alarm, nil)
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
    }
}
