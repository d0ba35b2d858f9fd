import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Claims reader: hostile bytes", .ends(within: .quickTest))
struct ClaimsFuzzTests {
    private static let claims =
        #"{"iss":"a@b.c","sub":"a@b.c","aud":["https://fleetengine.googleapis.com/"],"iat":1700000000,"exp":1.7000033e9,"#
        + #""authorization":{"tripid":"trip-\u00e9","taskids":["a",{"b":null}]},"n":-0.5e-3,"t":[true,false,null]}"#

    /// Bytes with a meaning in JSON.
    ///
    /// They are drawn more often than random bytes would be.
    private static let spices = Array(#"{}[]",:\/u0e-+. tfn"#.utf8) + [0, 0x1f, 0x7f, 0x80, 0xc3, 0xf0, 0xff]

    /// Makes up to four changes: inserts, removes or replaces a byte, or truncates the text.
    private func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            let spice = Self.spices.randomElement(using: &generator) ?? 0
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: bytes.removeSubrange(place...)
            case 1...2: bytes.remove(at: place)
            case 3...5: bytes.insert(spice, at: place)
            default: bytes[place] = spice
            }
        }
        return bytes
    }

    @Test func `reads none of 5,000 damaged claims differently than Foundation does`() throws {
        var generator = SeededGenerator(seed: 20)
        let header = Base64URL.encode(Array(#"{"alg":"RS256","kid":"k","typ":"JWT"}"#.utf8))
        var read = 0
        for _ in 0..<repetitions(5000) {
            let bytes = mutated(Array(Self.claims.utf8), &generator)
            guard let claims = try? TokenClaims(token: "\(header).\(Base64URL.encode(bytes)).c2ln") else { continue }
            read += 1
            guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else { continue }
            let authorization = object["authorization"] as? [String: Any]
            // A duplicate name has no defined meaning, so readers may differ.
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.components(separatedBy: "tripid").count == 2, text.components(separatedBy: "exp").count == 2
            else { continue }
            if let trip = authorization?["tripid"] as? String { #expect(claims.tripID == trip, "\(text)") }
            if let expiry = object["exp"] as? NSNumber, let ours = claims.expirySeconds {
                #expect(abs(ours - expiry.doubleValue) <= abs(expiry.doubleValue) * 1e-12, "\(text)")
            }
        }
        // Otherwise the damage is too heavy for a comparison.
        #expect(read > repetitions(500))
    }

    @Test func `survives 5,000 damaged tokens`() {
        var generator = SeededGenerator(seed: 21)
        let header = Base64URL.encode(Array(#"{"alg":"RS256","kid":"k"}"#.utf8))
        let token = Array("\(header).\(Base64URL.encode(Array(Self.claims.utf8))).c2ln".utf8)
        var refused = 0
        for _ in 0..<repetitions(5000) {
            let text = String(decoding: mutated(token, &generator), as: UTF8.self)
            if (try? TokenClaims(token: text)) == nil { refused += 1 }
            let inspection = TokenInspection.inspect(text, .init(), now: Date(timeIntervalSince1970: 1_700_000_000))
            #expect(!inspection.findings.isEmpty)
        }
        #expect(refused > repetitions(250))
    }
}
