import Foundation
import Testing
import TripTestSupport

/// The program `screen`, if it is installed.
private enum GNUScreen {
    static let path = "/usr/bin/screen"
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }
}

/// Nested terminals pass on the program's output unchanged.
@Suite(
    "In GNU screen",
    .enabled(if: GNUScreen.isThere, "needs GNU screen"),
    .serialized,
    .terminalTurn,
    .ends(within: .longTest)
)
struct GNUScreenTests {
    @Test func `shows the ride, accepts keys and ends cleanly`() async throws {
        try await Program.withFolder { folder in
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
            let command = [GNUScreen.path, "-U", "-c", "/dev/null", Program.path, "demo"]
            let environment = ["HOME": folder.path, "SCREENDIR": folder.path]
            try await PseudoTerminal.run(command, width: 100, height: 30, environment: environment) { terminal in
                try await terminal.wait(for: "live")
                let count = terminal.count
                terminal.send("2")
                try await terminal.wait(for: "Status", after: count)
                terminal.send("q")
                let ending = try await terminal.end()
                #expect(ending == .exited(0))
                #expect(terminal.hasItsModes)
                #expect(!terminal.text.contains("2026"))
            }
        }
    }
}
