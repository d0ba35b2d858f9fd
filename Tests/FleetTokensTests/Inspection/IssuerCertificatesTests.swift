import Failures
import FleetTokens
import Foundation
import Synchronization
import Testing
import TokenSigning
import TripModel
import TripTestSupport
import TripText

@Suite("Issuer certificates", .ends(within: .quickTest))
struct IssuerCertificatesTests {
    private final class Requests: Sendable {
        let urls = Mutex<[HTTPTransportRequest]>([])
        var all: [HTTPTransportRequest] { urls.withLock { $0 } }
    }

    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    /// A token of this issuer.
    private func token(_ issuer: String) throws -> String {
        let text = FakeToken(.trip(try TripID("t")), issuedAt: now - 60).text
        var parts = text.split(separator: ".").map(String.init)
        let payload = try #require(Base64URL.decode(parts[1].utf8))
        let changed = String(decoding: payload, as: UTF8.self).replacing("tester@example.com", with: issuer)
        parts[1] = Base64URL.encode(Array(changed.utf8))
        return parts.joined(separator: ".")
    }

    private func signature(
        _ issuer: String,
        url: String = IssuerCertificates.google,
        _ answer: @escaping @Sendable (HTTPTransportRequest) throws(Failure) -> HTTPTransportResponse
    ) async throws -> TokenFinding {
        let transport = HTTPTransport { request throws(Failure) in try answer(request) }
        let certificates = try IssuerCertificates(url, transport: transport)
        let checked = await TokenInspection.inspect(try token(issuer), .init(), now: now).checkingSignature(
            certificates
        )
        return try #require(checked.findings.first { $0.rule == .signature })
    }

    @Test func `requests only the percent-encoded address and never sends the token`() async throws {
        let requests = Requests()
        _ = try await signature("a/b?c#d@p.iam.gserviceaccount.com") { request throws(Failure) in
            requests.urls.withLock { $0.append(request) }
            return HTTPTransportResponse(status: 404)
        }
        let request = try #require(requests.all.first)
        #expect(requests.all.count == 1)
        #expect(
            request.url
                == "https://www.googleapis.com/service_accounts/v1/metadata/x509/a%2Fb%3Fc%23d%40p.iam.gserviceaccount.com"
        )
        #expect(request.method == "GET" && request.body.isEmpty)
        #expect(request.headers.map(\.name) == ["Accept"])
    }

    @Test(arguments: ["tester", "a@b@c.gserviceaccount.com", "@x", "x@example.com", "é@p.iam.gserviceaccount.com"])
    func `requests certificates from Google for service accounts only`(issuer: String) async throws {
        let requests = Requests()
        let finding = try await signature(issuer) { request throws(Failure) in
            requests.urls.withLock { $0.append(request) }
            return HTTPTransportResponse(status: 404)
        }
        #expect(requests.all.isEmpty)
        #expect(finding.verdict == .unchecked)
    }

    @Test(arguments: [nil, 302, 401, 403, 404, 500] as [Int?])
    func `a signature that can't be checked is not a fault`(status: Int?) async throws {
        let finding = try await signature("a@p.iam.gserviceaccount.com") { _ throws(Failure) in
            guard let status else { throw .unknownHost }
            return HTTPTransportResponse(status: status)
        }
        #expect(finding.verdict == .unchecked)
        #expect(finding.evidence.hasPrefix("The signature was not checked: www.googleapis.com "), "\(finding.evidence)")
    }

    @Test(arguments: [200, 404, 500])
    func `an inspection knows from where the certificates were requested`(status: Int) async throws {
        let url = "https://h.example/x/{email}"
        let transport = HTTPTransport { _ throws(Failure) in HTTPTransportResponse(status: status) }
        let inspection = TokenInspection.inspect(try token("a@p.example"), .init(), now: now)
        #expect(inspection.certificatesURL == nil)
        let certificates = try IssuerCertificates(url, transport: transport)
        #expect(await inspection.checkingSignature(certificates).certificatesURL == url)
    }

    @Test(arguments: ["", "[]", "{}", #"{"k":1}"#, #"{"k":"no certificate"}"#])
    func `an answer without certificates is not a fault`(body: String) async throws {
        let finding = try await signature("a@p.iam.gserviceaccount.com") { _ throws(Failure) in
            HTTPTransportResponse(status: 200, body: Array(body.utf8))
        }
        #expect(finding.verdict == .unchecked)
    }

    @Test func `requires a URL placeholder for the address outside the host, and refuses plain HTTP`() {
        func problem(_ url: String) -> Failure? {
            do throws(Failure) {
                _ = try IssuerCertificates(
                    url,
                    transport: HTTPTransport { _ throws(Failure) in throw .refused }
                )
                return nil
            } catch {
                return error
            }
        }
        #expect(problem("https://h/x/{email}") == nil)
        #expect(problem("http://127.0.0.1:1/{email}") == nil)
        #expect(problem("http://h/{email}") == .sourceInsecureURL)
        for url in ["https://h/", "https://{email}/x", "{email}", "https://h"] {
            #expect(problem(url) == .sourceInvalidURL)
        }
    }
}
