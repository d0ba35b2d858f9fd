import FleetTokens
import Foundation
import Synchronization
import Testing
import TripModel
import TripTestSupport

/// What the commands do when the service refuses a token with 401: they ask for one new token and repeat the call once.
@Suite("Refused tokens and commands", .ends(within: .longTest))
struct RefusedTokenCommandTests {
    /// A service with one trip, which refuses the first token of each kind of call, or every token.
    private final class PickyEngine: Sendable {
        private let refused = Mutex<[String: String]>([:])
        private let tokens = Mutex<Set<String>>([])
        private let accepts: Bool

        init(accepts: Bool = true) { self.accepts = accepts }

        /// The number of different tokens that were sent.
        var tokenCount: Int { tokens.withLock { $0.count } }

        func run(_ body: (_ url: String) async throws -> Void) async throws {
            try await CannedServer.run(.answer { self.answer($0) }) { server in
                try await body("http://127.0.0.1:\(server.port)")
            }
        }

        private func answer(_ request: String) -> String {
            let isSearch = request.contains("trips:search")
            let token = request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("authorization: ") }
            guard let token = token.map(String.init) else { return Self.response("401 Unauthorized", Self.refusal) }
            tokens.withLock { _ = $0.insert(token) }
            let first = refused.withLock { refused in
                let kind = isSearch ? "search" : "get"
                refused[kind] = refused[kind] ?? token
                return refused[kind]
            }
            guard accepts, token != first else { return Self.response("401 Unauthorized", Self.refusal) }
            let time = Date().formatted(.iso8601)
            let trip = """
                {"name":"providers/p/trips/t","tripStatus":"ENROUTE_TO_PICKUP","vehicleId":"v",\
                "lastLocation":{"location":{"latitude":1,"longitude":1},"updateTime":"\(time)","serverTime":"\(time)"}}
                """
            return Self.response("200 OK", isSearch ? #"{"trips":[\#(trip)]}"# : trip)
        }

        private static let refusal =
            #"{"error":{"code":401,"status":"UNAUTHENTICATED","message":"Request had invalid authentication credentials."}}"#

        private static func response(_ status: String, _ body: String) -> String {
            "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
                + "Connection: close\r\n\r\n\(body)"
        }
    }

    /// Writes a command that prints another token at its first run than later.
    private static func command(_ context: AuthorizationContext, in folder: URL, _ name: String) throws -> String {
        for (number, serial) in ["one", "two"].enumerated() {
            let token = FakeToken(context, issuedAt: Date().addingTimeInterval(-10), serial: number + 1)
            try Data(token.text.utf8).write(to: folder.appending(path: "\(name)-\(serial)"))
        }
        let path = folder.appending(path: name).path
        return "sh -c 'if mkdir \(path)-used 2> /dev/null; then cat \(path)-one; else cat \(path)-two; fi'"
    }

    @Test(arguments: [
        ["trips"], ["doctor", "t"], ["watch", "t", "--once", "--output", "plain"],
        ["watch", "t", "--once", "--output", "json"], ["watch", "--all", "--once", "--output", "plain"],
    ])
    func `a command gets a new token and goes on`(arguments: [String]) async throws {
        let isForServer = arguments.contains("--all") || arguments[0] == "trips"
        try await Program.withFolder { folder in
            let engine = PickyEngine()
            try await engine.run { url in
                let trip = try Self.command(.trip(try TripID("t")), in: folder, "trip")
                let server = try Self.command(.server, in: folder, "server")
                let source = ["--token-command", arguments[0] == "trips" ? server : trip]
                let more = arguments.contains("--all") ? ["--server-token-command", server] : []
                let run = try await Program.run(
                    arguments + ["--provider-id", "p", "--fleet-engine-url", url] + source + more
                )
                #expect(run.status == 0, "\(run.output) \(run.errors)")
                #expect(run.output.contains("ENROUTE_TO_PICKUP") || run.output.contains("way"), "\(run.output)")
                let said = "The service refused the first token with HTTP 401 and accepted a new one"
                if isForServer { #expect(run.errors.contains(said), "\(run.errors)") }
                if arguments[0] == "doctor" { #expect(run.output.contains(said), "\(run.output)") }
                #expect(engine.tokenCount == (arguments.contains("--all") ? 4 : 2))
                #expect(!(run.output + run.errors).contains("eyJ"))
            }
        }
    }

    @Test func `a command whose second token is refused, too, ends with the refusal`() async throws {
        for arguments in [["trips"], ["doctor", "t"], ["watch", "t", "--once", "--output", "plain"]] {
            try await Program.withFolder { folder in
                let engine = PickyEngine(accepts: false)
                try await engine.run { url in
                    let context: AuthorizationContext = arguments[0] == "trips" ? .server : .trip(try TripID("t"))
                    let command = try Self.command(context, in: folder, "token")
                    let run = try await Program.runInProcess(
                        arguments + ["--provider-id", "p", "--fleet-engine-url", url, "--token-command", command]

                    )
                    #expect(run.status == 77, "\(arguments): \(run.output) \(run.errors)")
                    #expect(engine.tokenCount == 2, "\(arguments)")
                    #expect((run.output + run.errors).contains("invalid authentication"), "\(run.output) \(run.errors)")
                }
            }
        }
    }

    @Test func `an access token that is refused may be expired, revoked, unknown or not permitted`() async throws {
        try await Program.withFolder { folder in
            let credentials = folder.appending(path: "credentials").path
            try await EmulatedEngine.run(["--credentials-folder", credentials]) { ready, _ in
                let engine = PickyEngine(accepts: false)
                try await engine.run { url in
                    let source = [
                        "--emulator", ready, "--fleet-engine-url", url, "--provider-id", "p", "--credentials",
                        "\(credentials)/authorized_user.json", "--account",
                        "consumer@tripshare-demo.iam.gserviceaccount.com",
                    ]
                    for arguments in [["trips"], ["doctor", "t"], ["watch", "--all", "--once", "--output", "plain"]] {
                        let run = try await Program.run(arguments + source)
                        let text = run.output + run.errors
                        let lines = text.split(separator: "\n").filter { $0.contains("access token") }
                        #expect(!lines.isEmpty, "\(arguments): \(text)")
                        for words in ["expired", "revoked", "unknown to this service", "not permitted"] {
                            #expect(lines.contains { $0.contains(words) }, "\(arguments): \(text)")
                        }
                        for line in lines { #expect(!line.contains("JWT"), "\(line)") }
                        for secret in ["ya29.", "eyJ"] { #expect(!text.contains(secret)) }
                    }
                }
            }
        }
    }
}
