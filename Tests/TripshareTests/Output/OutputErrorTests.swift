import Foundation
import Testing
import TripTestSupport

@Suite("Output that can't be written", .ends(within: .longTest))
struct OutputErrorTests {
    /// Runs the program in a shell, for redirections.
    ///
    /// `$0` is the program.
    private static func shell(_ line: String, _ arguments: String...) async throws -> Program.Run {
        try await Program.run(executable: "/bin/bash", ["-c", line, Program.path] + arguments)
    }

    private static let unreachable =
        "watch t --provider-id p --once --token-url 'http://127.0.0.1:9/{tripId}' --fleet-engine-url http://127.0.0.1:9"

    @Test(
        arguments: [
            ("\(unreachable) 2>&-", 69), ("\(unreachable) 2>/dev/full", 69), ("watch --nonsense 2>&-", 64),
            ("nonsense 2>/dev/full", 64), ("token inspect 2>&- <&-", 65),
            ("demo --scenario none --once 2>&-", 66), ("scenarios 2>&-", 0),
        ] as [(String, Int32)]
    )
    func `retains the exit code if only standard error fails`(_ command: String, _ status: Int32) async throws {
        let run = try await Self.shell("exec \"$0\" \(command)")
        #expect(run.status == status)
    }

    @Test(
        arguments: [
            "--help", "help watch", "--version", "scenarios", "scenarios traffic-jam", "demo --once --output plain",
            "demo --once --output json", "token inspect <<< eyJhbGciOiJSUzI1NiJ9.e30.c2ln",
            "token inspect --output json <<< eyJhbGciOiJSUzI1NiJ9.e30.c2ln",
            "doctor t --provider-id p --token-env NONE", "--generate-completion-script bash",
        ],
        [">/dev/full", ">&-"]
    )
    func `exits with 74 and a message`(_ command: String, _ redirection: String) async throws {
        let run = try await Self.shell("exec \"$0\" \(command) \(redirection)")
        #expect(run.status == 74)
        let reason = redirection == ">&-" ? "Bad file descriptor" : "No space left on device"
        #expect(run.errors.hasPrefix("Standard output can't be written: \(reason).\n"))
        #expect(run.errors.split(separator: "\n").count == 2)
    }

    @Test(
        arguments: [
            ("token inspect <<< eyJhbGciOiJSUzI1NiJ9.e30.c2ln", 1), ("scenarios", 0), ("demo --once --output json", 0),
            ("doctor t --provider-id p --token-env NONE", 78),
        ] as [(String, Int32)]
    )
    func `ends quietly when the reader has closed the pipe`(_ command: String, _ status: Int32) async throws {
        let run = try await Self.shell("exec 3> >(:); wait $!; \"$0\" \(command) >&3 3>&-")
        // 141 is the end by SIGPIPE, which prints nothing either.
        #expect([status, 141].contains(run.status))
        #expect(!run.errors.contains("can't be written"))
    }

    #if os(Linux)
    @Test func `opens no file with the number of a closed descriptor`() async throws {
        let command = "exec \"$0\" demo --output plain --speed 0.1 <&- 2>&-"
        let files = try await PseudoTerminal.run(["/bin/sh", "-c", command, Program.path]) { terminal in
            try await terminal.wait(for: "Token received")
            return try [0, 2].map {
                try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(terminal.pid)/fd/\($0)")
            }
        }
        #expect(files == ["/dev/null", "/dev/null"])
    }
    #endif

    @Test func `a signal that ends the reader of the pipe, too, retains its exit code`() async throws {
        // While the program is stopped, the signal arrives and the pipe is closed.
        let run = try await Self.shell(
            """
            cd "$HOME"
            mkfifo lines
            "$0" demo --output json --speed 0.1 > lines & pid=$!
            exec 3< lines
            while read -r line <&3; do case $line in *'"poll"'*) break ;; esac; done
            kill -STOP $pid; kill -TERM $pid; exec 3<&-; kill -CONT $pid
            wait $pid; echo $?
            """
        )
        #expect(run.lines == ["143"])
    }

    @Test(
        arguments: [
            ("--timeout 0.5", "", 69), ("--timeout 0.5 2>&1", "", 69), ("", "sleep 3; kill $pid", 143),
        ] as [(String, String, Int32)]
    )
    func `a reader that does not read delays neither the timeout nor a signal`(
        _ option: String,
        _ action: String,
        _ status: Int32
    ) async throws {
        // The pipe is full before the program writes its first line.
        let run = try await Self.shell(
            """
            cd "$HOME"
            {
                head -c 65536 /dev/zero
                "$0" demo --output json \(option) & pid=$!
                \(action)
                wait $pid; echo $? > status
            } | while [ ! -s status ]; do sleep 0.1; done
            cat status
            """
        )
        #expect(run.lines == ["\(status)"])
    }

    @Test(arguments: ["json", "plain"])
    func `an output without a screen names the options that only the screen uses`(form: String) async throws {
        let demo = ["demo", "--output", form, "--once", "--speed", "60"]
        let run = try await Program.run(demo + ["--theme", "light", "--calm"])
        #expect(run.status == 0, "\(run.errors)")
        let words = "This output shows less than the screen: --theme, --calm has an effect only there."
        #expect(run.errors.contains(words) && !run.output.contains("screen"), "\(run.errors)")
        let quiet = try await Program.run(demo)
        #expect(quiet.errors.isEmpty, "\(quiet.errors)")
    }
}
