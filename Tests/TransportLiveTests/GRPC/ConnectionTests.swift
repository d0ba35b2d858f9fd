import Failures
import FleetEmulator
import Foundation
import Runtime
import Synchronization
import Testing
import TransportLive
import TripFeed
import TripTestSupport

/// Connections of the gRPC client: TLS, deadlines and what happens if there is none.
@Suite("Connections of the gRPC client", .ends(within: .longTest))
struct ConnectionTests {
    @Test func `an unknown authority is refused`() async throws {
        let answer = try await ScriptedService.run({ $0.roots = [] }, body: { await $0.getTrip() })
        #expect(answer.failure == .tls(reason: "the certificate is not trusted (issuer: tripshare emulator root)"))
    }

    @Test func `the certificates of a file replace the system's`() async throws {
        let answer = try await ScriptedService.run(
            {
                $0.connections.roots = $0.roots.first.flatMap { TrustedRoots($0, path: "ca.pem", source: "--ca") }
                $0.roots = []
            },
            body: { await $0.getTrip() }
        )
        #expect(answer.failure == nil)
    }

    @Test func `certificates that are not PEM are refused`() async throws {
        let endpoint = try ServiceEndpoint("https://localhost:1", over: .grpc)
        var options = GRPCClientOptions()
        options.roots = ["no certificate"]
        #expect(TrustedRoots("no certificate", path: "ca.pem", source: "--ca") == nil)
        do {
            try await withGRPCTransport(to: endpoint, options) { _ in }
            Issue.record("the certificates are accepted")
        } catch let error as Failure {
            #expect(error == .tls(reason: "the trusted certificates can't be read"))
        }
    }

    @Test func `TLS to a port without TLS fails as TLS`() async throws {
        try await ScriptedService.listening(isPlaintext: true) { address in
            let answer = try await ScriptedService.client(of: "https://\(address.target)") { await $0.getTrip() }
            #expect(answer.failure == .wrongPort(reason: "the server does not use TLS on this port"))
        }
    }

    @Test func `a server that never answers the TLS handshake delays the end by about a second`() async throws {
        try await SeparateProcess.run {
            try await CannedServer.run(.silence) { server in
                let called = Mutex(ContinuousClock.now)
                try await ScriptedService.client(
                    of: "https://localhost:\(server.port)",
                    deadline: .milliseconds(300)
                ) { transport in
                    let answer = await transport.getTrip()
                    #expect(answer.failure == .timedOut)
                    called.withLock { $0 = .now }
                }
                // The library alone waits 5 s for the end of TLS.
                #expect(called.withLock { $0.duration(to: .now) } < .seconds(4))
            }
        }
    }

    @Test func `plaintext is accepted for loopback addresses only`() throws {
        #expect(try ServiceEndpoint("http://127.0.0.1:50051", over: .grpc).isPlaintext)
        #expect(throws: ServiceEndpoint.Problem.insecure(host: "engine.example")) {
            try ServiceEndpoint("http://engine.example:50051", over: .grpc)
        }
        #expect(
            try ServiceEndpoint("http://engine.example", over: .grpc, allowPlainHTTP: true).target
                == "engine.example:80"
        )
        #expect(try ServiceEndpoint(ServiceEndpoint.google, over: .grpc).target == "fleetengine.googleapis.com:443")
        #expect(try ServiceEndpoint("http://[::1]:7", over: .grpc).target == "[::1]:7")
    }

    @Test func `a refused connection is reported with host and port`() async throws {
        try await RefusedPort.run { port in
            let endpoint = try ServiceEndpoint("http://127.0.0.1:\(port)", over: .grpc)
            let answer = try await ScriptedService.client(of: endpoint.baseURL) { await $0.getTrip() }
            #expect(answer.failure == .refused)
            #expect(endpoint.displayName == "127.0.0.1:\(port)")
        }
    }

    @Test func `an unknown host is reported as such, at every call`() async throws {
        try await ScriptedService.client(of: "https://no-such-host.invalid") { transport in
            for _ in 0..<2 {
                let answer = await transport.getTrip()
                #expect(answer.failure == .unknownHost)
            }
        }
    }

    @Test func `the deadline ends a call and cancels it at the service`() async throws {
        let call = Mutex((hasBegun: false, isCancelled: false))
        let cancelled = Changes()
        let answer = try await ScriptedService.run(
            { $0.deadline = .milliseconds(300) },
            answer: { _ throws(Failure) in
                call.withLock { $0.hasBegun = true }
                // It ends only by cancellation.
                do { try await Task.sleep(for: .testTimeout) } catch { call.withLock { $0.isCancelled = true } }
                cancelled.notify()
                throw .cancelled
            },
            body: { transport in
                var answer = await transport.getTrip()
                // On a busy machine, the deadline may pass before the call reaches the service.
                while answer.failure == .timedOut, !call.withLock(\.hasBegun) { answer = await transport.getTrip() }
                try await cancelled.wait(for: "the end of the call") { call.withLock(\.isCancelled) }
                return answer
            }
        )
        #expect(answer.failure == .timedOut)
    }

    @Test func `a cancelled task ends its call`() async throws {
        let begun = Changes()
        let hasBegun = Mutex(false)
        let answer = try await ScriptedService.run(
            answer: { _ throws(Failure) in
                hasBegun.withLock { $0 = true }
                begun.notify()
                // It ends only by cancellation, whose error is the expected end.
                try? await Task.sleep(for: .testTimeout)
                throw .cancelled
            },
            body: { transport in
                let call = Task { await transport.getTrip() }
                try await begun.wait(for: "the call") { hasBegun.withLock { $0 } }
                call.cancel()
                return await call.value
            }
        )
        #expect(answer.failure == .cancelled)
    }

    @Test func `many calls at the same time share a connection`() async throws {
        let failures = try await ScriptedService.run { transport in
            await withTaskGroup(of: Failure?.self) { group in
                for _ in 0..<50 { group.addTask { await transport.getTrip().failure } }
                return await group.reduce(into: []) { list, failure in list += [failure].compactMap(\.self) }
            }
        }
        #expect(failures.isEmpty)
    }

    @Test func `a host that needs a proxy is not called directly`() async throws {
        let answer = try await ScriptedService.run(
            {
                $0.connections.proxies = ProxySettings(
                    environment: ["https_proxy": "http://proxy.example:3128", "no_proxy": "localhost,127.0.0.1"]
                )
            },
            body: { await $0.getTrip() }
        )
        #expect(answer.failure == nil, "no_proxy lists it")
        let endpoint = try ServiceEndpoint("https://fleet.example:1", over: .grpc)
        var options = GRPCClientOptions()
        options.connections.proxies = ProxySettings(environment: ["https_proxy": "http://proxy.example:3128"])
        let remote = try await withGRPCTransport(to: endpoint, options) { await $0.getTrip() }
        guard remote.failure?.code == .unusableProxy, let reason = remote.failure?.reason else {
            Issue.record("\(remote)")
            return
        }
        #expect(reason.hasPrefix("https_proxy ") && reason.contains("--transport rest"))
    }
}
