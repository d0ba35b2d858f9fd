import Failures
import Testing
import TripTestSupport

/// The reasons with which Google's services explain a refusal.
@Suite("Reasons of Google's services", .ends(within: .quickTest))
struct ErrorReasonTests {
    /// The values of `google.api.ErrorReason` in google/api/error_reason.proto, without the unspecified one.
    private static let published = """
        SERVICE_DISABLED BILLING_DISABLED API_KEY_INVALID API_KEY_SERVICE_BLOCKED API_KEY_HTTP_REFERRER_BLOCKED
        API_KEY_IP_ADDRESS_BLOCKED API_KEY_ANDROID_APP_BLOCKED API_KEY_IOS_APP_BLOCKED RATE_LIMIT_EXCEEDED
        RESOURCE_QUOTA_EXCEEDED LOCATION_TAX_POLICY_VIOLATED USER_PROJECT_DENIED CONSUMER_SUSPENDED CONSUMER_INVALID
        SECURITY_POLICY_VIOLATED ACCESS_TOKEN_EXPIRED ACCESS_TOKEN_SCOPE_INSUFFICIENT ACCOUNT_STATE_INVALID
        ACCESS_TOKEN_TYPE_UNSUPPORTED CREDENTIALS_MISSING RESOURCE_PROJECT_INVALID SESSION_COOKIE_INVALID
        USER_BLOCKED_BY_ADMIN RESOURCE_USAGE_RESTRICTION_VIOLATED SYSTEM_PARAMETER_UNSUPPORTED
        ORG_RESTRICTION_VIOLATION ORG_RESTRICTION_HEADER_INVALID SERVICE_NOT_VISIBLE GCP_SUSPENDED
        LOCATION_POLICY_VIOLATED MISSING_ORIGIN OVERLOADED_CREDENTIALS LOCATION_ORG_POLICY_VIOLATED
        TLS_ORG_POLICY_VIOLATED EMULATOR_QUOTA_EXCEEDED CREDENTIAL_ANDROID_APP_INVALID IAM_PERMISSION_DENIED
        JWT_TOKEN_INVALID CREDENTIAL_TYPE_UNSUPPORTED ACCOUNT_TYPE_UNSUPPORTED ENDPOINT_USAGE_RESTRICTION_VIOLATED
        TLS_CIPHER_RESTRICTION_VIOLATED MCP_SERVER_DISABLED
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    @Test func `every published reason is known, and no other one`() {
        #expect(Set(ErrorReason.allCases.map(\.rawValue)) == Set(Self.published))
    }

    @Test(arguments: published)
    func `a refusal whose reason the service names is blamed on the party of the reason alone`(name: String) throws {
        let reason = try #require(ErrorReason(rawValue: name))
        for (code, status) in [(FailureCode.unauthorized, 401), (.forbidden, 403), (.badRequest, 400)] {
            var answer = ServiceAnswer(httpStatus: status, status: "PERMISSION_DENIED", message: "Refused.")
            answer.reasons = [name]
            let suspects = Diagnosis(Failure(code, answer: answer, retryAfter: nil)).suspects
            #expect(suspects.map(\.party) == [reason.party], "\(code) \(suspects)")
            #expect(suspects.first?.clue == .reasonNamed)
        }
    }

    @Test func `a reason of another list supports no party`() {
        var answer = ServiceAnswer(httpStatus: 403, status: "PERMISSION_DENIED")
        answer.reasons = ["SOMETHING_NEW"]
        #expect(answer.errorReason == nil && answer.projectProblem == nil)
        let suspects = Diagnosis(Failure(.forbidden, answer: answer, retryAfter: nil)).suspects
        #expect(suspects.allSatisfy { $0.clue != .reasonNamed })
    }
}
