import CryptoExtras
import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("tripshare token", .ends(within: .longTest))
struct TokenCommandTests {
    private static let key = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    /// Creates a service account's key file and its public key in a folder.
    private static func keyFiles(in folder: URL) throws -> (account: String, publicKey: String) {
        let key = try key.get()
        let account = folder.appendingPathComponent("account.json")
        let publicKey = folder.appendingPathComponent("public.pem")
        let object = [
            "type": "service_account", "client_email": "server@project.iam.gserviceaccount.com",
            "private_key_id": "key-1", "private_key": key.pemRepresentation,
        ]
        let data = try JSONSerialization.data(withJSONObject: object)
        let mode = [FileAttributeKey.posixPermissions: 0o600]
        #expect(FileManager.default.createFile(atPath: account.path, contents: data, attributes: mode))
        try Data(key.publicKey.pemRepresentation.utf8).write(to: publicKey)
        return (account.path, publicKey.path)
    }

    private static func isToken(_ text: String) -> Bool {
        text.hasPrefix("eyJ") && text.split(separator: ".").count == 3
    }

    @Test func `fetch explains an emulator's token without showing it`() async throws {
        try await EmulatedEngine.run(["--speed", "10"]) { ready, object in
            let plain = try await Program.run(["token", "fetch", "--emulator", ready])
            #expect(plain.status == 0, "\(plain.errors)")
            for part in ["kid", "authorization", "used until", "refreshed at", "✓ identity", "Verdict: valid."] {
                #expect(plain.output.contains(part), "\(part)")
            }
            let rows = ["alg ", "typ ", "kid ", "iss ", "sub ", "aud ", "iat ", "exp ", "authorization "]
            let places = rows.compactMap { row in plain.lines.firstIndex { $0.hasPrefix("  " + row) } }
            #expect(places.count == rows.count && places == places.sorted(), "\(plain.output)")
            #expect(!plain.output.contains("eyJ") && !plain.errors.contains("eyJ"))

            let json = try await Program.run([
                "token", "fetch", "--emulator", ready, "--vehicle", "vehicle-1", "--output", "json",
            ])
            #expect(json.status == 0)
            let line = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
            #expect(line["faultless"] as? Bool == true)
            #expect(line["refreshAt"] is String)
            let claims = try #require(line["claims"] as? [String: Any])
            #expect((claims["authorization"] as? [String: String]) == ["vehicleid": "vehicle-1"])

            let revealed = try await Program.run(["token", "fetch", "--emulator", ready, "--reveal"])
            #expect(revealed.lines.count == 1 && Self.isToken(revealed.output))
            #expect(revealed.errors.contains("Verdict") && !revealed.errors.contains("eyJ"))

            let url = try #require(object["tokenURL"] as? String)
            let foreign = try await Program.run([
                "token", "fetch", "--emulator", ready, "--token-url", url.replacing("{tripId}", with: "other?{tripId}"),
            ])
            #expect(foreign.status == 1)
            #expect(foreign.output.contains("✗ identity"))
        }
    }

