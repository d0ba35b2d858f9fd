import Failures
import FleetTokens
import FleetWire
import Testing
import TripFeed
import TripTestSupport
import TripText

/// The table of failures, as far as the compiler does not check it.
@Suite("Table of failures", .ends(within: .minutes(10)))
struct FailureTableTests {
    @Test(arguments: FailureCode.allCases)
    func `every row names texts of the catalogue`(_ code: FailureCode) {
        let texts = code.row.texts
        let keys = [
            texts.short, texts.what, texts.advice, texts.whatIfSaid, texts.listing, texts.listingAdvice,
            code.row.afterAnswer?.what, code.row.afterAnswer?.advice,
        ]
        for key in keys.compactMap(\.self) { #expect(StringKey(rawValue: key) != nil, "\(key)") }
    }

    @Test func `the name for programs is in snake case, and only rows of one name have different sentences`() {
        for code in FailureCode.allCases {
            #expect(code.name.wholeMatch(of: /[a-z0-9]+(_[a-z0-9]+)*/) != nil, "\(code.name)")
        }
    }

    @Test func `a failure of the provider has the exit status and the party of its cause`() {
        let source = TokenError.unavailable(.sourceStatus(401, retryAfter: nil), retryAfter: .seconds(1)).failure
        #expect(source.exitStatus == .notPermitted && source.party == .commandLine)
        #expect(source.path == "unavailable.status_401")
        let fault = TokenError.unusable(.tokenIssuedInFuture(by: .seconds(90)), retryAfter: .seconds(1)).failure
        #expect(fault.exitStatus == .notPermitted && fault.party == .endpointClock)
        #expect(fault.path == "unusable.issued_in_future" && fault.has(.mayBeOld))
    }

    @Test(arguments: [
        (200, FailureCode.otherStatus), (304, .notModified), (400, .badRequest), (401, .unauthorized),
        (403, .forbidden), (404, .notFound), (408, .serviceUnavailable), (409, .otherStatus), (429, .quotaExceeded),
        (500, .serviceUnavailable), (501, .otherStatus), (504, .deadlineExceeded), (599, .serviceUnavailable),
    ])
    func `an answer of the service has the row of its status`(_ example: (status: Int, code: FailureCode)) {
        // A 404 without a message is about the trip if its status says so.
        let status = example.status == 404 ? "NOT_FOUND" : "SOME_STATUS"
        let error = ServiceAnswer(httpStatus: example.status, status: status)
        #expect(Failure.service(error, retryAfter: nil).code == example.code)
    }
}
