import Foundation
import Runtime
import Synchronization

/// Answers posts of notices, refuses some of them for a while, and notes what it has accepted.
final class FlappingServer: Sendable {
    private struct Notice: Decodable {
        var event: String
        var status: String?
    }

    private struct State {
        var random: SeededGenerator
        var isCalm = false
        var requestsLeft = 0
        var reached: AsyncStream<Void>.Continuation?
        var accepted: [String: Set<String>] = [:]
        var bodies: [String: Set<String>] = [:]
    }

    private let state: Mutex<State>

    /// Creates a server that chooses its answers with a seed.
    init(seed: UInt64) { state = Mutex(State(random: SeededGenerator(seed: seed))) }

    /// Accepts everything from now on.
    func calm() { state.withLock { $0.isCalm = true } }

    /// Returns a stream that ends when this number of further requests has come.
    func requests(_ count: Int) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        state.withLock { ($0.requestsLeft, $0.reached) = (count, continuation) }
        return stream
    }

    /// The bodies of each ID.
    var bodies: [String: Set<String>] { state.withLock { $0.bodies } }

    /// The statuses of the events `status` that were accepted at a path.
    func statuses(at path: String) -> Set<String> { state.withLock { $0.accepted[path] ?? [] } }

    /// Returns the answer to a request.
    func answer(_ request: String) -> String {
        let parts = request.components(separatedBy: "\r\n\r\n")
        let lines = parts[0].components(separatedBy: "\r\n")
        let path = lines[0].components(separatedBy: " ").dropFirst().first ?? ""
        let id = lines.first { $0.lowercased().hasPrefix("tripshare-event-id:") } ?? ""
        let body = parts.dropFirst().joined(separator: "\r\n\r\n")
        // A body that is no notice has no status, so that the test fails.
        let notice = try? JSONDecoder().decode(Notice.self, from: Data(body.utf8))
        let isAccepted = state.withLock { state in
            state.bodies[id, default: []].insert(body)
            state.requestsLeft -= 1
            if state.requestsLeft == 0 { state.reached?.finish() }
            guard state.isCalm || Int.random(in: 0..<3, using: &state.random) > 0 else { return false }
            if notice?.event == "status", let status = notice?.status {
                state.accepted[path, default: []].insert(status)
            }
            return true
        }
        let status = isAccepted ? "204 No Content" : "503 Service Unavailable"
        return "HTTP/1.1 \(status)\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    }
}
