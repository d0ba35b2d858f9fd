import Failures
import FleetEmulator
import FleetWire
import Foundation
import Runtime
import Synchronization
import Testing
import TransportLive
import TripModel
import TripTestSupport

@Suite("Hostile clients over real HTTP", .ends(within: .longTest))
struct HostileClientTests {
    /// The ports of an emulator with a control API, and what the control API changed.
    private struct Scene: Sendable {
        let address: EmulatorAddress
        let paused: Counter
        let faults: FaultInjector
        let service: Int
        let tokens: Int
        let control: Int
        let google: Int
    }

    private final class Counter: Sendable {
        let count = Mutex(0)
    }

    private func run(
        _ change: (inout EmulatorOptions) -> Void = { _ in },
        body: @escaping @Sendable (Scene) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let paused = Counter()
        let faults = FaultInjector()
        let provider = try ProviderID("p")
        let control = EmulatorControl(
            faults: faults,
            drivers: DriverControl(),
            clock: .init(
                pause: { _ in paused.count.withLock { $0 += 1 } },
                setSpeed: { _ in true },
                step: { _ in },
                isPaused: { false }
            ),
            provider: provider,
            resets: EmulatorReset()
        )
        var options = EmulatorOptions()
        change(&options)
        try await Emulator.run(
            FleetService(.world(World(provider: provider))),
            keys: try await SharedKeys.keys,
            options: options,
            clock: clock,
            faults: faults,
            control: control
        ) { address in
            let ports = try [
                address.fleetEngineURL, address.consumerTokenURL, address.controlURL ?? "", address.credentials.iamURL,
            ].map { try #require(URLOrigin($0)?.port) }
            let scene = Scene(
                address: address,
                paused: paused,
                faults: faults,
                service: ports[0],
                tokens: ports[1],
                control: ports[2],
                google: ports[3]
            )
            try await body(scene)
        }
    }

    private static func request(_ method: String, _ target: String, _ headers: [String], _ body: String = "") -> [UInt8]
    {
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        return Array((["\(method) \(target) HTTP/1.1"] + headers + length + ["", body]).joined(separator: "\r\n").utf8)
    }

    /// The status of the first answer.
    private static func status(_ answer: String) -> Int? {
        answer.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    /// Sends one request and returns its answer, which ends the connection.
    private static func ask(
        _ port: Int,
        _ method: String,
        _ target: String,
        _ headers: [String],
        _ body: String = ""
    ) async throws -> String {
        try await RawConnection.exchange(
            [request(method, target, headers + ["Connection: close"], body)],
            port: port
        ) { _ in false }
    }

    private static let json = "Content-Type: application/json"

    @Test func `DNS rebinding lets a web page change nothing`() async throws {
        try await run { scene in
            let ride = #"{"tripType":"EXCLUSIVE","pickupPoint":{"point":{"latitude":51,"longitude":3.7}}}"#
            let attacks: [(Int, String, String, String)] = [
                (scene.control, "POST", "/control/trips?tripId=evil", ride),
                (scene.control, "POST", "/control/clock", #"{"paused":true}"#),
                (scene.control, "POST", "/control/faults", #"{"on":"engine","kind":"reset"}"#),
                (scene.control, "GET", "/control/trips", ""), (scene.tokens, "GET", "/token/consumer/t", ""),
                (scene.service, "GET", "/v1/providers/p/trips/t", ""),
                (scene.google, "GET", "/computeMetadata/v1/instance/service-accounts/default/token", ""),
                (scene.google, "GET", "/subject-token", ""),
            ]
            for (port, method, target, body) in attacks {
                let rebound = ["Host: attacker.example:\(port)", Self.json]
                let crossSite = ["Host: 127.0.0.1:\(port)", "Origin: https://attacker.example", Self.json]
                let sandboxed = ["Host: localhost:\(port)", "Origin: null", Self.json]
                for headers in [rebound, crossSite, sandboxed] {
                    let answer = try await Self.ask(port, method, target, headers, body)
                    #expect(Self.status(answer) == 403, "\(target) \(headers): \(answer)")
                    let error = answer.split(separator: "\r\n\r\n").last.map(String.init) ?? ""
                    let read = ServiceAnswer(httpStatus: 403, body: Array(error.utf8))
                    #expect(read.status == "PERMISSION_DENIED" && read.message != nil, "\(answer)")
                    #expect(!answer.contains("eyJ"))
                }
            }
            #expect(scene.paused.count.withLock { $0 } == 0)
            #expect(scene.faults.all(at: .distantPast).isEmpty)
            let trips = try await Self.ask(scene.control, "GET", "/control/trips", ["Host: localhost:\(scene.control)"])
            #expect(Self.status(trips) == 200 && !trips.contains("evil"))
            let own = ["Host: 127.0.0.1:\(scene.control)", "Origin: http://localhost:3000", Self.json]
            #expect(Self.status(try await Self.ask(scene.control, "POST", "/control/trips?tripId=a", own, ride)) == 200)
        }
    }

    @Test func `refuses a request without a Host header or with two`() async throws {
        try await run { scene in
            for headers in [[], ["Host: localhost", "Host: attacker.example"]] {
                let answer = try await Self.ask(scene.service, "GET", "/v1/providers/p/trips/t", headers)
                #expect(Self.status(answer) == 400, "\(answer)")
            }
        }
    }

    @Test(arguments: ["*", "%2A", "", ".", "..", "a%2Fb", "a%3Ab", "a%23b", String(repeating: "x", count: 65)])
    func `the token endpoint issues tokens for exactly one ID`(id: String) async throws {
        try await run { scene in
            for kind in ["consumer", "driver"] {
                let host = ["Host: localhost"]
                let answer = try await Self.ask(scene.tokens, "GET", "/token/\(kind)/\(id)", host)
                #expect(Self.status(answer) == 400 && !answer.contains("eyJ"), "\(answer)")
            }
        }
    }

    @Test func `the token endpoint requires its secret when it signs with a real key`() async throws {
        let secret = EndpointSecret()
        try await run {
            $0.tokenSecret = secret
        } body: { scene in
            #expect(scene.address.tokenSecret?.revealed == secret.revealed)
            for kind in ["consumer", "driver"] {
                let target = "/token/\(kind)/t"
                for wrong in [
                    [], ["\(EndpointSecret.header): "], ["\(EndpointSecret.header): \(secret.revealed.dropLast())"],
                ] {
                    let answer = try await Self.ask(scene.tokens, "GET", target, ["Host: localhost"] + wrong)
                    #expect(Self.status(answer) == 401 && !answer.contains("eyJ"), "\(answer)")
                    #expect(answer.contains(EndpointSecret.header) && answer.contains("tokenSecret"), "\(answer)")
                    #expect(!answer.contains(secret.revealed))
                }
                let right = ["Host: localhost", "\(EndpointSecret.header): \(secret.revealed)"]
                #expect(Self.status(try await Self.ask(scene.tokens, "GET", target, right)) == 200)
            }
            #expect(!"\(secret)\(String(reflecting: secret))".contains(secret.revealed))
            #expect(secret.revealed.count == 64 && EndpointSecret().revealed != secret.revealed)
        }
    }

    @Test func `refuses a body that is too large before and during its transfer`() async throws {
        try await run {
            $0.limits.lingering = .milliseconds(50)
        } body: { scene in
            let target = "/control/trips?tripId=t"
            let promised = ["Host: localhost", Self.json, "Content-Length: 99999999999"]
            let answer = try await RawConnection.exchange(
                [Self.request("POST", target, promised)],
                port: scene.control
            )
            #expect(Self.status(answer) == 413 && answer.lowercased().contains("connection: close"), "\(answer)")
            let chunked = Self.request("POST", target, ["Host: localhost", Self.json, "Transfer-Encoding: chunked"])
            let chunk = Array("10000\r\n\(String(repeating: " ", count: 0x10000))\r\n".utf8)
            let endless = try await RawConnection.exchange(
                [chunked] + Array(repeating: chunk, count: 40),
                port: scene.control
            ) { $0.contains("\r\n\r\n") }
            #expect(Self.status(endless) == 413, "\(endless)")
        }
    }

    @Test(arguments: [#"{"a":"#, "[", #"{"pickupPoint":{"point":"#, #"[{"x":"#])
    func `answers JSON of excessive depth with 400`(opening: String) async throws {
        try await run { scene in
            let deep = String(repeating: opening, count: 1_000_000 / opening.utf8.count)
            let faulty = try await Self.ask(
                scene.control,
                "POST",
                "/control/faults",
                ["Host: localhost", Self.json],
                deep
            )
            #expect(Self.status(faulty) == 400)
            let token = try await scene.address.operatorToken()
            let headers = ["Host: localhost", "Authorization: Bearer \(token)", Self.json]
            for target in ["/v1/providers/p/trips?tripId=t", "/v1/providers/p/vehicles?vehicleId=v"] {
                let answer = try await Self.ask(scene.service, "POST", target, headers, deep)
                #expect(Self.status(answer) == 400)
            }
        }
    }

    @Test func `refuses too many or too long headers and targets`() async throws {
        try await run { scene in
            let host = "Host: localhost"
            let many = (0..<200).map { "X-\($0): 1" }
            let long = ["X-Long: " + String(repeating: "x", count: 40_000)]
            for headers in [many, long] {
                let answer = try await Self.ask(scene.service, "GET", "/v1/providers/p/trips/t", [host] + headers)
                #expect(Self.status(answer) == 400, "\(answer.prefix(200))")
            }
            let target = "/v1/" + String(repeating: "x", count: 9000)
            #expect(Self.status(try await Self.ask(scene.service, "GET", target, [host])) == 400)
        }
    }

    @Test(arguments: [
        "/v1/providers/p/trips/..", "/v1/providers/p/../../etc/passwd", "/v1/providers/p/trips/%zz",
        "/v1/providers/p/trips/%", "/v1/providers/p/trips/%C3", "/token/consumer/../driver", "/%2e%2e/%2e%2e", "*",
        "//",
        "http://attacker.example/", "/v1/providers/p/trips/t?%zz=%zz", "/control/trips/%00:cancel",
    ])
    func `answers a target outside the API with an error`(target: String) async throws {
        try await run { scene in
            for port in [scene.service, scene.tokens, scene.control, scene.google] {
                let answer = try await Self.ask(port, "GET", target, ["Host: localhost"])
                #expect(Self.status(answer).map { (400..<500).contains($0) } == true, "\(answer)")
            }
        }
    }

    @Test func `bytes that are not HTTP only end their connection`() async throws {
        try await run { scene in
            let nonsense: [[UInt8]] = [
                Array("GET /\u{0} HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), Array("\u{0}\u{1}\u{2}\r\n\r\n".utf8),
                [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03],
                Array("GET / HTTP/9.9\r\n\r\n".utf8), Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8),
                Array("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n".utf8),
            ]
            for bytes in nonsense {
                let answer = try await RawConnection.exchange([bytes], port: scene.service)
                #expect(answer.isEmpty || Self.status(answer) == 400, "\(answer)")
            }
            let after = try await Self.ask(scene.service, "GET", "/v1/providers/p/trips/t", ["Host: localhost"])
            #expect(Self.status(after) == 401)
        }
    }

    @Test func `answers a client that sends its body byte by byte with 408 and closes`() async throws {
        try await run {
            $0.limits.bodyTime = .milliseconds(300)
            $0.limits.lingering = .milliseconds(50)
        } body: { scene in
            let head = Self.request("POST", "/control/trips", ["Host: localhost", Self.json, "Content-Length: 1000"])
            let drops = Array(repeating: [UInt8(ascii: " ")], count: 400)
            let answer = try await RawConnection.exchange([head] + drops, pause: .milliseconds(50), port: scene.control)
            #expect(Self.status(answer) == 408, "\(answer)")
        }
    }

    @Test func `disconnects a client that sends its headers byte by byte`() async throws {
        try await run {
            $0.limits.headTime = .milliseconds(300)
        } body: { scene in
            let drops = "GET / HTTP/1.1\r\nX: ".utf8.map { [$0] } + Array(repeating: [UInt8(ascii: "x")], count: 400)
            let answer = try await RawConnection.exchange(drops, pause: .milliseconds(50), port: scene.service)
            #expect(answer.isEmpty || Self.status(answer) == 400, "\(answer)")
        }
    }

    @Test func `answers pipelined requests one after the other`() async throws {
        try await run { scene in
            let count = 200
            let requests = (0..<count).flatMap { number in
                Self.request("GET", "/token/consumer/t%3A\(number)", ["Host: localhost"])
            }
            let last = Self.request("GET", "/token/unknown/t", ["Host: localhost", "Connection: close"])
            let answer = try await RawConnection.exchange([requests + last], port: scene.tokens)
            #expect(answer.components(separatedBy: "HTTP/1.1 400").count == count + 2)
        }
    }
}
