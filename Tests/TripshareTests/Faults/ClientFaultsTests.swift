import Failures
import FleetEmulator
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Synchronization
import Testing
import TransportLive
import TripModel
import TripTestSupport

@testable import tripshare

@Suite("Faults of the menu", .ends(within: .longTest))
struct ClientFaultsTests {
    /// A service that counts its requests.
    private final class Service: Sendable {
        let requests = Mutex(0)
        let waits = Mutex<[Duration]>([])
        static let url = "http://127.0.0.1:1"

        var count: Int { requests.withLock { $0 } }

        var transport: HTTPTransport {
            HTTPTransport { [self] _ async throws(Failure) in
                requests.withLock { $0 += 1 }
                let headers = [(name: "Date", value: "Thu, 01 Jan 2026 00:00:00 GMT")]
                return HTTPTransportResponse(status: 200, headers: headers, body: Array("{}".utf8))
            }
        }

        var faults: ClientFaults {
            ClientFaults(clock: ManualClock()) { [self] time in waits.withLock { $0.append(time) } }
        }

        static func poll(_ token: String = "a", url: String = url + "/v1/providers/p/trips/t") -> HTTPTransportRequest {
            HTTPTransportRequest(url: url, headers: [("Authorization", "Bearer \(token)")], timeout: .seconds(10))
        }
    }

    @Test func `every entry has its own name and a fault that the emulator accepts`() throws {
        #expect(Set(TestFault.all.map(\.id)).count == TestFault.all.count)
        for fault in TestFault.all {
            guard case .fault(let fault) = fault.effect else { continue }
            #expect(throws: Never.self) { try JSONDecoder().decode(Fault.self, from: JSONEncoder().encode(fault)) }
        }
        #expect(!TestFault.possible(withEmulator: false).contains { $0.id == "frozen" })
        #expect(TestFault.possible(withEmulator: true).count == TestFault.all.count)
    }

    @Test(arguments: [401, 403, 429, 503])
    func `an error is answered without a request to the service`(_ status: Int) async throws {
        let service = Service()
        let faults = service.faults
        try faults.add("\(status)")
        let transport = faults.transport(service.transport, polling: Service.url)
        let response = try await transport.send(Service.poll())
        #expect(response.status == status && service.count == 0)
        #expect(response.header("Retry-After") == (status == 429 ? "10" : nil))
        let error = ServiceAnswer(httpStatus: response.status, body: response.body)
        #expect(error.message == "An injected fault.")
        // Requests to other hosts pass.
        #expect(try await transport.send(Service.poll(url: "http://127.0.0.1:12/v1/x")).status == 200)
        faults.remove("\(status)")
        #expect(try await transport.send(Service.poll()).status == 200)
    }

    @Test func `three polls are lost, then the fault ends by itself`() async throws {
        let service = Service()
        let faults = service.faults
        try faults.add("drop-three")
        let transport = faults.transport(service.transport, polling: Service.url)
        for _ in 0..<3 {
            #expect(faults.active == ["drop-three"])
            #expect(await Self.unsent(transport) == .connectionLost)
        }
        #expect(faults.active == [] && service.count == 0)
        #expect(try await transport.send(Service.poll()).status == 200)
    }

    @Test func `an expired token is refused until a new one comes; other trips need new ones, too`() async throws {
        let service = Service()
        let faults = service.faults
        let transport = faults.transport(service.transport, polling: Service.url)
        for token in ["a", "b"] { _ = try await transport.send(Service.poll(token)) }
        try faults.add("expired")
        #expect(try await transport.send(Service.poll("a")).status == 401)
        #expect(faults.active == ["expired"])
        #expect(try await transport.send(Service.poll("a2")).status == 200)
        #expect(faults.active == [])
        #expect(try await transport.send(Service.poll("b")).status == 401)
        #expect(try await transport.send(Service.poll("b2")).status == 200)
    }

