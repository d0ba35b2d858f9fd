package import Failures
package import Foundation
import Runtime
import Synchronization
import TripModel

/// The active faults of a place: an emulator, or the requests of a client.
package final class FaultInjector: Sendable {
    private struct Entry {
        var id: Int
        var fault: Fault
        var since: Date
        var left: Int?

        func isEnded(at now: Date) -> Bool {
            if let left, left <= 0 { return true }
            return fault.duration.map { now.timeIntervalSince(since) >= $0.seconds } ?? false
        }
    }

    private struct State {
        var entries: [Entry] = []
        var lastID = 0
        /// Hashes of the tokens that were sent, so that no token is stored; bounded.
        var sent: Set<Int> = []
        /// The tokens that a fault refuses; tokens of other trips remain refused after a new token has ended the fault.
        var refusal: (fault: Fault, number: Int, tokens: Set<Int>)?
        /// The requests whose connections faults have closed, oldest first; bounded.
        var closings: [(request: String, fault: InjectedFault)] = []

        mutating func remove(where isRemoved: (Entry) -> Bool) -> Bool {
            let count = entries.count
            if entries.contains(where: { $0.fault.kind.refusesSentTokens && isRemoved($0) }) { refusal = nil }
            entries.removeAll(where: isRemoved)
            return entries.count < count
        }

        mutating func removeEnded(at now: Date) { _ = remove { $0.isEnded(at: now) } }

        /// Records a token as sent; returns the fault that refuses it.
        mutating func send(_ authorization: String, with request: String) -> (fault: Fault, number: Int)? {
            let token = authorization.hashValue
            if sent.count >= FaultInjector.maximumTokens { sent = [] }
            sent.insert(token)
            guard let refusal, refusal.fault.matches(request) else { return nil }
            if refusal.tokens.contains(token) { return (refusal.fault, refusal.number) }
            entries.removeAll { $0.fault.kind.refusesSentTokens }
            return nil
        }
    }

    /// The maximum number of hashes of tokens.
    private static let maximumTokens = 10_000

    private let state = Mutex(State())

    /// The waits of the faults that delay answers.
    package let delays = FaultDelays()

    /// Creates an injector without faults.
    package init() {}

    /// Adds a fault; returns its number.
    @discardableResult
    package func add(_ fault: Fault, at now: Date) -> Int {
        state.withLock { state in
            state.lastID += 1
            if fault.kind.refusesSentTokens { state.refusal = (fault, state.lastID, state.sent) }
            state.entries.append(Entry(id: state.lastID, fault: fault, since: now, left: fault.count))
            return state.lastID
        }
    }

    /// Removes one fault, or all; returns whether there was one.
    @discardableResult
    package func clear(_ id: Int? = nil) -> Bool {
        state.withLock { state in
            if id == nil { state.refusal = nil }
            return state.remove { id == nil || $0.id == id }
        }
    }

    /// Returns the active faults with their numbers.
    package func all(at now: Date) -> [(id: Int, fault: Fault)] {
        state.withLock { state in
            state.removeEnded(at: now)
            return state.entries.map { ($0.id, $0.fault) }
        }
    }

    /// Returns the effects of the faults on a request and its answer, and decrements their counts.
    ///
    /// - Parameters:
    ///   - target: The endpoint that the request is sent to.
    ///   - request: Its method and path, such as `GET /v1/providers/…`.
    ///   - authorization: Its `Authorization` header; `nil` for none.
    ///   - now: The current time.
    /// - Returns: `nil` if no fault applies.
    package func effects(
        on target: Fault.Target,
        request: String,
        authorization: String?,
        at now: Date
    ) -> FaultEffects? {
        let faults = state.withLock { state -> [(fault: Fault, number: Int)] in
            state.removeEnded(at: now)
            // Who asks again has learned that the connection was closed, or has not.
            state.closings.removeAll { $0.request == request }
            // Only the engine gets tokens.
            let refusing = target == .engine ? authorization.flatMap { state.send($0, with: request) } : nil
            var active = refusing.map { [$0] } ?? []
            for index in state.entries.indices {
                let fault = state.entries[index].fault
                guard fault.target == target, fault.matches(request) else { continue }
                if !fault.kind.refusesSentTokens { active.append((fault, state.entries[index].id)) }
                if let left = state.entries[index].left { state.entries[index].left = left - 1 }
            }
            state.removeEnded(at: now)
            return active
        }
        return faults.isEmpty ? nil : FaultEffects(faults.map(\.fault), numbers: faults.map(\.number))
    }

    // MARK: Closed connections

    /// The maximum number of closed connections that are remembered.
    private static let mostClosings = 100

    /// Remembers that a fault closes the connection of a request, whose client gets no header that says so.
    func recordClosing(of request: String, by fault: InjectedFault?) {
        guard let fault else { return }
        state.withLock { state in
            state.closings.append((request, fault))
            if state.closings.count > Self.mostClosings { state.closings.removeFirst() }
        }
    }

    /// Returns the fault that has closed the connection of a request such as `GET /v1/providers/…`, once; `nil` if none has.
    package func closing(of request: String) -> InjectedFault? {
        state.withLock { state in
            guard let index = state.closings.firstIndex(where: { $0.request == request }) else { return nil }
            return state.closings.remove(at: index).fault
        }
    }
}
