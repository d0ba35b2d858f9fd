import Failures
import NIOSSL
import Testing
import TransportLive
import TripTestSupport

/// The servers that get the bearer token: those with TLS 1.2 or later and a certificate that is hard to forge.
@Suite("Insecure servers", .ends(within: .longTest))
struct CertificateTests {
    /// The error of a request to a server.
    ///
    /// Checks that the server received the request only if there was no error.
    private func refusal(
        _ identity: TestIdentity,
        offering protocols: [String] = ["h2", "http/1.1"],
        versions: (least: TLSVersion, most: TLSVersion) = (.tlsv12, .tlsv13)
    ) async throws -> Failure? {
        try await SecureServer.run(offering: protocols, identity: identity, versions: versions) { server in
            let error = try await withLiveHTTPTransport(trusting: [server.certificate]) {
                transport -> Failure? in
                let request = HTTPTransportRequest(
                    url: "https://localhost:\(server.port)/",
                    headers: [("authorization", "Bearer secret")],
                    timeout: .testTimeout
                )
                do throws(Failure) {
                    _ = try await transport.send(request)
                    return nil
                } catch {
                    // A second request, because the connection was closed for the first one.
                    _ = try? await transport.send(request)
                    return error
                }
            }
            #expect(server.requests == (error == nil ? 1 : 0))
            return error
        }
    }

    @Test(arguments: [TLSVersion.tlsv1, .tlsv11])
    func `sends no request to a server without TLS 1.2`(version: TLSVersion) async throws {
        let error = try await refusal(.rsa(bits: 2048), versions: (version, version))
        #expect(error == .tls(reason: "the server has no TLS 1.2 or later"))
    }

    @Test(arguments: [TLSVersion.tlsv12, .tlsv13])
    func `sends a request to a server with TLS 1.2 or 1.3`(version: TLSVersion) async throws {
        let error = try await refusal(.p256(), versions: (version, version))
        #expect(error == nil)
    }

    @Test(arguments: [["h2"], ["http/1.1"]])
    func `refuses an RSA key with less than 2048 bits`(protocols: [String]) async throws {
        let error = try await refusal(.rsa(bits: 1024), offering: protocols)
        #expect(error == .tls(reason: "the certificate's RSA key has only 1024 of 2048 bits"))
        let strong = try await refusal(.rsa(bits: 2048), offering: protocols)
        #expect(strong == nil)
    }

    @Test(arguments: [
        (["*"], "localhost"), (["*."], "localhost"), (["local*"], "localhost"), (["localhost", "*"], "localhost"),
        ([], "*"),
    ])
    func `refuses a wildcard for any host`(names: [String], commonName: String) async throws {
        for protocols in [["h2"], ["http/1.1"]] {
            let error = try await refusal(.p256(names: names, commonName: commonName), offering: protocols)
            #expect(error == .tls(reason: "the certificate is for any host (*)"))
        }
    }

    @Test(arguments: [["other.example"], []])
    func `refuses a certificate for the address of a host whose name it lacks`(names: [String]) async throws {
        for protocols in [["h2"], ["http/1.1"]] {
            let error = try await refusal(.p256(names: names, hasAddress: true), offering: protocols)
            let others = names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
            #expect(error == .tls(reason: "the certificate is for another host\(others)"))
        }
        let good = try await refusal(.p256(names: names + ["localhost"], hasAddress: true))
        #expect(good == nil)
    }

    @Test(arguments: [
        ("a.example", "A.Example.", true), ("*.example", "a.example", true), ("f*o.example", "foo.example", true),
        ("*.example", "a.b.example", false), ("*.example", "example", false), ("a.*", "a.example", false),
        ("f*fo.example", "fo.example", false), ("*a*.example", "bab.example", false), ("a.example", "b.example", false),
        ("", "a.example", false),
    ])
    func `a name of a certificate fits a host name label by label`(name: String, host: String, fits: Bool) {
        #expect(CertificateRules.isMatch(name, host) == fits)
    }

    @Test func `accepts a wildcard within a domain and the common name of the subject`() async throws {
        #expect(try await refusal(.p256(names: ["localhost", "*.internal.example"])) == nil)
        #expect(try await refusal(.p256(names: [])) == nil)
    }
}