    @Test(
        arguments: [
            (["token", "fetch"], 64), (["token", "fetch", "--trip", "t"], 64),
            (["token", "fetch", "--trip", "t", "--vehicle", "v", "--token-env", "X"], 64),
            (["token", "fetch", "--trip", "a/b", "--token-env", "X"], 64),
            (["token", "fetch", "--trip", "t", "--token-env", "NO_SUCH_VARIABLE"], 78),
            (["token", "fetch", "--trip", "t", "--token-command", "false"], 69),
            (["token", "fetch", "--trip", "t", "--token-url", "http://127.0.0.1:1/{tripId}"], 69),
            (["token", "fetch", "--vehicle", "v", "--token-url", "http://127.0.0.1:1/{tripId}"], 78),
            (["token", "fetch", "--trip", "t", "--token-url", "http://backend.example/{tripId}"], 78),
            (["token", "fetch", "--trip", "t", "--token-url", "https://b/{tripId}", "--token-header", "A=secret"], 64),
            (
                ["token", "fetch", "--trip", "t", "--token-url", "https://b/{tripId}", "--token-header", "A=env:NONE"],
                78
            ),
            (["token", "fetch", "--trip", "t", "--token-url", "https://b/{tripId}", "--token-method", "PUT"], 64),
            (["token", "fetch", "--trip", "t", "--token-command", "cat 'x"], 64),
            (["token", "fetch", "--trip", "t", "--token-env", "X", "--assume-token-lifetime", "0"], 64),
            (["token", "fetch", "--trip", "t", "--token-command", "x", "--token-method", "POST"], 64),
            (["token", "fetch", "--trip", "t", "--token-env", "X", "--token-header", "A=env:B"], 64),
            (
                ["token", "fetch", "--trip", "t", "--token-url", "https://b/{tripId}", "--token-creation-key", "made"]
                    + ["--token-expiration-unit", "relative-seconds"], 64
            ),
            (["token", "inspect"], 65), (["token", "inspect", "--server", "--trip", "t"], 64),
            (["token", "mint", "--trip", "t"], 64), (["token", "mint", "--service-account", "/no/such"], 64),
            (["token", "mint", "--service-account", "/no/such", "--trip", "t"], 66),
            (["token", "mint", "--service-account", #filePath, "--trip", "t"], 78),
            (["token", "mint", "--service-account", "/no/such", "--trip", "t", "--lifetime", "3601"], 64),
        ] as [([String], Int32)]
    )
    func `prints a message and exits with its code`(arguments: [String], status: Int32) async throws {
        let run = try await Program.runInProcess(arguments)
        #expect(run.status == status, "\(run.errors)")
        #expect(!run.errors.isEmpty)
        #expect(run.output.isEmpty)
    }

    @Test func `sends a secret header to the endpoint and shows it nowhere`() async throws {
        let token = FakeToken(.trip(try TripID("trip-1")), issuedAt: Date()).text
        let endpoint = CannedServer.Behaviour.answer { request in
            let request = request.lowercased()
            let isLoggedIn =
                request.hasPrefix("post /token/trip-1 ") && request.contains("\r\nx-login: open sesame\r\n")
            return
                "HTTP/1.1 \(isLoggedIn ? "200 OK" : "403 Forbidden")\r\nConnection: close\r\n\r\n\(isLoggedIn ? token : "")"
        }
        try await CannedServer.run(endpoint) { server in
            let url = "http://127.0.0.1:\(server.port)"
            let fetch = [
                "token", "fetch", "--trip", "trip-1", "--token-url", url + "/token/{tripId}", "--token-method", "POST",
            ]
            let run = try await Program.runInProcess(
                fetch + ["--token-header", "X-Login=env:LOGIN"],
                environment: ["LOGIN": "open sesame"]
            )
            #expect(run.status == 0, "\(run.errors)\(run.output)")
            #expect(!(run.output + run.errors).contains("sesame"))
            let without = try await Program.runInProcess(fetch)
            #expect(without.status == 77, "\(without.errors)")
            try await Program.withFolder { folder in
                let file = folder.appendingPathComponent("login").path
                let flags = ["--token-header", "X-Login=file:\(file)"]
                for (mode, isWarned) in [(0o600, false), (0o640, true)] {
                    let content = Data("open sesame\n".utf8)
                    #expect(FileManager.default.createFile(atPath: file, contents: content))
                    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
                    let run = try await Program.runInProcess(fetch + flags)
                    #expect(run.status == 0 && run.errors.contains("chmod 600") == isWarned, "\(run.errors)")
                }
            }
        }
    }

    @Test func `sends the ID in a JSON body to a fixed URL, and warns once if the ID is not sent at all`()
        async throws
    {
        let token = FakeToken(.trip(try TripID("trip-1")), issuedAt: Date()).text
        let endpoint = CannedServer.Behaviour.answer { request in
            // The body may arrive in a packet of its own.
            let isRight = request.hasSuffix(#"{"trip":"trip-1"}"#) || request.hasPrefix("GET /fixed ")
            if !isRight, request.hasPrefix("POST /token ") { return "" }
            return
                "HTTP/1.1 \(isRight ? "200 OK" : "403 Forbidden")\r\nConnection: close\r\n\r\n\(isRight ? token : "")"
        }
        try await CannedServer.run(endpoint) { server in
            let url = "http://127.0.0.1:\(server.port)"
            let fetch = ["token", "fetch", "--trip", "trip-1", "--token-url"]
            let body = #"{"trip":"{tripId}"}"#
            let fixed = try await Program.runInProcess(fetch + [url + "/fixed"])
            #expect(fixed.status == 0, "\(fixed.errors)\(fixed.output)")
            #expect(fixed.errors.components(separatedBy: "does not contain {tripId}").count == 2, "\(fixed.errors)")
            let posted = try await Program.runInProcess(fetch + [url + "/token", "--token-body", body])
            #expect(posted.status == 0 && posted.errors.isEmpty, "\(posted.errors)\(posted.output)")
            let wrong = try await Program.runInProcess(
                fetch + [url + "/token", "--token-body", body, "--token-method", "GET"]
            )
            #expect(wrong.status == 64)
            let broken = try await Program.runInProcess(
                fetch + [url + "/token", "--token-body", #"{"trip":{tripId}}"#]
            )
            #expect(broken.status == 64 && broken.errors.contains("--token-body is not JSON"), "\(broken.errors)")
        }
    }

    @Test func `a token command is quoted as for a shell, and a lifetime may be assumed`() async throws {
        let opaque = try await Program.runInProcess(
            [
                "token", "fetch", "--trip", "t 1", "--token-command",
                #"sh -c 'printf "opaque-%s" "$TRIPSHARE_TRIP_ID" | tr " " -'"#,
            ]
                + ["--assume-token-lifetime", "600", "--output", "json"]
        )
        #expect(opaque.status == 1, "\(opaque.errors)")
        #expect(opaque.output.contains(#""expiresAt":""#))
        #expect(!opaque.output.contains("opaque-t"))
    }

    @Test func `fetch explains why a token is not used and which flag would change that`() async throws {
        let run = try await Program.runInProcess([
            "token", "fetch", "--trip", "t", "--token-command", "echo opaqueopaque",
        ])
        #expect(run.status == 1, "\(run.errors)")
        let row = try #require(run.lines.firstIndex { $0.hasPrefix("  not used") })
        #expect(run.lines[row + 1].contains("--assume-token-lifetime"), "\(run.output)")
        #expect(!run.output.contains("used until"))
    }

    @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129), ("KILL", SIGKILL)] as [(String, Int32)])
    func `a signal ends a fetch, and its command with all child processes`(
        signal: String,
        status: Int32
    ) async throws {
        try await Program.withFolder { folder in
            // Every started process holds the pipe open: it ends with the last of them.
            let pipe = folder.appendingPathComponent("pipe").path
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            let (gone, end) = AsyncStream.makeStream(of: Void.self)
            Thread.detachNewThread {
                _ = try? FileHandle(forReadingAtPath: pipe)?.readToEnd()  // only its end matters
                end.finish()
            }
            // The command sends the signal itself. No code of the program runs after SIGKILL: only a guard that it starts
            // after the command can end the command.
            let start = signal == "KILL" ? "sleep 2; " : ""
            let script = "exec 3>\(pipe); sleep 600 & \(start)kill -\(signal) $PPID; wait"
            let run = try await Program.run([
                "token", "fetch", "--trip", "t", "--token-command", "sh -c '\(script)'",
            ])
            #expect(run.status == status, "\(run.errors)")
            for await _ in gone {}
        }
    }

    @Test func `the end of a command ends the child processes that it leaves behind`() async throws {
        try await Program.withFolder { folder in
            let pipe = folder.appendingPathComponent("pipe").path
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            let (gone, end) = AsyncStream.makeStream(of: Void.self)
            Thread.detachNewThread {
                _ = try? FileHandle(forReadingAtPath: pipe)?.readToEnd()  // only its end matters
                end.finish()
            }
            let script = "exec 3>\(pipe); sleep 600 & exit 3"
            let run = try await Program.run([
                "token", "fetch", "--trip", "t", "--token-command", "sh -c '\(script)'",
            ])
            #expect(run.status == 69 && run.errors.contains("status 3"), "\(run.errors)")
            for await _ in gone {}
        }
    }

    @Test func `inspect finds no fault in a token signed by mint`() async throws {
        try await Program.withFolder { folder in
            let files = try Self.keyFiles(in: folder)
            let subjects = [
                ["--trip", "trip-1"], ["--vehicle", "taxi-1"], ["--tracking", "parcel-1"], ["--task", "task-1"],
                ["--delivery-vehicle", "van-1"], ["--server"],
            ]
            for subject in subjects {
                let mint = try await Program.runInProcess(
                    ["token", "mint", "--service-account", files.account, "--reveal"] + subject
                )
                #expect(mint.status == 0, "\(mint.errors)")
                #expect(mint.lines.count == 1 && Self.isToken(mint.output))
                let check = ["token", "inspect", "--provider-id", "project", "--public-key", files.publicKey] + subject
                let inspect = try await Program.runInProcess(check, input: mint.output)
                #expect(inspect.status == 0, "\(inspect.output)\(inspect.errors)")
                #expect(inspect.output.contains("✓ signature"))
                #expect(!inspect.output.contains(mint.output.split(separator: ".")[2].prefix(12)))
                let other = try await Program.runInProcess(
                    ["token", "inspect"] + subject,
                    environment: ["TRIPSHARE_PROVIDER_ID": "other"],
                    input: mint.output
                )
                #expect(other.status == 0 && other.output.contains("! issuer"))
            }
            let hidden = try await Program.runInProcess([
                "token", "mint", "--service-account", files.account, "--trip", "t", "--output", "json",
            ])
            #expect(hidden.status == 0)
            #expect(!hidden.output.contains("eyJ") && hidden.errors.isEmpty)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: files.account)
            let open = try await Program.runInProcess(["token", "mint", "--service-account", files.account, "--server"])
            #expect(open.status == 0 && open.errors.contains("chmod 600"), "\(open.errors)")
        }
    }

    @Test func `inspect reports a forged signature and an invalid key`() async throws {
        try await Program.withFolder { folder in
            let files = try Self.keyFiles(in: folder)
            let token = FakeToken(.trip(try TripID("t")), issuedAt: Date()).text
            let forged = try await Program.runInProcess(
                ["token", "inspect", "--public-key", files.publicKey],
                input: token
            )
            #expect(forged.status == 1)
            #expect(forged.output.contains("✗ signature"))
            let noKey = try await Program.runInProcess(
                ["token", "inspect", "--public-key", files.account],
                input: token
            )
            #expect(noKey.status == 65)
            #expect(!noKey.errors.contains("PRIVATE"))
            let missing = try await Program.runInProcess(
                ["token", "inspect", "--public-key", "/no/such"],
                input: token
            )
            #expect(missing.status == 66)
        }
    }

    @Test func `does not print a token inside a claim`() async throws {
        let inner = FakeToken(.trip(try TripID("t")), issuedAt: Date()).text
        let claims = #"{"note":"\#(inner)","more":["Bearer \#(inner)"],"authorization":{"tripid":"t"}}"#
        let outer = [#"{"alg":"RS256"}"#, claims, "signature"].map { Base64URL.encode(Array($0.utf8)) }
        for form in ["json", "plain"] {
            let run = try await Program.runInProcess(
                ["token", "inspect", "--output", form],
                input: outer.joined(separator: ".")
            )
            #expect(run.status == 1 && run.output.contains("<token>"), "\(run.output)")
            #expect(!run.output.contains("eyJ") && !run.output.contains(inner.suffix(20)))
        }
    }

    @Test(arguments: ["iss", "aud", "kid", "tripid", "name of a member"])
    func `does not print a token in a claim that a rule checks, or in a name`(place: String) async throws {
        // Short enough to be shown completely in the evidence of a rule.
        let parts = [#"{"alg":"HS256"}"#, #"{"sub":"x"}"#, "a short signature"]
        let inner = parts.map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        func value(_ name: String) -> String { place == name ? inner : "x" }
        let claims =
            #"{"iss":"\#(value("iss"))","sub":"\#(value("iss"))","aud":"\#(value("aud"))","\#(value("name of a member"))":1,"#
            + #""iat":1767225600,"exp":1767228900,"authorization":{"tripid":"\#(value("tripid"))"}}"#
        let header = #"{"alg":"RS256","kid":"\#(value("kid"))"}"#
        let outer = [header, claims, "signature"].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        for form in ["json", "plain"] {
            let run = try await Program.runInProcess(
                ["token", "inspect", "--trip", "t", "--output", form],
                input: outer
            )
            #expect(run.status == 1 && run.output.contains("<token>"), "\(run.output)")
            #expect(!run.output.contains("eyJ") && !run.output.contains(inner.suffix(12)), "\(run.output)")
        }
    }

    @Test func `reports an unusable URL without its secrets`() async throws {
        for url in [
            "https://user:pa/ss@h.example/{tripId}", "h.example/token/{tripId}?api_key=pa/ss",
            "https://user:pa?ss@h.example/{tripId}",
            "user:pa/ss?x@h.example/{tripId}",
        ] {
            let run = try await Program.runInProcess(["token", "fetch", "--trip", "t", "--token-url", url])
            #expect(run.status == 78 && run.errors.contains("h.example"), "\(run.errors)")
            #expect(
                !run.errors.contains("pa/ss") && !run.errors.contains("pa?") && !run.errors.contains("ss@"),
                "\(run.errors)"
            )
        }
    }

    @Test func `reports a failed command even if the parent process ignores SIGCHLD`() async throws {
        let program = Program.path
        let script = "trap '' CHLD; exec '\(program)' token fetch --trip t --token-command \"sh -c 'echo x.y; exit 3'\""
        let run = try await Program.run(executable: "/bin/bash", ["-c", script])
        #expect(run.status == 69 && run.errors.contains("status 3"), "\(run.errors)")
    }

    @Test func `a token command fails at once if almost no files can be opened`() async throws {
        for limit in [16, 40, 64] {
            let script = "ulimit -n \(limit); exec '\(Program.path)' token fetch --trip t --token-command 'echo x.y'"
            let run = try await Program.run(executable: "/bin/bash", ["-c", script])
            #expect(run.status == 69 && run.errors.contains("\(limit) open files"), "\(limit): \(run.errors)")
        }
    }

    @Test func `does not repeat a signature that was passed as an argument by mistake`() async throws {
        var random = SeededGenerator(seed: 9)
        let bytes = (0..<256).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        for signature in [Base64URL.encode(bytes), Data(bytes).base64EncodedString()] {
            for arguments in [["inspect", signature], ["fetch", "--trip", "t", "--token-env", signature]] {
                let run = try await Program.runInProcess(["token"] + arguments)
                #expect(run.status != 0 && run.errors.contains("<hidden>"), "\(run.errors)")
                #expect(!run.errors.contains(signature.prefix(40)))
            }
        }
    }

    @Test func `inspect accepts a bearer header and an endpoint's answer, and compares with the trip`() async throws {
        let token = FakeToken(.trip(try TripID("trip-1")), issuedAt: Date()).text
        for input in ["Bearer \(token)\n", "{\"jwt\": \"\(token)\"}", "\"\(token)\""] {
            let run = try await Program.runInProcess(
                ["token", "inspect", "--trip", "trip-1", "--output", "json"],
                input: input
            )
            #expect(run.status == 0, "\(run.output)\(run.errors)")
            #expect(run.output.contains(#""faultless":true"#))
        }
        let other = try await Program.runInProcess(["token", "inspect", "--vehicle", "v"], input: token)
        #expect(other.status == 1)
        let noKey = try await Program.runInProcess(["token", "inspect"], input: "{\"token\": \"\(token)\"}")
        #expect(noKey.status == 65)
        #expect(noKey.errors.contains("--token-key") && !noKey.errors.contains("eyJ"))
    }

    @Test func `inspect calls a token valid only if its signature was checked`() async throws {
        let token = FakeToken(.trip(try TripID("t")), issuedAt: Date()).text
        let unchecked = try await Program.run(["token", "inspect"], input: token)
        #expect(unchecked.status == 0, "\(unchecked.errors)")
        #expect(unchecked.output.contains("signature was not checked"), "\(unchecked.output)")
        #expect(!unchecked.output.contains("valid."))
        try await Program.withFolder { folder in
            let files = try Self.keyFiles(in: folder)
            let mint = try await Program.run([
                "token", "mint", "--service-account", files.account, "--reveal", "--trip", "t",
            ])
            let checked = try await Program.run(
                ["token", "inspect", "--public-key", files.publicKey],
                input: mint.output
            )
            #expect(checked.status == 0 && checked.output.contains("Verdict: valid."), "\(checked.output)")
        }
    }

    @Test func `a broken token of a command is not blamed on an endpoint`() async throws {
        let run = try await Program.runInProcess([
            "token", "fetch", "--trip", "t", "--token-command", "echo opaqueopaque",
        ])
        #expect(run.status == 1 && run.output.contains("the token source"), "\(run.output)")
        #expect(!run.output.contains("endpoint"), "\(run.output)")
    }

    @Test func `inspect says of a text that it is not a JWT, and nothing about its expiry`() async throws {
        let run = try await Program.runInProcess(["token", "inspect"], input: "hello")
        #expect(run.status == 1 && run.output.contains("Verdict: it is not used: It is not a JWT"), "\(run.output)")
        #expect(!run.output.contains("expir"), "\(run.output)")
    }

    @Test(arguments: ["hello", "a.b.c", String(repeating: "x", count: 70_000), "\u{1B}]0;title\u{7}.e30.x"])
    func `inspect survives any input and never repeats it unsanitized`(input: String) async throws {
        let run = try await Program.runInProcess(["token", "inspect"], input: input)
        #expect(run.status == 1 || run.status == 65)
        #expect(!(run.output + run.errors).contains("\u{1B}"))
    }
}
