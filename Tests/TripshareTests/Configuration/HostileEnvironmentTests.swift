import Foundation
import Testing
import TripTestSupport

@testable import tripshare

/// The program works in any environment or explains in one line what to do.
@Suite("Hostile environments", .ends(within: .longTest))
struct HostileEnvironmentTests {
    /// Runs a shell script with the program's path in `$program`.
    private func shell(_ script: String, environment: [String: String] = [:]) async throws -> Program.Run {
        let variables = environment.merging(["program": Program.path]) { $1 }
        return try await Program.run(executable: "/bin/sh", ["-c", script], environment: variables)
    }

    // MARK: Locales

    @Test(arguments: [
        ("LC_ALL", String(repeating: "a", count: 100)), ("LANG", String(repeating: "x", count: 5000)),
        ("LC_MESSAGES", "../../etc"), ("LC_NUMERIC", "%n;\u{1B}[2J"), ("LANGUAGE", String(repeating: "a", count: 100)),
    ])
    func `ignores an invalid locale`(variable: String, value: String) async throws {
        // Nothing takes precedence over the variable.
        let environment = ["LC_ALL": ""].merging([variable: value]) { $1 }
        let run = try await Program.run(["demo", "--output", "plain", "--once"], environment: environment)
        #expect(run.status == 0, "\(variable)=\(value.prefix(20)): \(run.errors)")
    }

    @Test func `distinguishes locale names from other text`() {
        for name in ["C", "C.UTF-8", "de_DE.UTF-8", "ca_ES.UTF-8@valencia", "zh_Hant_TW", "POSIX", ""] {
            #expect(LocaleVariables.isName(name[...]), "\(name)")
        }
        for text in ["a/b", "a b", "ä", "a\u{0}", String(repeating: "a", count: 65)] {
            #expect(!LocaleVariables.isName(text[...]), "\(text)")
        }
    }

    // MARK: Limits

    @Test func `reports too few open files, and raises the limit if possible`() async throws {
        let few = try await shell("ulimit -n 16; exec \"$program\" demo --output plain --once")
        #expect(few.status == 69)
        #expect(few.errors.contains("16 open files") && few.errors.contains("ulimit -n 1024"), "\(few.errors)")
        let soft = try await shell("ulimit -Sn 16; exec \"$program\" demo --output plain --once")
        #expect(soft.status == 0, "\(soft.errors)")
        let version = try await shell("ulimit -n 16; exec \"$program\" --version")
        #expect(version.status == 0)
    }

    @Test func `reports too little address space instead of ending by a signal`() async throws {
        for megabytes in [200, 400] {
            let few = try await shell("ulimit -v \(megabytes * 1024); exec \"$program\" demo --output plain --once")
            #expect(few.status == 69, "\(few.errors)")
            #expect(few.errors.contains("\(megabytes) MB of address space"), "\(few.errors)")
            #expect(few.errors.contains("ulimit -v unlimited"), "\(few.errors)")
        }
        // The limit that the message names is enough.
        let few = try await shell("ulimit -v 204800; exec \"$program\" demo --output plain --once")
        let least = try #require(few.errors.firstMatch(of: /needs (\d+) MB/)?.output.1)
        let enough = try await shell("ulimit -v $((\(least) * 1024)); exec \"$program\" demo --output plain --once")
        #expect(enough.status == 0, "\(enough.errors)")
        let version = try await shell("ulimit -v 204800; exec \"$program\" --version")
        #expect(version.status == 0)
    }

    // MARK: Home folders

    @Test func `does not take the current folder for a missing home`() async throws {
        // The program would refuse this file if it read it.
        let script = """
            cd "$(mktemp -d)" && mkdir -p .config/tripshare && echo broken > .config/tripshare/config.json \
            && env -u HOME -u XDG_CONFIG_HOME -u XDG_STATE_HOME "$program" watch t --provider-id p --token-env NONE --once \
            --fleet-engine-url http://127.0.0.1:9; code=$?; ls -A; exit $code
            """
        let run = try await shell(script)
        #expect(!run.errors.contains("configuration file"), "\(run.errors)")
        #expect(run.lines.last == ".config")
    }

    // MARK: Pipes instead of files

