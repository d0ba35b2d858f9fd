import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel

/// Runs the machine of a key without tasks: every fetch that it requests begins and ends at once.
struct MachineDriver {
    typealias Answer = (_ number: Int, _ now: Moment) -> Result<BearerToken, Failure>

    var machine: KeyMachine
    var now = Moment(wall: Date(timeIntervalSince1970: 1_767_225_600), steady: .zero)
    var random: SeededGenerator
    var answer: Answer
    /// When each fetch began.
    var fetches: [Duration] = []
    private var lastWaiter = 0

    init(policy: TokenPolicy = .standard, seed: UInt64 = 1, answer: @escaping Answer) {
        machine = KeyMachine(policy: SharedPolicy(policy))
        random = SeededGenerator(seed: seed)
        self.answer = answer
    }

    /// A token with this lifetime, requested now.
    static func token(_ number: Int, _ now: Moment, life: Duration = .seconds(3300)) -> BearerToken {
        BearerToken(
            bytes: SecretBytes("secret-\(number)"),
            BearerToken.Properties(
                fingerprint: "\(number)",
                issuedAt: now.wall,
                expiresAt: now.wall + life.seconds,
                sentAt: now,
                left: life,
                lifetime: life
            )
        )
    }

    /// A machine whose source always returns a token with this lifetime.
    static func working(life: Duration = .seconds(3300), seed: UInt64 = 1) -> MachineDriver {
        MachineDriver(seed: seed) { .success(token($0, $1, life: life)) }
    }

    /// A machine whose source always fails with this error.
    static func failing(_ error: Failure = .sourceUnreachable(reason: "down")) -> MachineDriver {
        MachineDriver { _, _ in .failure(error) }
    }

    /// A complete call; the source takes no time.
    mutating func call(validFor: Duration = .zero) -> Result<BearerToken, TokenError>? {
        defer { _ = run() }
        if validFor <= .zero, let hit = machine.read(at: now) { return .success(hit.token) }
        lastWaiter += 1
        if let result = machine.request(waiter: lastWaiter, validFor: validFor, at: now) { return result }
        let waiter = lastWaiter
        if let outcome = run()?.results.first(where: { $0.waiter == waiter }) { return outcome.result }
        machine.cancelWait(waiter)
        return nil
    }

    /// Begins and ends the fetch that is due, if one is.
    mutating func run() -> KeyMachine.Action? {
        guard let reason = machine.fetchReason(at: now) else { return nil }
        let number = fetches.count + 1
        fetches.append(now.steady)
        machine.begin(number: number, reason: reason, timeout: .seconds(10), at: now)
        let jitter = Double(random.next() >> 11) * 0x1p-53
        return machine.completed(number: number, result: answer(number, now), duration: .zero, jitter: jitter, at: now)
    }

    /// Calls, then advances past the backoff.
    ///
    /// Returns the length of the backoff in seconds.
    mutating func nextWait() throws -> Double {
        _ = call()
        let until = try #require(machine.backoff?.until)
        let wait = until - now.steady
        now = now.advanced(by: wait)
        return wait.seconds
    }

    /// Advances both clocks and runs the fetches that fall due on the way.
    mutating func advance(by duration: Duration) {
        let end = now.steady + duration
        while let due = machine.nextCheck, due > now.steady, due <= end {
            now = now.advanced(by: due - now.steady)
            _ = run()
        }
        now = now.advanced(by: end - now.steady)
    }
}

extension Result where Success == BearerToken, Failure == TokenError {
    /// The error, if the result is a failure.
    var error: TokenError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }

    /// The token, if the result is a success.
    var token: BearerToken? {
        guard case .success(let token) = self else { return nil }
        return token
    }
}
