import Failures
import FleetTokens
import Foundation
import Runtime
import Synchronization
import Testing
import TripModel
import TripTestSupport

@testable import tripshare

@Suite("Token sources", .ends(within: .quickTest))
struct SourceTests {
    private func trip(_ id: String = "trip-A") throws -> AuthorizationContext { .trip(try TripID(id)) }

    private func source(
        _ template: String = "https://example.com/token/{tripId}",
        format: TokenAnswerFormat = TokenAnswerFormat(),
        answer: @escaping @Sendable (HTTPTransportRequest) throws(Failure) -> HTTPTransportResponse
    ) throws -> HTTPTokenSource {
        let transport = HTTPTransport { request throws(Failure) in try answer(request) }
        return HTTPTokenSource(template: try TokenURLTemplate(template), transport: transport, format: format)
    }

    private func fetch(
        body: String,
        status: Int = 200,
        headers: [(name: String, value: String)] = [],
        format: TokenAnswerFormat = TokenAnswerFormat()
    ) async throws -> IssuedToken {
        let source = try source(format: format) { _ in
            HTTPTransportResponse(status: status, headers: headers, body: Array(body.utf8))
        }
        return try await source.fetch(try trip(), reason: .needed)
    }

    @Test func `percent-encodes the ID in the URL`() async throws {
        let asked = Locked("")
        let source = try source { request in
            asked.withLock { $0 = request.url }
            return HTTPTransportResponse(status: 200, body: Array("a.b.c".utf8))
        }
        _ = try await source.fetch(try trip("a b&%é"), reason: .needed)
        #expect(asked.withLock { $0 } == "https://example.com/token/a%20b%26%25%C3%A9")
        await #expect(throws: Failure.sourceUnsupportedContext) {
            try await source.fetch(.vehicle(try VehicleID("v")), reason: .needed)
        }
    }

    @Test func `uses a URL without a placeholder as it is`() async throws {
        let asked = Locked("")
        let source = try source("https://example.com/token?x=1") { request in
            asked.withLock { $0 = request.url }
            return HTTPTransportResponse(status: 200, body: Array("a.b.c".utf8))
        }
        for context in [try trip(), .vehicle(try VehicleID("v"))] {
            _ = try await source.fetch(context, reason: .needed)
            #expect(asked.withLock { $0 } == "https://example.com/token?x=1")
        }
        #expect(source.template.isFixed)
        #expect(try !TokenURLTemplate("https://example.com/{vehicleId}").isFixed)
    }

    @Test func `the times in an answer of a cache are not those of the endpoint's clock`() async throws {
        let now = Moment(wall: Date(timeIntervalSince1970: 1_767_225_600), steady: .zero)
        let token = FakeToken(try trip(), issuedAt: now.wall - 300).text
        let old = (name: "Date", value: "Wed, 31 Dec 2025 23:55:00 GMT")
        let admission = TokenAdmission(expectations: TokenExpectations(), policy: .standard)
        for (headers, isCached) in [([old], false), ([old, (name: "X-Cache", value: "HIT")], true)] {
            let issued = try await fetch(body: #"{"jwt":"\#(token)"}"#, headers: headers)
            #expect(issued.isCached == isCached && issued.isNew != isCached)
            let admitted = try admission.admit(issued, for: try trip(), sentAt: now, receivedAt: now)
            let warnings = admitted.properties.warnings
            let blamesClock = warnings.contains(where: \.isAboutClocks)
            #expect(blamesClock != isCached)
        }
    }

    @Test func `escapes the ID in the JSON body, which also states its type`() async throws {
        let asked = Locked<[HTTPTransportRequest]>([])
        var source = try source("https://example.com/token") { request in
            asked.withLock { $0.append(request) }
            return HTTPTransportResponse(status: 200, body: Array("a.b.c".utf8))
        }
        source.method = "POST"
        source.body = TokenBodyTemplate(#"{"for":["{tripId}"],"n":1}"#)
        try #require(source.body != nil)
        let id = "a\"b\\c\n\u{1}é"
        _ = try await source.fetch(try trip(id), reason: .needed)
        let request = try #require(asked.withLock { $0 }.first)
        struct Body: Decodable {
            var `for`: [String]
            var n: Int
        }
        let body = try JSONDecoder().decode(Body.self, from: Data(request.body))
        #expect(body.for == [id] && body.n == 1 && request.method == "POST")
        #expect(request.headers.contains { $0 == ("Content-Type", "application/json") })
        await #expect(throws: Failure.sourceUnsupportedContext) {
            try await source.fetch(.vehicle(try VehicleID("v")), reason: .needed)
        }
    }

    @Test(arguments: ["", "{", #"{"trip":{tripId}}"#, "trip={tripId}"])
    func `refuses a body template that is not JSON`(text: String) {
        #expect(TokenBodyTemplate(text) == nil)
    }

    @Test(arguments: [
        (#"{"jwt":"a.b.c"}"#, "jwt"), (#"{"data":{"token":"a.b.c"}}"#, "data.token"), (#""a.b.c""#, "jwt"),
        ("  a.b.c\n", "jwt"),
    ])
    func `finds a token in an object, a JSON string or plain text`(body: String, key: String) async throws {
        #expect(try await fetch(body: body, format: TokenAnswerFormat(tokenKey: key)).revealed == "a.b.c")
    }

    @Test(arguments: [
        (ExpiryUnit.absoluteSeconds, "1767228900", IssuedToken.Expiry.at(Date(timeIntervalSince1970: 1_767_228_900))),
        (.absoluteMilliseconds, "\"1767228900000\"", .at(Date(timeIntervalSince1970: 1_767_228_900))),
        (.relativeSeconds, "3300", .after(.seconds(3300))),
    ])
    func `reads the expiry in the configured unit`(
        unit: ExpiryUnit,
        value: String,
        end: IssuedToken.Expiry
    ) async throws {
        let format = TokenAnswerFormat(expirationKey: "end", expirationUnit: unit)
        #expect(try await fetch(body: #"{"jwt":"a.b.c","end":\#(value)}"#, format: format).expiry == end)
    }

    @Test(arguments: [
        ("", 200, Failure.sourceEmpty), ("<html>login</html>", 200, .sourceHTML(status: 200)),
        ("{oops", 200, .sourceNotJSON),
        ("\u{FEFF}", 200, .sourceEmpty),
        ("no token for you", 200, .sourceNotJSON), (#"{"token":"x"}"#, 200, .sourceMissingKey("jwt", known: ["token"])),
        (#"{"statusCode":200,"body":"{\"jwt\":\"eyJx\"}"}"#, 200, .sourceEncodedJSON(key: "body")),
        (#"{"data":{"body":"{\"jwt\":\"eyJx\"}"}}"#, 200, .sourceEncodedJSON(key: "data.body")),
        (#"{"jwt":"{\"jwt\":\"eyJx\"}"}"#, 200, .sourceEncodedJSON(key: "jwt")),
        (#""{\"jwt\":\"eyJx\"}""#, 200, .sourceEncodedJSON(key: nil)),
        (#"{"jwt":null}"#, 200, .sourceMissingKey("jwt")), (#"{"jwt":{}}"#, 200, .sourceWrongType(key: "jwt")),
        ("<html>", 500, .sourceStatus(500, retryAfter: nil)), ("", 302, .sourceRedirected(status: 302)),
        ("", 304, .sourceStatus(304, retryAfter: nil)),
    ])
    func `each way to get no token has its own error`(body: String, status: Int, error: Failure) async throws {
        await #expect(throws: error) { try await fetch(body: body, status: status) }
    }

    @Test func `ignores a byte order mark`() async throws {
        #expect(try await fetch(body: "\u{FEFF}a.b.c").revealed == "a.b.c")
        #expect(try await fetch(body: "\u{FEFF}{\"jwt\":\"a.b.c\"}").revealed == "a.b.c")
    }

    @Test func `accepts a bare token from a server that labels every text as HTML`() async throws {
        let page = [("Content-Type", "text/html; charset=utf-8")]
        #expect(try await fetch(body: "a.b.c", headers: page).revealed == "a.b.c")
        #expect(try await fetch(body: #" {"jwt":"opaque"}"#, headers: page).revealed == "opaque")
        for body in ["log in", "Unauthorized"] {
            await #expect(throws: Failure.sourceHTML(status: 200)) { try await fetch(body: body, headers: page) }
        }
    }

    @Test func `reads Retry-After and Date`() async throws {
        await #expect(throws: Failure.sourceStatus(429, retryAfter: .seconds(7))) {
            try await fetch(body: "", status: 429, headers: [("retry-after", "7")])
        }
        let token = try await fetch(body: "a.b.c", headers: [("Date", "Sun, 06 Nov 1994 08:49:37 GMT")])
        #expect(token.serverDate == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test func `distinguishes network errors`() async throws {
        let errors: [(Failure, Failure)] = [
            (.refused, .sourceUnreachable(reason: "connection refused by example.com:443")),
            (.timedOut, .sourceTimedOut),
            (.tooLarge(limit: 5), .sourceTooLarge(limit: 5)), (.cancelled, .sourceCancelled),
            (.tls(reason: "not trusted"), .sourceUnreachable(.tls, reason: "TLS: not trusted")),
            (.unknownHost, .sourceUnreachable(.unknownHost, reason: "unknown host example.com")),
            (.other(reason: "no route"), .sourceUnreachable(.other, reason: "no route")),
        ]
        for (cause, error) in errors {
            let source = try source { _ throws(Failure) in throw cause }
            await #expect(throws: error) { try await source.fetch(try trip(), reason: .needed) }
        }
    }

    @Test func `a command gets the ID in its environment and prints the token`() async throws {
        let source = CommandTokenSource(
            arguments: ["/bin/sh", "-c", "echo token.for.$TRIPSHARE_TRIP_ID"],
            environment: [:]
        )
        #expect(try await source.fetch(try trip("x1"), reason: .needed).revealed == "token.for.x1")
    }

    @Test func `a command gets only the requested ID`() async throws {
        let source = CommandTokenSource(
            arguments: ["/bin/sh", "-c", "echo token.${TRIPSHARE_TRIP_ID-none}.$TRIPSHARE_VEHICLE_ID"],
            environment: ["TRIPSHARE_TRIP_ID": "somebody-else's", "TRIPSHARE_VEHICLE_ID": "another"]
        )
        let vehicle = AuthorizationContext.vehicle(try VehicleID("v1"))
        #expect(try await source.fetch(vehicle, reason: .needed).revealed == "token.none.v1")
    }

    @Test func `a command blocks and ignores no signal, whichever thread starts it`() async throws {
        let script = "awk '/^Sig(Blk|Ign)/ { printf \"%s.\", $2 }' /proc/self/status"
        let source = CommandTokenSource(arguments: ["/bin/sh", "-c", script], environment: ["PATH": "/bin:/usr/bin"])
        let masks = try await source.fetch(try trip(), reason: .needed).revealed
        // Signals 32 and 33 are reserved by the C library.
        #expect(["0000000000000000.0000000000000000.", "0000000000000000.0000000180000000."].contains(masks))
    }

    @Test func `reports a command that fails, is missing or prints too much`() async throws {
        func run(_ arguments: [String]) async throws -> IssuedToken {
            try await CommandTokenSource(arguments: arguments, environment: ["PATH": "/bin:/usr/bin"])
                .fetch(try trip(), reason: .needed)
        }
        await #expect(throws: Failure.commandFailed(exitStatus: 3)) {
            try await run(["/bin/sh", "-c", "exit 3"])
        }
        await #expect(throws: Failure.commandKilled(signal: 9)) {
            try await run(["/bin/sh", "-c", "kill -9 $$"])
        }
        await #expect(throws: Failure.sourceEmpty) { try await run(["/bin/sh", "-c", "true"]) }
        await #expect(throws: Failure.sourceTooLarge(limit: 65536)) { try await run(["/bin/cat", "/dev/zero"]) }
        await #expect(throws: Failure.self) { try await run(["/nonexistent/command"]) }
    }

    @Test func `the failure of a command has the last lines of its standard error, whatever failed`() async throws {
        let context = try trip()
        /// Returns the failure of a command.
        func failure(_ script: String, _ more: [String: String] = [:]) async -> Failure? {
            let environment = ["PATH": "/bin:/usr/bin"].merging(more) { $1 }
            do throws(Failure) {
                _ = try await CommandTokenSource(arguments: ["/bin/sh", "-c", script], environment: environment)
                    .fetch(context, reason: .needed)
                return nil
            } catch {
                return error
            }
        }
        let cases: [(script: String, failure: Failure)] = [
            (
                "echo starting >&2; echo no ticket >&2; exit 3",
                .commandFailed(exitStatus: 3).saying("starting · no ticket")
            ),
            ("echo no ticket >&2; kill -9 $$", .commandKilled(signal: 9).saying("no ticket")),
            ("echo no ticket >&2", .sourceEmpty.saying("no ticket")),
            // A child that goes on, with all pipes open, is not waited for.
            ("sleep 600 & echo no ticket >&2; exit 3", .commandFailed(exitStatus: 3).saying("no ticket")),
        ]
        for example in cases { #expect(await failure(example.script) == example.failure) }
        let loud = await failure("yes noise | head -c 300000 >&2; echo no ticket >&2; exit 3")
        #expect(
            loud?.errors?.hasSuffix("no ticket") == true && loud?.errors?.contains("noise") == true,
            "more than a pipe holds"
        )
        let secret = await failure("echo $DB_PASSWORD >&2; exit 3", ["DB_PASSWORD": "hunter2secret"])
        #expect(secret == .commandFailed(exitStatus: 3).saying("<hidden>"))
    }

    @Test func `a command inherits no open file of its parent process`() async throws {
        let socket = socket(AF_INET, SocketKind.stream, 0)
        defer { close(socket) }
        let script = "test -e /proc/$$/fd/\(socket) && echo the.socket.open || echo the.socket.shut"
        let source = CommandTokenSource(arguments: ["/bin/sh", "-c", script], environment: ["PATH": "/bin:/usr/bin"])
        #expect(socket > 2)
        #expect(try await source.fetch(try trip(), reason: .needed).revealed == "the.socket.shut")
    }

    @Test func `a command runs in a session of its own, without a terminal and without input`() async throws {
        // The numbers of the group, the session and the terminal follow the process ID, the name, the state and the parent.
        let script = """
            read -r pid name state parent group session terminal rest < /proc/$$/stat
            (: < /dev/tty) 2> /dev/null && tty=open || tty=none
            test $group = $$ -a $session = $$ && echo "leader.$terminal.$tty.$(readlink /proc/$$/fd/0)"
            """
        let source = CommandTokenSource(arguments: ["/bin/sh", "-c", script], environment: ["PATH": "/bin:/usr/bin"])
        #expect(try await source.fetch(try trip(), reason: .needed).revealed == "leader.0.none./dev/null")
    }

    @Test func `kills a cancelled command with its children`() async throws {
        // The shell and its child hold the pipe open for writing: it ends when both have exited.
        let note = FileManager.default.temporaryDirectory.appending(path: "child-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: note) }  // a leftover file does no harm
        #expect(unsafe mkfifo(note, 0o600) == 0)
        let script = "exec 3>\(note); sleep 600 & echo ready >&3; wait"
        let source = CommandTokenSource(arguments: ["/bin/sh", "-c", script], environment: ["PATH": "/bin:/usr/bin"])
        let context = try trip()
        let task = Task.immediate { () async -> Failure? in
            do throws(Failure) {
                _ = try await source.fetch(context, reason: .needed)
                return nil
            } catch {
                return error
            }
        }
        var chunks = Self.chunks(of: note).makeAsyncIterator()
        #expect(await chunks.next() == "ready\n")
        task.cancel()
        let error = await task.value
        #expect(error == .sourceCancelled)
        #expect(await chunks.next() == nil)
    }

    /// Reads what is written to a named pipe, on a thread of its own, until all writers have closed it.
    private static func chunks(of path: String) -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                // A pipe that can't be read ends at once, and the test reports it.
                let file = FileHandle(forReadingAtPath: path)
                while let data = file?.availableData, !data.isEmpty {
                    continuation.yield(String(decoding: data, as: UTF8.self))
                }
                continuation.finish()
            }
        }
    }

    @Test func `reports a pipe in place of a token file at once and blocks no other fetch`() async throws {
        let pipe = FileManager.default.temporaryDirectory.appending(path: "pipe-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: pipe) }  // a leftover file does no harm
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let refused = Failure.unreadableFile(reason: "it is not a regular file")
        let context = try trip()
        await #expect(throws: refused) { try await FileTokenSource(path: pipe).fetch(context, reason: .needed) }
        let header = try #require(SecretHeader(name: "X-Login", origin: .file(path: pipe)))
        let values = HTTPTokenSource.reading([header], environment: [:])
        #expect(throws: Failure.unusableHeader(name: "X-Login", reason: "it is not a regular file")) {
            try values()
        }
    }

    @Test func `uses an answer without the configured expiry key and warns`() throws {
        let format = TokenAnswerFormat(expirationKey: "expires")
        #expect(try format.read(Array(#"{"jwt":"a.b.c"}"#.utf8)).warnings == [.noExpirationKey("expires")])
        #expect(try format.read(Array(#"{"jwt":"a.b.c","expires":1}"#.utf8)).warnings.isEmpty)
        #expect(try TokenAnswerFormat().read(Array(#"{"jwt":"a.b.c"}"#.utf8)).warnings.isEmpty)
    }

    @Test(arguments: [
        "2026-03-14T08:18:31Z", "2026-03-14T09:18:31+01:00", "2026-03-14T08:18:31.000Z", "2026-03-14t08:18:31z",
        " 2026-03-14 08:18:31Z ", "2026-03-14T08:18:31.0000000Z",
    ])
    func `reads an expiry of RFC 3339, whatever the configured unit is`(text: String) throws {
        let date = Date(timeIntervalSince1970: 1_773_476_311)
        for unit in ExpiryUnit.allCases {
            let format = TokenAnswerFormat(expirationKey: "ends", expirationUnit: unit, creationKey: "starts")
            let token = try format.read(Array(#"{"jwt":"a.b.c","ends":"\#(text)","starts":"\#(text)"}"#.utf8))
            #expect(token.expiry == .at(date) && token.issuedAt == date && token.warnings.isEmpty)
        }
    }

    @Test(arguments: [#""tomorrow""#, #""""#, #""2026-03-14""#, #""inf""#, "true", "[1]", #"{"seconds":1}"#])
    func `ignores an unreadable time and warns`(value: String) throws {
        let format = TokenAnswerFormat(expirationKey: "ends", creationKey: "starts")
        let token = try format.read(Array(#"{"jwt":"a.b.c","ends":\#(value),"starts":1}"#.utf8))
        #expect(token.expiry == nil && token.warnings == [.unreadableTime("ends")])
        let other = try format.read(Array(#"{"jwt":"a.b.c","ends":1,"starts":\#(value)}"#.utf8))
        #expect(other.issuedAt == nil && other.warnings == [.unreadableTime("starts")])
    }

    @Test(arguments: [(#"{"jwt":"a.b.c\n"}"#, true), (#"" a.b.c""#, true), (#""a.b.c""#, false), ("a.b.c\n", false)])
    func `removes white space around a token in JSON and warns`(body: String, warns: Bool) throws {
        let token = try TokenAnswerFormat().read(Array(body.utf8))
        #expect(token.revealed == "a.b.c")
        #expect(token.warnings == (warns ? [.surroundedBySpace] : []))
        #expect(throws: Failure.sourceEmpty) { try TokenAnswerFormat().read(Array(#"{"jwt":" \n"}"#.utf8)) }
    }

    @Test func `names no key whose value is a URL as that of a token`() {
        let body = #"{"token_endpoint":"https://id.example/token","jwks_uri":"http://id.example/keys"}"#
        #expect(throws: Failure.sourceMissingKey("jwt")) { try TokenAnswerFormat().read(Array(body.utf8)) }
        let other = #"{"token_endpoint":"https://id.example/token","access_token":"a.b.c"}"#
        #expect(throws: Failure.sourceMissingKey("jwt", known: ["access_token"])) {
            try TokenAnswerFormat().read(Array(other.utf8))
        }
    }

    @Test(arguments: ["sleep 600 & echo a.b.c", "setsid sleep 600 & echo a.b.c"])
    func `a child that survives and leaves the pipe open delays no fetch`(script: String) async throws {
        let source = CommandTokenSource(arguments: ["/bin/sh", "-c", script], environment: ["PATH": "/bin:/usr/bin"])
        let context = try trip()
        #expect(try await source.fetch(context, reason: .needed).revealed == "a.b.c")
    }

    @Test func `does not warn about a link to a file that only its owner can read`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID().uuidString)")
        let manager = FileManager.default
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? manager.removeItem(at: folder) }  // a leftover file does no harm
        let (file, link) = (folder.appending(path: "token"), folder.appending(path: "link"))
        #expect(
            manager.createFile(atPath: file.path, contents: Data("a.b.c".utf8), attributes: [.posixPermissions: 0o600])
        )
        try manager.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(try await FileTokenSource(path: link.path).fetch(try trip(), reason: .needed).warnings.isEmpty)
    }

    @Test func `printing a source reveals nothing of its environment`() throws {
        let source = CommandTokenSource(arguments: ["cmd", "hunter2"], environment: ["LOGIN": "hunter2"])
        let provider = TokenProvider(source: source, clock: ManualClock(), seed: 1)
        var printed = "\(source)"
        dump(source, to: &printed)
        dump(provider, to: &printed)
        #expect(!printed.contains("hunter2"))
    }

    @Test func `uses a file that others can read and warns`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }  // a leftover file does no harm
        let manager = FileManager.default
        #expect(
            manager.createFile(atPath: path, contents: Data("a.b.c\n".utf8), attributes: [.posixPermissions: 0o644])
        )
        let source = FileTokenSource(path: path)
        #expect(try await source.fetch(try trip(), reason: .needed).warnings == [.readableByOthers])
        try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(try await source.fetch(try trip(), reason: .needed).warnings.isEmpty)
        await #expect(throws: Failure.self) {
            try await FileTokenSource(path: path + "-missing").fetch(try trip(), reason: .needed)
        }
    }

    @Test func `reads an environment variable and reports a missing one`() async throws {
        let source = EnvironmentTokenSource(variable: "T", environment: { ["T": "a.b.c"] })
        #expect(try await source.fetch(try trip(), reason: .needed).revealed == "a.b.c")
        await #expect(throws: Failure.missingVariable("U")) {
            try await EnvironmentTokenSource(variable: "U", environment: { [:] }).fetch(try trip(), reason: .needed)
        }
    }

    // MARK: Evidence

    @Test func `describes how a command, a file and a variable ended`() async throws {
        func exchange(of source: some TokenSource) async throws -> Exchange? {
            let recorder = TokenAnswerRecorder()
            _ = try? await source.fetch(try trip(), reason: .needed, recording: recorder)  // the exchange is examined
            return recorder.exchange
        }
        func command(_ script: String) -> CommandTokenSource {
            CommandTokenSource(arguments: ["/bin/sh", "-c", script], environment: ["PATH": "/bin:/usr/bin"])
        }
        let failed = try await exchange(of: command("exit 3"))
        #expect(failed?.medium == .command && failed?.ending == .exited(3) && failed?.request.line == "/bin/sh")
        let message = try await exchange(of: command("echo 'You are not logged in'"))
        #expect(message?.ending == .complete && message?.answer?.body?.message == "You are not logged in")
        let good = try await exchange(of: command("echo a.b.c"))
        #expect(good?.ending == .complete && good?.answer?.body == nil && good?.answer?.bytes == 6)
        let missing = try await exchange(of: FileTokenSource(path: "/nonexistent/token"))
        #expect(missing?.medium == .file && missing?.ending == .unavailable && missing?.answer == nil)
        let variable = EnvironmentTokenSource(variable: "T", environment: { ["T": "two words"] })
        #expect(try await exchange(of: variable)?.answer?.body?.message == "two words")
    }
}
