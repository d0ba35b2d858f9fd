import Failures
import FleetTokens
import FleetWire
import Foundation
import TransportLive
import TripFeed
import TripModel

/// Measures what a poll costs compared with curl and Python, and how many trips one feed can poll on time.
struct FeedBenchmarks {
    private static let polls = 2000
    private static let rounds = 5
    private static let own = "tripshare's client"
    private static let requests = "Python requests.Session"
    private let clock = SystemClock()

    /// Measures single polls, then many trips; with a list of numbers only these many trips.
    func run(trips counts: [Int]? = nil) async throws {
        try await ReplayServer.withServer { port in
            if counts == nil {
                try await withLiveHTTPTransport { transport in
                    try await polls(port, transport)
                }
            }
            for trips in counts ?? [1000, 10_000] {
                try await withLiveHTTPTransport { transport in
                    try await FeedLoad(trips: trips, port: port, transport: transport, clock: clock).run()
                }
            }
        }
    }

    /// Runs a closure with a client of a service and a request for a trip.
    func withClient(
        _ url: String,
        _ transport: HTTPTransport,
        _ body: (FleetClient, JourneyRequest) async throws -> Void
    ) async throws {
        let tokens = TokenProvider(source: MintingSource(clock: clock), clock: clock, seed: 1)
        let client = FleetClient(
            endpoint: try ServiceEndpoint(url),
            tokens: tokens,
            transport: transport,
            clock: clock
        )
        guard case .trip(let trip) = try MintingSource.context(0) else { return }
        try await body(client, JourneyRequest(provider: try ProviderID("p"), journey: .trip(trip)))
        await tokens.close()
    }

    private func polls(_ port: Int, _ transport: HTTPTransport) async throws {
        say("\nCPU time of one poll (GetTrip, answer read), client alone, \(Self.polls) polls a round")
        let url = "http://127.0.0.1:\(port)"
        try await withClient(url, transport) { client, request in
            try await compare(client, request, at: url, transport)
        }
    }

    private func compare(
        _ client: FleetClient,
        _ request: JourneyRequest,
        at url: String,
        _ transport: HTTPTransport
    ) async throws {
        let target = url + request.target
        let bare = HTTPTransportRequest(
            method: "GET",
            url: target,
            headers: [("Authorization", "Bearer x")],
            timeout: FleetClient.deadline,
            maximumResponseBytes: 1 << 20
        )
        var figures = Figures()
        for _ in 0..<Self.rounds {
            var own = CPUTime.own
            for _ in 0..<Self.polls where await client.get(request).failure != nil { say("  a poll failed") }
            figures.add(Self.own, (CPUTime.own - own) / Double(Self.polls) * 1e6)
            own = CPUTime.own
            for _ in 0..<Self.polls { _ = try await transport.send(bare) }
            figures.add("its HTTP transport alone, answer not decoded", (CPUTime.own - own) / Double(Self.polls) * 1e6)
            try add(
                "curl, one process for all",
                ["curl", "-s", "-o", "/dev/null", "-H", "Authorization: Bearer x"]
                    + ["\(target)?n=[1-\(Self.polls)]"],
                Self.polls,
                &figures
            )
            try add(
                "curl, one process each",
                ["curl", "-s", "-o", "/dev/null", "-H", "Authorization: Bearer x", target],
                20,
                &figures,
                times: 20
            )
            try add(
                Self.requests,
                ["python3", "-c", Self.python, target, "\(Self.polls)"],
                Self.polls,
                &figures
            )
        }
        figures.print(unit: "µs")
        figures.gate("a poll, compared with one of \(Self.requests)", Self.own, over: Self.requests, atMost: 0.35)
    }

    private func add(
        _ name: String,
        _ command: [String],
        _ polls: Int,
        _ figures: inout Figures,
        times: Int = 1
    ) throws {
        guard let peer = Peer(named: command[0], arguments: Array(command.dropFirst())) else { return }
        let before = CPUTime.children
        for _ in 0..<times where try peer.output() == nil { return say("  \(name): failed") }
        figures.add(name, (CPUTime.children - before) / Double(polls) * 1e6)
    }

    private static let python = """
        import requests, sys
        session = requests.Session()
        for _ in range(int(sys.argv[2])):
            session.get(sys.argv[1], headers={'Authorization': 'Bearer x'}, timeout=15).json()['tripStatus']
        """
}

/// The used processor time in seconds, user and system time together, with a resolution of 0.01 s.
enum CPUTime {
    /// The processor time of this process.
    static var own: Double { ticks(11) + ticks(12) }
    /// The processor time of all children that have ended.
    static var children: Double { ticks(13) + ticks(14) }

    /// A field of `/proc/self/stat`, counted from the program's name, in hundredths of a second; 0 on other systems.
    private static func ticks(_ field: Int) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8) else { return 0 }
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > field ? (Double(fields[field]) ?? 0) / 100 : 0
    }
}
