import Foundation
import Testing
import TripTestSupport

#if os(Linux)
@Suite("Memory that holds tokens", .ends(within: .longTest))
struct MemoryProtectionTests {
    /// The user of the program.
    ///
    /// If the program's memory is protected, its files in `/proc` belong to root.
    private static let user: uid_t = 65_534

    /// The owner of `/proc/PID/mem` of a running program, and its limit for core files.
    private static func seen(_ flags: [String]) async throws -> (owner: Int?, coreLimit: String) {
        var command = [Program.path, "demo", "--output", "plain", "--speed", "0.1"] + flags
        if geteuid() == 0 {
            command = ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"] + command
        }
        return try await PseudoTerminal.run(command) { terminal in
            try await terminal.wait(for: "Token received")
            let folder = "/proc/\(terminal.pid)"
            let owner = try FileManager.default.attributesOfItem(atPath: folder + "/mem")[.ownerAccountID] as? Int
            let limits = try String(contentsOfFile: folder + "/limits", encoding: .utf8)
            let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") } ?? ""
            return (owner, core.split(separator: " ").dropFirst(4).joined(separator: " "))
        }
    }

    @Test func `memory can't be read by other programs of the same user and is not in core files`() async throws {
        let (owner, limit) = try await Self.seen([])
        #expect(owner == 0)
        #expect(limit.hasPrefix("0 0"))
    }

    @Test func `memory is open to debuggers with --allow-core-dumps`() async throws {
        let (owner, _) = try await Self.seen(["--allow-core-dumps"])
        #expect(owner == Int(geteuid() == 0 ? Self.user : geteuid()))
    }
}
#endif
