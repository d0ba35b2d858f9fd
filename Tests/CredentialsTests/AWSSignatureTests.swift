import Failures
import FleetTokens
import Foundation
import Testing
import TripTestSupport

@testable import Credentials

@Suite("Signed requests to Amazon", .ends(within: .quickTest))
struct AWSSignatureTests {
    /// The signature was computed with `google.auth.aws.RequestSigner` of Google's Python library.
    @Test func `the signature is that of Google's library`() throws {
        let signer = AWSRequestSigner(
            keys: AWSSource.Keys(
                id: "AKIDEXAMPLE",
                secret: SecretBytes("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
                session: SecretBytes("session-token")
            ),
            region: "us-east-2",
            now: Date(timeIntervalSince1970: 1_767_225_600)
        )
        let url = "https://sts.us-east-2.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15"
        let headers = signer.headers(of: try #require(URLOrigin(url)), url: url, target: "//iam.googleapis.com/a")
        #expect(
            headers.first { $0.name == "Authorization" }?.value
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-2/sts/aws4_request, "
                + "SignedHeaders=host;x-amz-date;x-amz-security-token;x-goog-cloud-target-resource, "
                + "Signature=2590eda1d63dc990e9cfabfad1c0760203f41668620db34e9914e36badd5f565"
        )
        #expect(headers.first { $0.name == "x-amz-date" }?.value == "20260101T000000Z")
    }
}
