import Failures
import Foundation
import TripText

/// An answer of a real product with the party that must fix it, from an author who did not know the rules.
struct HeldOutCase: Decodable {
    let name: String
    let about: String
    let truth: String
    /// Parties that an expert would also accept as the first suspect.
    let also: [String]?
    let encrypted: Bool
    let proxy: String?
    let worked: Bool
    let status: Int?
    let headers: [String: String]?
    let body: String?
    let ending: String?

    /// The cases of a set: the rules were improved with those for development, and never with the final ones.
    static func all(_ set: String) throws -> [HeldOutCase] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "heldout.\(set).json")
        return try JSONDecoder().decode([HeldOutCase].self, from: try Data(contentsOf: file))
    }

    /// Whether a party is the truth or as good.
    func accepts(_ party: Party) -> Bool { party.rawValue == truth || also?.contains(party.rawValue) == true }

    /// The message about it.
    func message() async throws -> UserMessage {
        let endings: [String: Failure] = [
            "refused": .refused, "unknown_host": .unknownHost, "timed_out": .timedOut, "cut_off": .cutOff,
            "connection_lost": .connectionLost,
        ]
        let reply = Reply(
            status: status ?? 200,
            headers: (headers ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
            body: Array((body ?? "").utf8),
            isEncrypted: encrypted,
            proxy: proxy,
            ending: ending.flatMap { endings[$0] }
        )
        let history = History(tokens: worked ? 2 : 0, hasAnswer: worked)
        return about == "service"
            ? try GeneratedCase.ofService(reply, worked) : try await GeneratedCase.ofTokens(reply, history)
    }
}
