import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport

@Suite("Token machine: against a model")
struct ModelTests {
    // 74
    @Test func `two hundred thousand random steps break no promise`() throws {
        var random = SeededGenerator(seed: 74)
        var machine = KeyMachine(policy: .standard)
        var now = Moment(wall: Date(timeIntervalSince1970: 1_767_225_600), steady: .zero)
        var waiting: Set<Int> = []
        var flight: Int?
        var generation = 0
        var lastStart: Duration?
        for step in 1...200_000 {
            func settle(_ release: KeyMachine.Release) {
                for (waiter, _) in release.outcomes {
                    let wasWaiting = waiting.remove(waiter) != nil
                    #expect(wasWaiting)
                }
                if case .stored = release.events.first {
                    #expect(machine.generation == generation + 1)
                    generation = machine.generation
                }
            }
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2:
                if case .wait = machine.ask(waiter: step, validFor: .zero, at: now) { waiting.insert(step) }
            case 3:
                if let waiter = waiting.randomElement(using: &random) {
                    let wasWaiting = machine.cancelWait(waiter)
                    #expect(wasWaiting)
                    waiting.remove(waiter)
                }
            case 4...5: now = now.advanced(by: .milliseconds(Int.random(in: 0...20_000, using: &random)))
            case 6:
                guard let number = flight else { break }
                flight = nil
                let isGood = Bool.random(using: &random)
                let life = Duration.seconds(Int.random(in: 60...3300, using: &random))
                let result: Result<AdmittedToken, FlightFailure> =
                    isGood ? .success(MachineDriver.token(number, now, life: life)) : .failure(.source(.timedOut))
                settle(machine.landed(number: number, result: result, duration: .zero, chance: 0.5, at: now))
            case 7:
                guard let current = machine.token?.bearer else { break }
                if let release = machine.reject(current, status: 401, at: now) {
                    if release.abandoned != nil { flight = nil }
                    settle(release)
                }
            default:
                if let limit = machine.flight?.timeoutAt, limit <= now.steady {
                    flight = nil
                    settle(machine.timedOut(chance: 0.5, at: now))
                }
            }
            if let reason = machine.want(at: now) {
                #expect(flight == nil)
                if let lastStart { #expect(now.steady - lastStart >= .seconds(1)) }
                lastStart = now.steady
                flight = step
                machine.begin(number: step, reason: reason, timeout: .seconds(10), at: now)
            }
            if let token = machine.read(at: now), let end = token.expiresAt { #expect(end > now.wall) }
            // Nobody waits without a fetch in the air or a time at which one begins.
            if !waiting.isEmpty { #expect(machine.flight != nil || machine.due != nil) }
            #expect(waiting == Set(machine.waiters.keys))
            if let until = machine.backoff?.until { #expect(until - now.steady <= .seconds(300)) }
        }
        #expect(generation > 100)
    }
}
