import FleetTokens
import JWTKit

/// Measures how long it takes to read a token's claims, compared with jwt-kit's decoding without verification.
struct ClaimsBenchmarks {
    let clock: SystemClock

    func run() async throws {
        let token = MintingSource.token(try MintingSource.context(1), at: 1_767_225_600)
        let keys = JWTKeyCollection()
        await keys.add(hmac: "unused", digestAlgorithm: .sha256)
        var figures = Figures()
        let count = 2000
        for _ in 0..<9 {
            let ours = try await nanoseconds { for _ in 0..<count { _ = try TokenClaims(token: token) } }
            figures.add("claims reader", ours / Double(count) / 1000)
            let theirs = try await nanoseconds {
                for _ in 0..<count { _ = try await keys.unverified(token, as: PlainClaims.self) }
            }
            figures.add("jwt-kit, unverified", theirs / Double(count) / 1000)
        }
        say("\nClaims of a token of \(token.utf8.count) bytes")
        figures.print(unit: "µs")
        figures.gate("claims reader / jwt-kit", "claims reader", over: "jwt-kit, unverified", atMost: 0.25)
    }
}

private struct PlainClaims: JWTPayload {
    var aud: String
    var exp: Double
    var authorization: [String: String]

    func verify(using algorithm: some JWTAlgorithm) async throws {}
}
