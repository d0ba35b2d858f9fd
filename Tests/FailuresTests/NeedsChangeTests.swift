import Failures
import Testing
import TripTestSupport

/// Of which failures it may be said that waiting does not help.
@Suite("Failures that need a change", .ends(within: .quickTest))
struct NeedsChangeTests {
    @Test(arguments: [
        Failure(.forbidden), Failure(.badRequest), Failure(.sourceLogin).with(.status, 401), Failure(.missingVariable),
        Failure(.sourceErrorAnswer),
    ])
    func `waiting does not help if no retry can succeed, unless the same settings worked before`(failure: Failure) {
        #expect(failure.needsChange)
        #expect(!failure.with(History(tokens: 1)).needsChange)
        #expect(!failure.with(History(hasAnswer: true)).needsChange)
    }

    @Test(arguments: [FailureCode.redirected, .sourceRedirected, .sourceStatus, .sourceMissingKey, .sourceNotJSON])
    func `waiting is not said to be useless if the cause is unknown`(code: FailureCode) {
        #expect(Diagnosis(Failure(code)).isUnknown && !Failure(code).needsChange)
    }

    /// Their exit codes are those of settings and permissions, too, but they are retried and may end by themselves.
    @Test(arguments: [
        FailureCode.webPage, .foreignNotFound, .methodNotFound, .unauthorized, .wrongPort, .commandFailed, .timedOut,
        .serviceUnavailable, .notFound,
    ])
    func `waiting may help if it is retried`(code: FailureCode) {
        #expect(!Failure(code).needsChange)
    }
}
