import Failures
import Testing
import TripTestSupport

/// Of which failures it may be said that waiting does not help.
@Suite("Failures that need a change", .ends(within: .minutes(10)))
struct NeedsChangeTests {
    @Test(arguments: [
        FailureCode.forbidden, .badRequest, .redirected, .sourceLogin, .missingVariable, .sourceMissingKey,
    ])
    func `waiting does not help if no retry can succeed, unless the same settings worked before`(code: FailureCode) {
        #expect(Failure(code).needsChange)
        #expect(!Failure(code).with(History(tokens: 1)).needsChange)
        #expect(!Failure(code).with(History(hasAnswer: true)).needsChange)
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
