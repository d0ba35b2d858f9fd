import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Token machine: against a model", .ends(within: .quickTest))
struct ModelTests {
    /// The machine and the model, which both get the same steps.
    private struct Pair {
        static let longestOutage = 20.0

        var machine: KeyMachine
        var model = ModelKey()
        var now = Moment(wall: Date(timeIntervalSince1970: 1_767_225_600), steady: .zero)
        var sentAt: Moment?
        var fetch: Int?

        init() throws {
            let policy = try TokenPolicy(maximumOutageBackoff: .seconds(Self.longestOutage))
            machine = KeyMachine(policy: SharedPolicy(policy))
        }

        /// Compares the released callers with the waiting ones, and the state that both know.
        mutating func compare(_ released: Set<Int>, waited: Set<Int>, step: Int) {
            #expect(released == waited.subtracting(model.waiters), "step \(step)")
            #expect(Set(machine.waiters.keys) == model.waiters, "step \(step)")
            #expect(machine.generation == model.generation, "step \(step)")
            let until = machine.backoff?.until.seconds
            #expect(abs((until ?? -1) - (model.backoffUntil ?? -1)) < 1e-6, "step \(step)")
            if let until { #expect(until - now.steady.seconds <= 300, "step \(step)") }
            #expect((machine.fetchReason(at: now) != nil) == model.wants(now), "step \(step)")
            // A caller waits only while a fetch is in flight or scheduled.
            if !machine.waiters.isEmpty { #expect(machine.nextCheck != nil || machine.fetch != nil, "step \(step)") }
        }

        mutating func launch(_ step: Int) {
            guard let reason = machine.fetchReason(at: now) else { return }
            #expect(fetch == nil)
            (fetch, sentAt) = (step, now)
            machine.begin(number: step, reason: reason, timeout: .seconds(10), at: now)
            model.begin(now)
        }

        mutating func ask(_ step: Int) -> ModelKey.Answer {
            let answer: ModelKey.Answer =
                switch machine.request(waiter: step, validFor: .zero, at: now) {
                case .success(let token)?: .token(token.generation)
                case .failure?: .fail
                case nil: .wait
                }
            #expect(answer == model.ask(step, now), "step \(step)")
            return answer
        }

        /// Ends the fetch in flight with a success or a failure.
        ///
        /// Returns the callers that it releases.
        mutating func complete(life: Double?) -> Set<Int> {
            guard let number = fetch, let sentAt else { return [] }
            fetch = nil
            let token = life.map { MachineDriver.token(number, sentAt, life: .seconds($0)) }
            let result: Result<BearerToken, Failure> =
                token.map { .success($0) } ?? .failure(.sourceTimedOut)
            let release = machine.completed(number: number, result: result, duration: .zero, jitter: 0.5, at: now)
            if let life, ModelKey.Token(generation: 0, sentAt: sentAt, life: life).isUsable(now) {
                model.store(sentAt: sentAt, life: life)
            } else {
                model.fail(now, isOutage: life == nil, longestOutage: Self.longestOutage)
            }
            return Set(release.results.map(\.waiter))
        }
    }

    // 74
    @Test func `the machine agrees with the model after 200,000 random steps`() throws {
        var random = SeededGenerator(seed: 74)
        var pair = try Pair()
        for step in 1...repetitions(200_000) {
            let waited = pair.model.waiters
            var released: Set<Int> = []
            switch Int.random(in: 0..<15, using: &random) {
            case 0...2:
                _ = pair.ask(step)
            case 3:
                guard let waiter = waited.sorted().randomElement(using: &random) else { break }
                pair.machine.cancelWait(waiter)
                pair.model.waiters.remove(waiter)
                released = [waiter]
            case 4...6: pair.now = pair.now.advanced(by: .milliseconds(Int.random(in: 0...20_000, using: &random)))
            case 7: pair.now = pair.now.advanced(by: .seconds(Int.random(in: 0...600, using: &random)))
            case 8: pair.now.wall += Double(Int.random(in: -400...400, using: &random))
            case 9:
                let life = Double(Int.random(in: 60...3300, using: &random))
                released = pair.complete(life: Bool.random(using: &random) ? life : nil)
            case 10:
                guard let current = pair.machine.token else { break }
                let release = pair.machine.reject(current, status: 401, at: pair.now)
                pair.fetch = nil
                pair.model.reject(pair.now)
                released = Set(try #require(release).results.map(\.waiter))
            case 11:
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    pair.machine.refresh(at: pair.now)
                    pair.model.refresh(pair.now)
                case 1:
                    pair.machine.sourceChanged(at: pair.now)
                    pair.model.sourceChanged(pair.now)
                default:
                    pair.machine.stopRefreshing()
                    pair.model.stopRefreshing()
                }
            default:
                guard let limit = pair.machine.fetch?.timeoutAt, limit <= pair.now.steady else { break }
                pair.fetch = nil
                released = Set(pair.machine.timedOut(jitter: 0.5, at: pair.now).results.map(\.waiter))
                pair.model.fail(pair.now, isOutage: true, longestOutage: Pair.longestOutage)
            }
            pair.compare(released, waited: waited, step: step)
            pair.launch(step)
            if step.isMultiple(of: 1000) { recover(&pair, step) }
        }
        #expect(pair.model.generation > repetitions(1000))
    }

    /// A working source produces a token from any state within five minutes.
    private func recover(_ pair: inout Pair, _ step: Int) {
        let end = pair.now.steady + .seconds(300)
        while pair.now.steady <= end {
            _ = pair.complete(life: 3300)
            if case .token = pair.ask(-step) { return }
            pair.launch(step)
            pair.now = pair.now.advanced(by: .seconds(1))
        }
        Issue.record("no token within five minutes after step \(step)")
    }
}