    @Test func `latency, a cut-off answer and a wrong clock change the answer only`() async throws {
        let service = Service()
        let faults = service.faults
        let transport = faults.transport(service.transport, polling: Service.url)
        try faults.add("latency")
        try faults.add("clock")
        let response = try await transport.send(Service.poll())
        #expect(response.header("date") == "Thu, 01 Jan 2026 00:01:30 GMT" && response.status == 200)
        #expect(service.waits.withLock(\.self) == [.seconds(3)])
        faults.add("more", try Fault(.engine, "latency", ["seconds": .number(30)]))
        #expect(await Self.unsent(transport) == .timedOut)
        faults.remove("more")
        try faults.add("cut-off")
        #expect(await Self.unsent(transport) == .cutOff)
        #expect(service.count == 1)
    }

    @Test func `a token fetch fails, is slow, or brings a token that the provider refuses`() async throws {
        let service = Service()
        let faults = service.faults
        let context = AuthorizationContext.trip(try TripID("t"))
        let base = ScriptedTokenSource { .token(FakeToken($0.context, issuedAt: Date()).issued) }
        let source = faults.source(base)
        try faults.add("token-down")
        await #expect(throws: Failure.sourceStatus(503, retryAfter: nil)) {
            try await source.fetch(context, reason: .needed)
        }
        faults.remove("token-down")
        try faults.add("token-slow")
        let token = try await source.fetch(context, reason: .needed)
        #expect(service.waits.withLock(\.self) == [.seconds(5)])
        try faults.add("other-trip")
        let other = try await source.fetch(context, reason: .needed)
        #expect(Self.trip(of: token) == "t" && Self.trip(of: other) == "another-trip")
    }

    /// Returns why a poll got no answer, if a fault kept it from being sent.
    private static func unsent(_ transport: HTTPTransport) async -> FailureCode? {
        do throws(Failure) {
            _ = try await transport.send(Service.poll())
            return nil
        } catch {
            return error.injected?.isSent == false ? error.code : nil
        }
    }

    private static func trip(of token: IssuedToken) -> String? {
        let parts = token.revealed.split(separator: ".")
        guard parts.count > 1, let claims = Base64URL.decode(parts[1].utf8).flatMap(JSONValue.init) else { return nil }
        return claims["authorization"]?["tripid"]?.string
    }
}

extension ClientFaults {
    /// Adds an entry of the menu.
    fileprivate func add(_ id: String) throws {
        switch try #require(TestFault.all.first { $0.id == id }).effect {
        case .fault(let fault), .ownFault(let fault): add(id, fault)
        case .freeze: Issue.record("\(id) is no fault of a request")
        }
    }
}

/// The menu on the screen of the built program.
@Suite("Fault menu", .ends(within: .longTest))
struct FaultMenuTests {
    /// Plays a script on a screen without a terminal.
    private func play(_ script: String, _ arguments: [String]) async throws {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("script")
            try Data(script.utf8).write(to: file)
            let run = try await Program.run(arguments + ["--script", file.path])
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    private static let script = """
        size 120x40
        wait ✓ live
        key i
        wait Faults
        key Esc
        key :
        type fault 503
        key Enter
        wait Faults (I clears): polls get 503 UNAVAILABLE
        key 4
        wait retrying
        wait Faults (I clears): polls get 503 UNAVAILABLE
        key :
        type fault drop-three
        key Enter
        wait the next three polls are lost
        key I
        key 1
        wait ✓ live
        key q
        """

    @Test func `a fault shows in every view and in the answers until one key clears it`() async throws {
        try await play(Self.script, ["demo", "--speed", "5", "--token-lifetime", "3600"])
    }

    @Test func `an emulator in another process gets the faults through its control API`() async throws {
        try await EmulatedEngine.run(["--speed", "1"]) { ready, object in
            try await play(Self.script, ["watch", "--emulator", ready, "--interval", "1"])
            let control = try #require(object["controlURL"] as? String)
            let response = try await withLiveHTTPTransport { transport in
                try await transport.send(HTTPTransportRequest(url: control + "/faults", timeout: .testTimeout))
            }
            #expect(String(decoding: response.body, as: UTF8.self) == #"{"faults":[]}"#)
        }
    }
}
