import Foundation
import Testing
import TripTestSupport

/// Each block of commands of README and manual, run by a shell beside an emulator.
@Suite("Blocks of the manual", .serialized, .ends(within: .longTest))
struct ManualBlockTests {
    @Test func `every block says in which language it is`() throws {
        let known = ["json", "sh", "swift", "text", "yaml"]
        for block in try ManualBlock.all.get() {
            #expect(known.contains(block.language), "\(block.testDescription) is in ‘\(block.language)’")
            // A command of a reader is never hidden in a block that is not run.
            let isCommand =
                ["text", "json"].contains(block.language) && block.text.contains(#/(?m)^(tripshare|curl) /#)
            #expect(!isCommand, "\(block.testDescription)")
        }
        #expect(ManualBlock.commands.count > 30)
    }

    @Test func `every row is about one block or one line`() {
        for row in ManualTrial.rows {
            let blocks = ManualBlock.commands.filter(row.isAbout)
            #expect(row.has.isEmpty ? blocks.count > 1 : blocks.count == 1, "\(row.page): \(row.has)")
        }
        let lines = ManualBlock.commands.flatMap { Self.lines($0.text) }
        for line in ManualTrial.onTerminal.keys { #expect(lines.contains(line), "\(line)") }
    }

    @Test(arguments: ManualBlock.commands)
    private func `does what its page says`(_ block: ManualBlock) async throws {
        let row = ManualTrial.row(for: block)
        if row?.elsewhere != nil { return }
        try await Program.withFolder { folder in
            let scenario = folder.appending(path: "a-ride.yaml").path
            try Data(ManualTrial.ride.utf8).write(to: URL(filePath: scenario))
            let arguments = row?.emulator ?? ["--scenario", scenario]
            let credentials = ["--credentials-folder", folder.appending(path: "credentials").path]
            try await EmulatedEngine.run(arguments + credentials) { path, ready in
                try Self.prepare(folder, ready: path)
                let before = row?.after.flatMap { part in ManualBlock.commands.first { $0.text.contains(part) }?.text }
                let lines = ManualTrial.names.reduce(into: Self.script(block)) {
                    $0 = $0.replacing($1.0, with: $1.1)
                }
                let script = """
                    set -euo pipefail
                    # A shell ends without its servers, which are in its process group.
                    trap 'trap "" TERM; kill 0' EXIT
                    cd "$FOLDER"
                    PATH="$FOLDER/bin:$PATH"
                    \(before ?? "")
                    \(row?.preparation ?? "")
                    \(lines)
                    """
                let answer = "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                try await CannedServer.run(.answer { _ in answer }) { hook in
                    let run = try await Program.run(
                        executable: "/bin/bash",
                        ["-c", script],
                        environment: try await Self.environment(folder, ready, hookPort: hook.port)
                    )
                    #expect(run.status == 0, "\(lines)\n\(run.output.suffix(3000))\n\(run.errors.suffix(3000))")
                    #expect(!run.output.contains("eyJ"))
                }
            }
        }
    }

    /// The lines of a block without comments and trailing spaces.
    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map {
            $0.replacing(/\s+#.*/, with: "").trimmingCharacters(in: .whitespaces)
        }
    }

    /// The script of a block without the lines that need a terminal.
    private static func script(_ block: ManualBlock) -> String {
        block.text.split(separator: "\n").filter { ManualTrial.onTerminal[lines(String($0)).first ?? ""] == nil }
            .joined(separator: "\n")
    }

    /// Writes the files that the pages name.
    static func prepare(_ folder: URL, ready: String?) throws {
        let programs = folder.appending(path: "bin")
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
        func write(_ text: String, _ name: String, mode: Int = 0o600) throws {
            let file = folder.appending(path: name)
            try Data("\(text)\n".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        }
        try write(ManualTrial.program, "bin/tripshare", mode: 0o700)
        try write(ManualTrial.gcloud, "bin/gcloud", mode: 0o700)
        for name in ["bin/notify-send", "log-event", "page-me"] {
            try write("#!/bin/sh\nexec cat > /dev/null", name, mode: 0o700)
        }
        let end = LogCommandTests.ride[1].replacing("ENROUTE_TO_PICKUP", with: "COMPLETE").replacing(
            ":12Z\"}",
            with: ":50Z\"}"
        )
        .replacing("\"i12\"", with: "\"i50\"")
        let log = (LogCommandTests.ride + [end]).joined(separator: "\n").replacing("ride-1", with: "trip-1")
        for name in ["exported.ndjson", "downloaded-logs.json"] { try write(log, name) }
        try write("Bearer login-of-the-manual-0123456789", "login")
        try write(#"{"type":"LineString","coordinates":[[3.72,51.06],[3.7201,51.06]]}"#, "way.geojson")
        guard let ready else { return }
        try FileManager.default.copyItem(atPath: ready, toPath: folder.appending(path: "ready.json").path)
        let key = folder.appending(path: "credentials/service_account.json")
        try FileManager.default.copyItem(at: key, to: folder.appending(path: "key.json"))
    }

    private static func environment(
        _ folder: URL,
        _ ready: [String: Any],
        hookPort: Int
    ) async throws -> [String: String] {
        func text(_ key: String) throws -> String { try #require(ready[key] as? String, "\(key)") }
        // A port that was just in use by a server is free.
        let port = try await CannedServer.run(.hangUp) { $0.port }
        return [
            "PROGRAM": Program.path, "FOLDER": folder.path, "HOME": folder.path,
            "CONTROL": try text("controlURL"), "TOKEN_URL": try text("tokenURL"),
            "TRACKING_TOKEN_URL": try text("trackingTokenURL"),
            "TRACKING_ID": (ready["trackingIds"] as? [String])?.first ?? "",
            "FIRST_PORT": "\(port)", "HOOK_PORT": "\(hookPort)",
            "TRIPSHARE_FLEET_ENGINE_URL": try text("fleetEngineURL"), "TRIPSHARE_IAM_URL": try text("iamURL"),
            "TRIPSHARE_CERTIFICATES_URL": try text("certificatesURL"),
            "TRIPSHARE_PROVIDER_ID": try text("providerId"), "TRIPSHARE_TOKEN_URL": try text("tokenURL"),
            "TRIPSHARE_SERVER_TOKEN_URL": try text("serverTokenURL"),
            "GOOGLE_APPLICATION_CREDENTIALS": folder.appending(path: "credentials/service_account.json").path,
        ]
    }
}

/// The lines of README and manual that need a terminal.
@Suite("Lines of the manual on a terminal", .serialized, .terminalTurn, .ends(within: .longTest))
struct ManualTerminalTests {
    @Test(arguments: ManualTrial.onTerminal.filter(\.value).keys.sorted())
    func `works on a terminal until it is quit`(_ line: String) async throws {
        try await Program.withFolder { folder in
            try ManualBlockTests.prepare(folder, ready: nil)
            let environment = ["FOLDER": folder.path, "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path]
            let command = line.replacing("tripshare", with: "'\(Program.path)'", maxReplacements: 1)
            try await PseudoTerminal.run(
                ["/bin/bash", "-c", "cd \"$FOLDER\" && \(command)"],
                width: 100,
                height: 30,
                environment: environment
            ) { terminal in
                try await terminal.waitForFrame(after: 0)
                // A tour asks before it ends, and the same key confirms.
                terminal.send("qq")
                #expect(try await terminal.end() == .exited(0), "\(terminal.text.suffix(2000))")
                #expect(terminal.hasItsModes)
            }
        }
    }
}
