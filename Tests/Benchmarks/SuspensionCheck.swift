#if os(Linux)
import Runtime
import FleetTokens
import Foundation
import Glibc
import TripModel

/// Checks that the system clock detects a suspension of the machine, so that a cached token expires.
///
/// A time namespace shifts the clocks of this process: the clock that counts suspensions advances two hours further than
/// the one that does not, as if the machine had been suspended for two hours. The wall clock is not shifted, so that the
/// token must be refused because of the steady clock alone. This is a check, not a measurement. It is part of this
/// program because a process may enter a time namespace only while it has a single thread; a test runs the program.
enum SuspensionCheck {
    private enum Failure: Error {
        /// The system does not allow the call; the number is `errno`.
        case refused(String, Int32)
        /// A check failed.
        case wrong(String)
    }

    /// The exit status: 0 on success, 77 if the system does not allow a time namespace, 1 otherwise.
    static func run() -> Int32 {
        do {
            try check()
            say("A token that ended in a suspension is refused.")
            return 0
        } catch Failure.refused(let call, let number) {
            say("Skipped: \(call) is not allowed here, error \(number).")
            return 77
        } catch {
            say("Failed: \(error)")
            return 1
        }
    }

    private static func check() throws {
        let clock = SystemClock()
        var machine = KeyMachine(policy: SharedPolicy(.standard))
        _ = machine.request(waiter: 1, validFor: .zero, at: clock.now())
        machine.begin(number: 1, reason: .needed, timeout: .seconds(10), at: clock.now())
        let fetched = token(clock.now())
        _ = machine.completed(number: 1, result: .success(fetched), duration: .zero, jitter: 0, at: clock.now())
        guard machine.read(at: clock.now()) != nil else { throw Failure.wrong("a fresh token is refused") }
        let before = clock.now()
        try sleepTwoHours()
        let after = clock.now()
        let slept = (after.steady - before.steady).seconds
        guard abs(slept - 7260) < 5 else { throw Failure.wrong("the steady clock moved by \(slept) s, not by 7260") }
        guard abs(after.wall.timeIntervalSince(before.wall)) < 5 else { throw Failure.wrong("the time of day moved") }
        guard machine.read(at: after) == nil else { throw Failure.wrong("the token is still handed out") }
        guard machine.fetchReason(at: after) == .ahead else { throw Failure.wrong("no other token is wanted") }
    }

    private static func token(_ now: Moment) -> BearerToken {
        BearerToken(
            bytes: SecretBytes("secret"),
            BearerToken.Properties(
                fingerprint: "0",
                issuedAt: now.wall,
                expiresAt: now.wall + 3300,
                sentAt: now,
                left: .seconds(3300),
                lifetime: .seconds(3300)
            )
        )
    }

    /// Advances the monotonic clock, which stops during suspensions, by one minute, and the boot clock, which does not,
    /// by two hours and one minute.
    private static func sleepTwoHours() throws {
        let newTimeNamespace: Int32 = 0x80  // CLONE_NEWTIME of linux/sched.h
        // Swift does not import these two functions.
        typealias Unshare = @convention(c) (Int32) -> Int32
        typealias SetNamespace = @convention(c) (Int32, Int32) -> Int32
        guard let unshare = unsafe dlsym(nil, "unshare"), let setns = unsafe dlsym(nil, "setns") else {
            throw Failure.refused("dlsym", ENOSYS)
        }
        let leave = unsafe unsafeBitCast(unshare, to: Unshare.self)
        let enter = unsafe unsafeBitCast(setns, to: SetNamespace.self)
        guard leave(newTimeNamespace) == 0 else { throw Failure.refused("unshare", errno) }
        let offsets = unsafe open("/proc/self/timens_offsets", O_WRONLY)
        guard offsets >= 0 else { throw Failure.refused("open", errno) }
        defer { close(offsets) }
        let shift = Array("monotonic 60 0\nboottime 7260 0\n".utf8)
        guard unsafe write(offsets, shift, shift.count) == shift.count else { throw Failure.refused("write", errno) }
        let namespace = unsafe open("/proc/self/ns/time_for_children", O_RDONLY)
        guard namespace >= 0 else { throw Failure.refused("open", errno) }
        defer { close(namespace) }
        guard enter(namespace, newTimeNamespace) == 0 else { throw Failure.refused("setns", errno) }
    }
}
#endif
