import Failures
import FleetTokens
import Foundation
import Testing
import TransportLive
import TripModel
import TripTestSupport

@Suite("The end of a session", .ends(within: .longTest))
struct SessionEndTests {
    @Test func `an emulator ends in order while clients connect`() async throws {
        for _ in 0..<6 {
            var clients: [Task<Void, Never>] = []
            try await EmulatedEngine.run([]) { _, object in
                let url = try #require(object["fleetEngineURL"] as? String)
                let port = try #require(URL(string: url)?.port)
                clients = (0..<3).map { _ in Task { await RawConnection.connectRepeatedly(port: port) } }
                try await RawConnection.connectOnce(port: port)
            }
            for client in clients { await client.value }
        }
    }

    @Test(arguments: [["--once"], ["--until", "ENROUTE_TO_PICKUP"]])
    func `reports the findings of the last poll`(goal: [String]) async throws {
        // The driver sets off 10 s after the start.
        try await EmulatedEngine.run(["--speed", "1"]) { ready, object in
            let control = try #require(object["controlURL"] as? String)
            let answer = try await withLiveHTTPTransport { transport in
                try await transport.send(
                    HTTPTransportRequest(
                        method: "POST",
                        url: control + "/faults",
                        headers: [("content-type", "application/json")],
                        body: Array(#"{"on":"engine","kind":"clock","seconds":300}"#.utf8),
                        timeout: .testTimeout
                    )
                )
            }
            try #require(answer.status == 200)
            let run = try await Program.run(["watch", "--emulator", ready, "--output", "json"] + goal)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains("clocksDiffer"), "\(run.output)")
        }
    }

    @Test(arguments: [true, false])
    func `a timeout during the first poll says who has not answered`(isEndpoint: Bool) async throws {
        let token = FakeToken(.trip(try TripID("trip-1")), issuedAt: .now, lifetime: .seconds(3300)).text
        try await CannedServer.run(.silence) { server in
            let silent = "http://127.0.0.1:\(server.port)"
            let source = isEndpoint ? ["--token-url", silent + "/{tripId}"] : ["--token-env", "THE_TOKEN"]
            let run = try await Program.run(
                ["watch", "trip-1", "--provider-id", "p", "--fleet-engine-url", silent, "--output", "json"] + source
                    + ["--timeout", "2"],
                environment: ["THE_TOKEN": token]
            )
            #expect(run.status == 69 && run.errors.contains("--timeout expired"), "\(run.status) \(run.errors)")
            let who = isEndpoint ? "the token source did not answer in time" : "127.0.0.1 did not answer in time"
            #expect(run.errors.contains(who), "\(run.errors)")
            #expect(run.output.contains(#""outcome":"timed_out""#), "\(run.output)")
        }
    }

    @Test func `a script goes on after the last trip of standard input has ended`() async throws {
        try await EmulatedEngine.run(["--speed", "600"]) { ready, object in
            let trip = try #require((object["tripIds"] as? [String])?.first)
            try await Program.withFolder { folder in
                let picture = folder.appendingPathComponent("picture.txt").path
                let script = folder.appendingPathComponent("script").path
                // The session hears of the end of the trips before the pause is over.
                try Data("wait dropped off\npause 1\ndump \(picture)\n".utf8).write(to: URL(fileURLWithPath: script))
                let run = try await Program.run(
                    ["watch", "--emulator", ready, "--trips-file", "-", "--script", script],
                    input: "\(trip)\n"
                )
                #expect(run.status == 0, "\(run.errors)")
                #expect(FileManager.default.fileExists(atPath: picture))
            }
        }
    }

    @Test func `a script that cannot save its picture ends with 74`() async throws {
        try await Program.withFolder { folder in
            let script = folder.appendingPathComponent("script").path
            try Data("dump /no/such/folder/picture\n".utf8).write(to: URL(fileURLWithPath: script))
            let run = try await Program.run(["demo", "--script", script])
            #expect(run.status == 74 && run.errors.contains("/no/such/folder/picture"), "\(run.errors)")
        }
    }
}