    @Test func `a pipe instead of the history is not touched, and q ends the program`() async throws {
        try await EmulatedEngine.run([]) { _, object in
            try await Program.withFolder { folder in
                let state = folder.appendingPathComponent("tripshare")
                try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
                #expect(unsafe mkfifo(state.appendingPathComponent("trips").path, 0o600) == 0)
                let command = [
                    Program.path, "watch", try #require((object["tripIds"] as? [String])?.first),
                    "--provider-id", try #require(object["providerId"] as? String),
                    "--fleet-engine-url", try #require(object["fleetEngineURL"] as? String),
                    "--token-url", try #require(object["tokenURL"] as? String),
                ]
                let environment = ["HOME": folder.path, "XDG_STATE_HOME": folder.path]
                try await PseudoTerminal.run(command, width: 100, height: 30, environment: environment) { terminal in
                    try await terminal.wait(for: "live")
                    terminal.send("q")
                    let ending = try await terminal.end()
                    #expect(ending == .exited(0))
                }
            }
        }
    }

    @Test(
        arguments: [
            (["demo", "--scenario", "PIPE"], 65), (["demo", "--recording", "PIPE"], 65),
            (["demo", "--basemap", "PIPE"], 65),
            (["watch", "--emulator", "PIPE"], 65),
            (["watch", "--trips-file", "PIPE", "--provider-id", "p", "--token-env", "T"], 65),
            (["token", "fetch", "--trip", "t", "--service-account", "PIPE"], 65),
            (["replay", "PIPE"], 65), (["verify", "PIPE"], 65), (["calls", "PIPE"], 65),
            (["export", "--format", "gpx", "PIPE"], 65),
        ] as [([String], Int32)]
    )
    func `gives up a pipe without a writer, which it opens once`(arguments: [String], status: Int32) async throws {
        try await Program.withFolder { folder in
            let pipe = folder.appendingPathComponent("pipe").path
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            #if os(Linux)
            let openings = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            defer { close(openings) }
            try #require(unsafe inotify_add_watch(openings, pipe, UInt32(IN_OPEN | IN_CLOSE_NOWRITE)) >= 0)
            #endif
            let run = try await Program.run(arguments.map { $0 == "PIPE" ? pipe : $0 })
            #expect(run.status == status, "\(arguments): \(run.errors)")
            #expect(run.errors.contains("delivered no data"), "\(run.errors)")
            #if os(Linux)
            // A writer that found a reader is ended by the next write if that reader has gone: a pair of events, each of
            // 16 bytes.
            var events = [UInt8](repeating: 0, count: 256)
            #expect(unsafe read(openings, &events, events.count) == 32)
            #endif
        }
    }

    @Test func `gives up a pipe instead of the configuration file`() async throws {
        try await Program.withFolder { folder in
            let pipe = folder.appendingPathComponent("pipe").path
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            let run = try await Program.run(
                ["watch", "t", "--provider-id", "p", "--token-env", "T", "--once"],
                environment: ["TRIPSHARE_CONFIG": pipe]
            )
            #expect(run.status == 78, "\(run.errors)")
            #expect(run.errors.contains("delivered no data"), "\(run.errors)")
        }
    }

    @Test func `a pipe with a writer works like a configuration file`() async throws {
        let script = #"TRIPSHARE_CONFIG=<(printf '%s' "$0") exec "$program" token inspect --output json"#
        for (content, status) in [("{\"interval\":5,\"bell\":true}", 1), ("{\"theme\":\"neon\"}", 78)]
            as [(String, Int32)]
        {
            let run = try await Program.run(
                executable: "/bin/bash",
                ["-c", script, content],
                environment: ["program": Program.path],
                input: "hello"
            )
            #expect(run.status == status, "\(run.errors)")
            #expect(run.errors.contains("‘neon’") == (status == 78), "\(run.errors)")
        }
    }

    @Test func `a pipe with a writer works like a file`() async throws {
        let run = try await shell(
            "\"$program\" scenarios >/dev/null && printf 'x: y' | \"$program\" demo --scenario /dev/stdin"
        )
        #expect(run.status == 65)
        #expect(run.errors.contains("Fix the scenario"), "\(run.errors)")
    }

    // MARK: Crashes

    @Test(arguments: [SIGILL, SIGSEGV, SIGABRT])
    func `a crash ends the program at once with a message`(signal: Int32) async throws {
        try await Program.withFolder { folder in
            let demo = try Program.start(["demo", "--output", "plain", "--speed", "0.1"], in: folder)
            try await demo.outputs("Token received")
            demo.send(signal)
            let run = try await demo.result()
            #expect(run.status == signal)
            #expect(run.errors.contains("internal error (signal \(signal))"), "\(run.errors)")
            #expect(!run.errors.lowercased().contains("backtrace of"), "\(run.errors)")
        }
    }
}
