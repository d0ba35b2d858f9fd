import CryptoExtras
import FleetTokens
import Foundation
import Runtime
import TokenSigning
import TripModel

/// Measures RS256 signatures and verifications compared with `openssl speed`.
struct SigningBenchmarks {
    let clock: SystemClock

    func run() async throws {
        let pair = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let file = [
            "client_email": "a@b.iam.gserviceaccount.com", "private_key_id": "k", "private_key": pair.pemRepresentation,
        ]
        let key = try await ServiceAccountKey(json: [UInt8](JSONSerialization.data(withJSONObject: file)))
        let trip = try TripID("trip-1")
        let now = clock.now().wall
        let token = try await key.sign(.trip(trip), at: now).revealed
        let inspection = TokenInspection.inspect(token, .init(), now: now)
        let pem = pair.publicKey.pemRepresentation
        let openssl = Peer(named: "openssl", arguments: ["speed", "-seconds", "1", "rsa2048"])
        var figures = Figures()
        for _ in 0..<5 {
            let signing = try await nanoseconds { for _ in 0..<500 { _ = try await key.sign(.trip(trip), at: now) } }
            figures.add("sign a token (jwt-kit)", 500e9 / signing)
            let verifying = try await nanoseconds {
                for _ in 0..<2000 { _ = try await inspection.checkingSignature(publicKeyPEM: pem) }
            }
            figures.add("verify one, key parsed each time (jwt-kit)", 2000e9 / verifying)
            let line = try openssl?.output()?.split(separator: "\n").last { $0.hasPrefix("rsa") }
            let columns = line?.split(separator: " ").compactMap { Double($0) } ?? []
            guard columns.count >= 2 else { continue }
            figures.add("openssl, sign", columns[columns.count - 2])
            figures.add("openssl, verify", columns[columns.count - 1])
        }
        say("\nRS256 with 2,048 bits, per second on one core")
        figures.print(unit: "/s")
        if openssl == nil { say("  openssl's side is skipped: it is not installed.") }
        if let ours = figures.median("sign a token (jwt-kit)"), let theirs = figures.median("openssl, sign") {
            say("  signatures: \(String(format: "%.2f", ours / theirs)) of openssl's")
        }
    }
}
