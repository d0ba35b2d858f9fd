import FleetTokens
import Foundation
import JWTKit
import TripModel

/// Measures the token provider; figures are nanoseconds per call over all tasks together.
struct TokenBenchmarks {
    private let provider: TokenProvider
    private let clock = ProcessClock()

    init() throws {
        let policy = try TokenPolicy(keyLimit: 100_000)
        provider = TokenProvider(source: MintingSource(clock: clock), clock: clock, policy: policy, seed: 1)
    }

    func run() async throws {
        for keys in [1, 10_000, 100_000] {
            let contexts = try (0..<keys).map {
                AuthorizationContext.trip(try TripID("trip-\($0)-abcdefghijklmnopqrstuvwxyz"))
            }
            for context in contexts { _ = try await provider.token(for: context) }
            for tasks in [1, 2] {
                report("cached hit, \(keys) keys, \(tasks) task(s)", await hits(contexts, tasks: tasks))
            }
        }
        try await leases()
        try await herd()
        try await churn()
        try await claims()
        await provider.close()
    }

    private func report(_ name: String, _ nanoseconds: Double) {
        print("\(name): \(nanoseconds.rounded()) ns")
    }

    private func nanoseconds(of body: () async throws -> Void) async rethrows -> Double {
        let start = clock.now().steady
        try await body()
        return (clock.now().steady - start).seconds * 1e9
    }

    private func hits(_ contexts: [AuthorizationContext], tasks: Int) async -> Double {
        let calls = 1_000_000
        let time = await nanoseconds {
            await withTaskGroup(of: Int.self) { group in
                for task in 0..<tasks {
                    group.addTask { [provider] in
                        var index = task
                        var found = 0
                        for _ in 0..<calls / tasks {
                            // A step that shares no factor with the count visits every key, far from the last one.
                            index = (index + 7919) % contexts.count
                            if provider.cached(for: contexts[index]) != nil { found += 1 }
                        }
                        return found
                    }
                }
            }
        }
        return time / Double(calls)
    }

    private func leases() async throws {
        let context = AuthorizationContext.trip(try TripID("leased"))
        _ = try await provider.token(for: context)
        for tasks in [1, 2] {
            let calls = 1_000_000
            let time = await nanoseconds {
                await withTaskGroup(of: Int.self) { group in
                    for _ in 0..<tasks {
                        group.addTask { [provider] in
                            var lease = provider.lease(for: context)
                            var found = 0
                            for _ in 0..<calls / tasks where lease.token() != nil { found += 1 }
                            return found
                        }
                    }
                }
            }
            report("lease hit, 1 key, \(tasks) task(s)", time / Double(calls))
        }
    }

    private func herd() async throws {
        let context = AuthorizationContext.trip(try TripID("herd"))
        let time = await nanoseconds {
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<10_000 {
                    group.addTask { [provider] in
                        do throws(TokenError) {
                            _ = try await provider.token(for: context)
                            return true
                        } catch {
                            return false
                        }
                    }
                }
            }
        }
        report("10,000 callers on one key, in all", time)
    }

    private func churn() async throws {
        let small = TokenProvider(source: MintingSource(clock: clock), clock: clock, seed: 2)
        for round in 0..<4 {
            for index in 0..<25_000 {
                _ = try await small.token(for: .trip(try TripID("churn-\(round)-\(index)")))
            }
            print("resident after \((round + 1) * 25_000) churned keys: \(residentKilobytes()) KiB")
        }
        await small.close()
    }

    private func residentKilobytes() -> Int {
        // Field 2 of statm is the resident size in pages of 4 KiB; elsewhere than on Linux the file is missing.
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4 } ?? 0
    }

    private func claims() async throws {
        let token = try await provider.token(for: .trip(try TripID("claims"))).revealed
        let rounds = 10_000
        let ours = try await nanoseconds { for _ in 0..<rounds { _ = try TokenClaims(token: token) } }
        report("claims reader", ours / Double(rounds))
        let keys = JWTKeyCollection()
        await keys.add(hmac: "unused", digestAlgorithm: .sha256)
        let theirs = try await nanoseconds {
            for _ in 0..<rounds { _ = try await keys.unverified(token, as: PlainClaims.self) }
        }
        report("jwt-kit unverified", theirs / Double(rounds))
    }
}

private struct PlainClaims: JWTPayload {
    var aud: String
    var exp: Double
    var authorization: [String: String]

    func verify(using algorithm: some JWTAlgorithm) async throws {}
}

/// The clocks of this process.
private struct ProcessClock: TripClock {
    private let start = ContinuousClock.now
    let speed = 1.0

    func now() -> Moment { Moment(wall: Date(), steady: ContinuousClock.now - start) }

    func sleep(until deadline: Duration) async throws {
        try await ContinuousClock().sleep(until: start + deadline)
    }
}

/// Tokens made on the spot, with a signature that nobody checks.
private struct MintingSource: TokenSource {
    let name = "benchmark"
    let clock: any TripClock

    func fetch(_ context: AuthorizationContext, reason: FetchReason) async throws(TokenSourceError) -> IssuedToken {
        let now = Int(clock.now().wall.timeIntervalSince1970)
        let claims =
            #"{"iss":"a@b.iam.gserviceaccount.com","sub":"a@b.iam.gserviceaccount.com","#
            + #""aud":"https://fleetengine.googleapis.com/","iat":\#(now - 30),"exp":\#(now + 3300),"#
            + #""authorization":{"tripid":"\#(context.id)"}}"#
        let header = Base64URL.encode(Array(#"{"alg":"RS256","typ":"JWT","kid":"0123456789abcdef"}"#.utf8))
        let signature = Base64URL.encode([UInt8](repeating: 7, count: 256))
        return IssuedToken("\(header).\(Base64URL.encode(Array(claims.utf8))).\(signature)")
    }
}
