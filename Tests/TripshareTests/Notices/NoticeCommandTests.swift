import Foundation
import Synchronization
import Testing
import TripTestSupport

@testable import tripshare

/// `--on` and `--webhook` with the built program.
@Suite("Notices with the built program", .serialized, .ends(within: .longTest))
struct NoticeCommandTests {
    private struct Line: Decodable {
        var type: String
        var event: String
        var trip: String
        var text: String
        var outcome: String?
    }

    private static let ride = [
        "demo", "--seed", "1", "--speed", "120", "--output", "plain",
    ]

    private static func lines(_ text: String) throws -> [Line] {
        try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test func `runs a command with each event on its standard input, also with the last one`() async throws {
        try await Program.withFolder { folder in
            let run = try await Program.run(
                in: folder,
                Self.ride + ["--on", "status,end=sh -c 'cat >> events.ndjson'"]
            )
            #expect(run.status == 0, "\(run.errors)")
            let text = try String(contentsOf: folder.appending(path: "events.ndjson"), encoding: .utf8)
            let lines = try Self.lines(text)
            #expect(lines.allSatisfy { $0.type == "notice" && $0.trip == "trip-1" && !$0.text.isEmpty })
            #expect(Set(lines.map(\.event)) == ["status", "end"])
            #expect(lines.last?.event == "end" && lines.last?.outcome == "COMPLETE", "\(text)")
            #expect(!text.contains("eyJ"), "a token begins with these letters")
        }
    }

    @Test func `a command gets no secret of the environment, only what it needs and what the user names`() async throws
    {
        let secrets = [
            "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "GOOGLE_TOKEN": "ya29.a0AbVbY6P",
            "PRIVATE_KEY": "-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----", "DB": "hunter2",
            "PAGER_ROUTE": "night",
        ]
        try await Program.withFolder { folder in
            let run = try await Program.run(
                in: folder,
                Self.ride + ["--on", "end=sh -c 'env > variables'", "--on-env", "PAGER_ROUTE"],
                environment: secrets.merging(["LC_TIME": "C"]) { old, _ in old }
            )
            #expect(run.status == 0, "\(run.errors)")
            let text = try String(contentsOf: folder.appending(path: "variables"), encoding: .utf8)
            let names = Set(text.split(separator: "\n").compactMap { $0.split(separator: "=").first.map(String.init) })
            #expect(names.isSuperset(of: ["PATH", "HOME", "LC_TIME", "PAGER_ROUTE"]), "\(names)")
            #expect(names.isDisjoint(with: secrets.keys.filter { $0 != "PAGER_ROUTE" }), "\(names)")
            for value in ["wJalr", "ya29.", "BEGIN PRIVATE", "hunter2"] { #expect(!text.contains(value)) }
        }
        let usage = try await Program.run(Self.ride + ["--on-env", "X", "--lang", "en"])
        #expect(usage.status == 64 && usage.errors.contains("--on-env needs --on"), "\(usage.errors)")
    }

    @Test(arguments: ["A=B", "", "a b", "=", "A\tB", "A\u{3000}B", "A\n"])
    func `a text that can be no name of a variable is refused`(name: String) async throws {
        let run = try await Program.runInProcess(Self.ride + ["--on", "end=true", "--on-env", name, "--lang", "en"])
        #expect(run.status == 64 && run.errors.contains("--on-env takes the name of a variable"), "\(run.errors)")
    }

    @Test func `reports a command that fails or cannot be started, and goes on`() async throws {
        try await Program.withFolder { folder in
            let script = folder.appending(path: "script")
            try Data("#!/no/such/interpreter\n".utf8).write(to: script)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
            let run = try await Program.run(
                in: folder,
                Self.ride + ["--on", "status=false", "--on", "end=./script", "--lang", "en"]
            )
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("false failed for the event status: exit status 1"), "\(run.errors)")
            #expect(run.errors.contains("failed for the event end: "), "\(run.errors)")
            #expect(run.errors.contains("script"), "\(run.errors)")
        }
    }

    @Test(arguments: [
        ("no-such-command-anywhere now", "no-such-command-anywhere", " is not installed or not in PATH"),
        ("/no/such/command", "/no/such/command", "No such file or directory"), ("/tmp/", "/tmp", "Is a directory"),
        ("/etc/passwd", "/etc/passwd", "Permission denied"),
    ])
    func `a program that does not exist is refused before the session begins`(
        command: String,
        name: String,
        words: String
    ) async throws {
        let run = try await Program.runInProcess(
            Self.ride + ["--on", "status=true", "--on", "end=\(command)", "--lang", "en"],
            environment: ["PATH": "/usr/bin:/bin"]
        )
        #expect(run.status == 64 && run.output.isEmpty, "\(run.status): \(run.output)")
        #expect(run.errors.contains(name) && run.errors.contains(words), "\(run.errors)")
    }

    @Test func `posts each event to a web service, and reports its refusal`() async throws {
        let requests = Mutex<[String]>([])
        let answer: @Sendable (String) -> String = { request in
            let count = requests.withLock { requests in
                requests.append(request)
                return requests.count
            }
            return "HTTP/1.1 \(count == 1 ? "503 Service Unavailable" : "204 No Content")\r\ncontent-length: 0\r\n"
                + "connection: close\r\n\r\n"
        }
        try await CannedServer.run(.answer(answer)) { server in
            let url = "http://127.0.0.1:\(server.port)/hook"
            let run = try await Program.run(
                Self.ride + ["--webhook", url, "--webhook-events", "status,end", "--lang", "en"]
            )
            #expect(run.status == 0, "\(run.errors)")
            let place = "127.0.0.1:\(server.port)"
            #expect(run.errors.contains("\(place) failed for the event status: HTTP 503"), "\(run.errors)")
            let all = requests.withLock { $0 }
            #expect(all.allSatisfy { $0.hasPrefix("POST /hook HTTP/1.1\r\n") }, "\(all)")
            #expect(all.last?.contains(#""outcome":"COMPLETE""#) == true, "\(all)")
        }
    }

    @Test func `a notice of a session that was killed is sent by the next one, with the same ID`() async throws {
        let isUp = Mutex(false)
        let requests = Mutex<[String]>([])
        let arrived = WakeSignal()
        let answer: @Sendable (String) -> String = { request in
            requests.withLock { $0.append(request) }
            arrived.signal()
            let status = isUp.withLock { $0 } ? "204 No Content" : "503 Service Unavailable"
            return "HTTP/1.1 \(status)\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        }
        func ids(of requests: [String]) -> [String] {
            requests.compactMap { request in
                request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("tripshare-event-id: ") }
                    .map { String($0.dropFirst("tripshare-event-id: ".count)) }
            }
        }
        try await CannedServer.run(.answer(answer)) { server in
            let options = [
                "--webhook", "http://127.0.0.1:\(server.port)/", "--webhook-events", "status,end", "--lang", "en",
            ]
            try await Program.withFolder { folder in
                let first = try Program.start(Self.ride + options, in: folder)
                await arrived.wait()
                first.send(SIGKILL)
                _ = try await first.result()
                let refused = ids(of: requests.withLock { $0 })
                let file = folder.appending(path: ".local/state/tripshare/notices.sqlite").path()
                let store = try SQLiteNoticeStore(path: file, now: { Date() })
                let waiting = try store.waiting()
                #expect(!refused.isEmpty && Set(refused).isSubset(of: waiting.map(\.notice.id.text)), "\(waiting)")
                for row in waiting { #expect(!String(decoding: row.notice.body, as: UTF8.self).contains("eyJ")) }

                isUp.withLock { $0 = true }
                requests.withLock { $0 = [] }
                let second = try Program.start(Self.ride + options, in: folder)
                let run = try await second.result()
                #expect(run.status == 0, "\(run.errors)")
                let delivered = ids(of: requests.withLock { $0 })
                #expect(Set(refused).isSubset(of: delivered) && Set(delivered).count == delivered.count)
                #expect(try store.waiting().isEmpty)
            }
        }
    }

    @Test(arguments: [
        (["--on", "sleep=true"], "‘sleep’ is no event; the events are status, arrival:MINUTES"),
        (["--on", "arrival=true"], "arrival needs a number of minutes"),
        (["--on", "status"], "--on takes EVENT=COMMAND"), (["--on", "status="], "--on: there is no command"),
        (["--on", "status='x"], "--on: the ' at column 1 is not closed"),
        (["--webhook", "http://example.com/"], "it takes a URL with https"),
        (["--webhook-events", "status"], "--webhook-events needs --webhook"),
        (["--on", "stops:x=true"], "stops needs a number of stops"),
        (["--on", "failing=true"], "failing needs a number of seconds"),
        (["--on", "found=true"], "found needs the name of a rule"),
        (["--on", "found:offRoutes=true"], "‘offRoutes’ is no rule of findings. Did you mean ‘offRoute’?"),
        (["--on", "found:xyzzyplugh=true"], "is no rule of findings. Valid names: "),
    ])
    func `says what is wrong with an option`(options: [String], words: String) async throws {
        let run = try await Program.runInProcess(["demo", "--output", "plain", "--lang", "en"] + options)
        #expect(run.status == 64 && run.errors.contains(words), "\(run.status): \(run.errors)")
    }
}
