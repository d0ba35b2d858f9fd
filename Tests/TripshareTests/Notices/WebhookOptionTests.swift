import ArgumentParser
import Failures
import Foundation
import Runtime
import Synchronization
import Testing
import TripTestSupport
import TripText

@testable import tripshare

/// The options about addresses and secrets of `--webhook`.
@Suite("Options of posts", .ends(within: .longTest))
struct WebhookOptionTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let demo = ["demo", "--once", "--output", "plain", "--lang", "en"]

    /// The receivers of options, with these variables.
    private static func receivers(
        _ options: [String],
        _ variables: [String: String] = [:]
    ) throws -> [NoticeReceiver] {
        let context = ProcessContext(environment: variables, write: { _, _ in })
        return try ProcessContext.$current.withValue(context) { try NoticeOptions.parse(options).receivers() }
    }

    private static func webhooks(_ receivers: [NoticeReceiver]) -> [Webhook] {
        receivers.compactMap { if case .webhook(let webhook) = $0.action { webhook } else { nil } }
    }

    @Test func `each address has its own secret and events, or all have the same`() throws {
        let variables = ["FIRST": "first secret of sixteen", "SECOND": "second secret of sixteen"]
        let first: WebhookSecret? = WebhookSecret("first secret of sixteen")
        let second: WebhookSecret? = WebhookSecret("second secret of sixteen")
        let two = ["--webhook", "https://a.example/", "--webhook", "https://b.example/", "--webhook-batch", "7"]
        let own = try Self.receivers(
            two + [
                "--webhook-secret", "env:FIRST", "--webhook-secret", "env:SECOND",
                "--webhook-events", "status,stops:2", "--webhook-events", "end",
            ],
            variables
        )
        #expect(own.map { $0.triggers.map(\.name) } == [["status", "stops:2"], ["end"]])
        let secrets: [WebhookSecret?] = Self.webhooks(own).map(\.secret)
        #expect(first != nil && secrets == [first, second])
        #expect(Self.webhooks(own).map(\.batch) == [7, 7])
        let same = try Self.receivers(two + ["--webhook-secret", "env:FIRST", "--webhook-events", "end"], variables)
        #expect(same.map { $0.triggers.map(\.name) } == [["end"], ["end"]])
        let equal: [WebhookSecret?] = Self.webhooks(same).map(\.secret)
        #expect(equal == [first, first])
        let plain = try Self.receivers(two)
        #expect(plain.allSatisfy { $0.triggers == NoticeTrigger.standard })
        #expect(Self.webhooks(plain).allSatisfy { $0.secret == nil })
    }

    @Test func `an address can be in a variable or a file, and only its host is shown`() async throws {
        try await Program.withFolder { folder in
            let url = "https://hooks.example/services/T0AB1CD2E/B3FG4HJ5K/Lm6nOp7qRs8tUv9wXy0z"
            let file = folder.appending(path: "address")
            try Data("\(url)\n".utf8).write(to: file)
            let found = try Self.receivers(
                ["--webhook", "env:HOOK", "--webhook", "file:\(file.path)"],
                ["HOOK": url]
            )
            #expect(Self.webhooks(found).map(\.url) == [url, url])
            #expect(found.map(\.shownName) == ["hooks.example", "hooks.example"])
            #expect(found[0].key == found[1].key && !found[0].key.contains("T0AB"))
            #expect("posting to \(url) failed".withoutTokens.contains("Lm6nOp7q") == false)
            #expect("hooks.example failed".withoutTokens == "hooks.example failed")
        }
    }

    @Test(arguments: [
        ("https://h.example/a", "h.example"), ("https://h.example:443/a", "h.example"),
        ("https://h.example:8443/a", "h.example:8443"), ("http://127.0.0.1:9000/", "127.0.0.1:9000"),
        ("http://127.0.0.1:80/", "127.0.0.1"), ("http://[::1]:9000/", "[::1]:9000"), ("http://[::1]/", "::1"),
    ])
    func `the name of an address has its port, so that services of one host differ`(url: String, name: String) throws {
        #expect(try Self.receivers(["--webhook", url]).map(\.shownName) == [name])
    }

    @Test func `the same address with two secrets is refused, and with one secret is one receiver`() throws {
        let variables = ["FIRST": "first secret of sixteen", "SECOND": "second secret of sixteen"]
        let twice = ["--webhook", "https://a.example/x", "--webhook", "https://a.example/x"]
        let events = ["--webhook-events", "status", "--webhook-events", "end"]
        let same = ["--webhook-secret", "env:FIRST", "--webhook-secret", "env:FIRST"]
        #expect(try Self.receivers(twice + events + same, variables).combined.count == 1)
        let error = try #require(throws: CommandFailure.self) {
            try Self.receivers(
                twice + events + ["--webhook-secret", "env:FIRST", "--webhook-secret", "env:SECOND"],
                variables
            )
        }
        #expect(error.message(.english).hasPrefix("a.example is the same address twice, with different secrets"))
        #expect(error.status == .usage)
    }

    @Test func `the numbers have defaults`() throws {
        let options = try NoticeOptions.parse([])
        #expect(options.time == .seconds(3600) && options.wait == .seconds(10))
        let own = try NoticeOptions.parse(["--notice-time", "604800", "--notice-wait", "0"])
        #expect(own.time == .seconds(604_800) && own.wait == .zero)
    }

    @Test(arguments: [
        (["--webhook-secret", "env:S"], "--webhook-secret needs --webhook"),
        (["--webhook-batch", "5"], "--webhook-batch needs --webhook"),
        (["--webhook", "https://h/", "--webhook-batch", "0"], "a whole number from 1 to 100"),
        (["--webhook", "https://h/", "--webhook-batch", "101"], "a whole number from 1 to 100"),
        (["--notice-time", "0"], "--notice-time takes a number of seconds from 1 to 604,800"),
        (["--notice-time", "604801"], "--notice-time takes a number of seconds from 1 to 604,800"),
        (["--notice-wait=-1"], "--notice-wait takes a number of seconds from 0 to 3,600"),
        (
            ["--webhook", "https://a/", "--webhook", "https://b/", "--webhook", "https://c/"]
                + ["--webhook-secret", "env:A", "--webhook-secret", "env:B"],
            "--webhook-secret can be given once for all addresses, or once for each"
        ),
        (
            ["--webhook", "https://a/", "--webhook-events", "end", "--webhook-events", "status"],
            "--webhook-events can be given once for all addresses, or once for each"
        ),
    ])
    func `a wrong use is refused`(options: [String], words: String) async throws {
        let run = try await Program.runInProcess(Self.demo + options)
        #expect(run.status == 64 && run.errors.contains(words), "\(run.status): \(run.errors)")
    }

    @Test(arguments: ["hunter2hunter2hunter2", secret, "text:abc", "env:", "file:", "ENV:NAME"])
    func `a secret on the command line is refused and not repeated`(value: String) async throws {
        let run = try await Program.runInProcess(Self.demo + ["--webhook", "https://h/", "--webhook-secret", value])
        #expect(run.status == 64 && run.errors.contains("--webhook-secret takes env:NAME or file:PATH"))
        #expect(!run.errors.contains("hunter2") && !run.errors.contains("MfKQ9r8G"), "\(run.errors)")
    }

    @Test func `an address that is refused is not repeated with its key`() async throws {
        let url = "http://hooks.example/a?key=Zq8Lw3Vn5Tb7Xc1M"
        let run = try await Program.runInProcess(Self.demo + ["--webhook", url])
        #expect(run.status == 64 && run.errors.contains("it takes a URL with https"), "\(run.errors)")
        #expect(!run.errors.contains("Zq8Lw3Vn"), "\(run.errors)")
    }

    @Test(
        arguments: [
            (["--webhook", "env:HOOK"], [:], "--webhook names ‘env:HOOK’, which has no value"),
            (["--webhook", "env:HOOK"], ["HOOK": "http://hooks.example/Zq8Lw3Vn5Tb7Xc1M"], "can't use ‘env:HOOK’"),
            (["--webhook", "file:/no/such/file"], [:], "--webhook names ‘file:/no/such/file’, which has no value"),
            (
                ["--webhook", "https://h/", "--webhook-secret", "env:S"], [:],
                "--webhook-secret names ‘env:S’, which has no value"
            ),
            (
                ["--webhook", "https://h/", "--webhook-secret", "env:S"], ["S": "Zq8Lw3Vn"],
                "--webhook-secret can't use the value of ‘env:S’"
            ),
            (
                ["--webhook", "https://h/", "--webhook-secret", "env:S"], ["S": "Zq8Lw3Vn5Tb7Xc1M\nZq8Lw3Vn5Tb7Xc1M"],
                "--webhook-secret can't use the value of ‘env:S’.\nIt must be one line"
            ),
        ] as [([String], [String: String], String)]
    )
    func `a place without a usable value is named, not what it has`(
        options: [String],
        variables: [String: String],
        words: String
    ) async throws {
        let run = try await Program.runInProcess(Self.demo + options, environment: variables)
        #expect(run.status == 78 && run.errors.contains(words), "\(run.status): \(run.errors)")
        #expect(!run.errors.contains("Zq8Lw3Vn"), "\(run.errors)")
    }

    @Test(arguments: [(0o600, false), (0o644, true), (0o640, true)])
    func `a file that others can read is warned of`(mode: Int, isWarned: Bool) async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "secret").path
            try Data(Self.secret.utf8).write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            let run = try await Program.runInProcess(
                Self.demo + ["--webhook", "https://127.0.0.1:1/", "--webhook-events", "failure"]
                    + ["--webhook-secret", "file:\(file)"]
            )
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("Other users can read the file of the secret") == isWarned, "\(run.errors)")
            #expect(!run.errors.contains("MfKQ9r8G"))
        }
    }

    @Test func `no output and no file of a session has an address of a variable or a secret`() async throws {
        let answer = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        let requests = Mutex<[String]>([])
        let refuse: @Sendable (String) -> String = { request in
            requests.withLock { $0.append(request) }
            return answer
        }
        try await CannedServer.run(.answer(refuse)) { server in
            try await Program.withFolder { folder in
                let path = "/services/T0AB1CD2E/B3FG4HJ5K/Lm6nOp7qRs8tUv9wXy0z"
                let run = try await Program.run(
                    in: folder,
                    ["demo", "--seed", "1", "--speed", "120", "--output", "json", "--lang", "en"]
                        + ["--record", "ride.ndjson", "--share", "ride.html", "--webhook-events", "status,end"]
                        + ["--webhook", "env:HOOK", "--webhook-secret", "env:SECRET"],
                    environment: ["HOOK": "http://127.0.0.1:\(server.port)\(path)", "SECRET": Self.secret]
                )
                #expect(run.status == 0, "\(run.errors)")
                #expect(run.errors.contains("127.0.0.1"), "the receiver that refuses is named: \(run.errors)")
                var texts = [run.output, run.errors]
                let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
                while let file = files?.nextObject() as? URL {
                    guard let data = try? Data(contentsOf: file) else { continue }
                    texts.append(String(decoding: data, as: UTF8.self))
                }
                #expect(texts.count > 3)
                for piece in ["T0AB1CD2E", "Lm6nOp7qRs8tUv9wXy0z", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] {
                    #expect(!texts.contains { $0.contains(piece) }, "\(piece)")
                }
                #expect(requests.withLock(\.self).allSatisfy { $0.hasPrefix("POST \(path) ") })
            }
        }
    }
}
