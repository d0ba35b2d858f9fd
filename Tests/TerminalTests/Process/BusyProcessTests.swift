import Foundation
import Testing
import TripTestSupport

@Suite("A process that occupies all threads of its task pool", .ends(within: .longTest))
struct BusyProcessTests {
    @Test(arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129)] as [(Int32, Int32)])
    func `ends by a signal`(_ signal: Int32, _ status: Int32) async throws {
        try await PseudoTerminal.run([BuiltProgram.path("ProcessProbe")]) { terminal in
            try await terminal.wait(for: "busy")
            terminal.kill(signal)
            let ending = try await terminal.end()
            #expect(ending == .exited(status))
        }
    }

    @Test func `ends by itself when the shell and the kernel send SIGHUP`() async throws {
        try await PseudoTerminal.run([BuiltProgram.path("ProcessProbe")]) { terminal in
            try await terminal.wait(for: "busy")
            while !terminal.isOver {
                terminal.kill(SIGHUP)
                await Task.yield()
            }
            let ending = try await terminal.end()
            #expect(ending == .exited(129))
        }
    }

    @Test func `ends by its timeout`() async throws {
        try await PseudoTerminal.run([BuiltProgram.path("ProcessProbe"), "0.2"]) { terminal in
            let ending = try await terminal.end()
            #expect(ending == .exited(69))
        }
    }
}
