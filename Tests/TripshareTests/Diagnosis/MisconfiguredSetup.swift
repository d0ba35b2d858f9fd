import CryptoExtras
import FleetEmulator
import FleetTokens
import Foundation
import TripTestSupport

/// The servers of one entry, each on its own port, and the arguments for them.
struct MisconfiguredSetup: Sendable {
    /// The keys of the service account and of another account.
    ///
    /// Created once, because that takes some tenths of a second.
    struct Keys: Sendable {
        let account: _RSA.Signing.PrivateKey
        let second: _RSA.Signing.PrivateKey
        let stranger: _RSA.Signing.PrivateKey
        /// The answer of the certificates' host.
        let published: String

        init() throws {
            account = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            second = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            stranger = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let certificates = [
                "key-1": try AccountCertificate.make(privateKeyPEM: account.pemRepresentation, name: "key-1"),
                "key-2": try AccountCertificate.make(privateKeyPEM: second.pemRepresentation, name: "key-2"),
            ]
            published = String(decoding: try JSONEncoder().encode(certificates), as: UTF8.self)
        }
    }

    let entry: Misconfiguration
    let keys: Keys
    let endpointPort: Int
    let enginePort: Int
    let certificatesPort: Int

    /// Runs the servers while the body runs.
    static func run(
        _ entry: Misconfiguration,
        keys: Keys,
        body: (MisconfiguredSetup) async throws -> Void
    ) async throws {
        func serve(
            _ answer: Misconfiguration.Answer?,
            localizer: @escaping @Sendable (String) -> String,
            body: (Int) async throws -> Void
        ) async throws {
            switch answer?.behaviour {
            case .refuse: try await RefusedPort.run { try await body($0) }
            case .hangUp: try await CannedServer.run(.hangUp) { try await body($0.port) }
            case .garbage: try await CannedServer.run(.send("SSH-2.0-OpenSSH_9.6\r\n")) { try await body($0.port) }
            case nil: try await CannedServer.run(.answer(localizer)) { try await body($0.port) }
            }
        }
        try await serve(entry.endpoint) { _ in
            endpoint(entry, keys)
        } body: { endpointPort in
            try await serve(entry.engine) {
                engine(entry, $0)
            } body: { enginePort in
                try await serve(entry.certificates) { _ in
                    certificates(entry, keys)
                } body: { certificatesPort in
                    try await body(
                        MisconfiguredSetup(
                            entry: entry,
                            keys: keys,
                            endpointPort: endpointPort,
                            enginePort: enginePort,
                            certificatesPort: certificatesPort
                        )
                    )
                }
            }
        }
    }

    // MARK: Arguments

    /// The flags for the token source.
    func source(in folder: URL) throws -> [String] {
        switch entry.source ?? .url {
        case .url:
            let origin = "http://127.0.0.1:\(endpointPort)"
            return ["--token-url", entry.path.map { $0.hasPrefix("http") ? $0 : origin + $0 } ?? origin + "/{tripId}"]
        case .file:
            let file = folder.appendingPathComponent("token.txt")
            if let body = entry.endpoint?.body { try Data(filled(body).utf8).write(to: file) }
            return ["--token-file", file.path]
        case .env: return ["--token-env", "THE_TOKEN"]
        case .command: return ["--token-command", entry.endpoint?.body ?? "/bin/false"]
        }
    }

    /// The flags for the service.
    var service: [String] {
        ["--provider-id", "p", "--fleet-engine-url", "http://127.0.0.1:\(enginePort)"]
    }

    /// The flag for the certificates.
    var certificates: [String] {
        ["--certificates-url", "http://127.0.0.1:\(certificatesPort)/service_accounts/v1/metadata/x509/{email}"]
    }

    /// The token as the endpoint sends it.
    var token: String { Self.token(entry, keys, now: .now) }

    private func filled(_ body: String) -> String { Self.filled(body, entry, keys) }

    // MARK: Answers

    private static func endpoint(_ entry: Misconfiguration, _ keys: Keys) -> String {
        let body = filled(entry.endpoint?.body ?? #"{"jwt":"{token}"}"#, entry, keys)
        return response(entry.endpoint, status: 200, body: body)
    }

    private static func engine(_ entry: Misconfiguration, _ request: String) -> String {
        let hasToken = request.lowercased().contains("\nauthorization: bearer ")
        guard hasToken || entry.engine?.headers != nil else {
            let body = #"{"error":{"code":401,"status":"UNAUTHENTICATED","message":"No token."}}"#
            var answer = Misconfiguration.Answer()
            answer.clock = entry.engine?.clock
            return response(answer, status: 401, body: body)
        }
        let time = Date.now.addingTimeInterval(entry.engine?.clock ?? 0).formatted(.iso8601)
        let trip = """
            {"name":"providers/p/trips/t","tripStatus":"ENROUTE_TO_PICKUP","vehicleId":"v","lastLocation":{"location":\
            {"latitude":1,"longitude":1},"updateTime":"\(time)","serverTime":"\(time)"}}
            """
        return response(entry.engine, status: 200, body: entry.engine?.body ?? trip)
    }

    private static func certificates(_ entry: Misconfiguration, _ keys: Keys) -> String {
        response(entry.certificates, status: 200, body: entry.certificates?.body ?? keys.published)
    }

    private static func response(_ answer: Misconfiguration.Answer?, status: Int, body: String) -> String {
        var headers = ["Content-Type": "application/json", "Connection": "close"]
        headers["Content-Length"] = "\(body.utf8.count)"
        if answer?.date != false { headers["Date"] = date(Date.now.addingTimeInterval(answer?.clock ?? 0)) }
        headers.merge(answer?.headers ?? [:]) { $1 }
        let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
        return "HTTP/1.1 \(answer?.status ?? status) Status\r\n\(lines)\r\n\(body)"
    }

    private static func date(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: date)
    }

    private static func filled(_ body: String, _ entry: Misconfiguration, _ keys: Keys) -> String {
        let now = Date.now.addingTimeInterval(entry.endpoint?.clock ?? 0)
        let text = body.replacing(/\{(seconds|milliseconds) (-?\d+)\}/) { match in
            let seconds = Int(now.timeIntervalSince1970) + (Int(match.2) ?? 0)
            return "\(match.1 == "seconds" ? seconds : seconds * 1000)"
        }
        return text.contains("{token}") ? text.replacing("{token}", with: token(entry, keys, now: now)) : text
    }

    // MARK: Tokens

    private static func token(_ entry: Misconfiguration, _ keys: Keys, now: Date) -> String {
        let account = "app@p.iam.gserviceaccount.com"
        var header: [String: Any] = ["alg": "RS256", "typ": "JWT", "kid": "key-1"]
        let issued = Int(now.timeIntervalSince1970) - 10
        var claims: [String: Any] = [
            "iss": account, "sub": account, "aud": TokenExpectations.fleetEngineAudience, "iat": issued,
            "exp": issued + 3300, "authorization": ["tripid": "t"],
        ]
        func change(_ object: inout [String: Any], _ changes: [String: JSONNode]?) {
            for (name, node) in changes ?? [:] {
                if case .null = node { object[name] = nil } else { object[name] = node.value(now: now) }
            }
        }
        change(&header, entry.token?.header)
        change(&claims, entry.token?.claims)
        let signed = [header, claims].map { Base64URL.encode(json($0)) }.joined(separator: ".")
        let signature = signature(of: signed, entry.token?.signer ?? .account, keys)
        let token = "\(signed).\(Base64URL.encode(signature))"
        return entry.token?.text?.replacing("{token}", with: token) ?? token
    }

    private static func json(_ object: [String: Any]) -> [UInt8] {
        // Strings, numbers and lists can always be encoded as JSON.
        (try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes]))
            .map(Array.init) ?? []
    }

    private static func signature(
        of text: String,
        _ signer: Misconfiguration.Token.Signer,
        _ keys: Keys
    ) -> [UInt8] {
        let key =
            switch signer {
            case .account: keys.account
            case .second: keys.second
            case .stranger: keys.stranger
            case .none: nil as _RSA.Signing.PrivateKey?
            }
        // A key that was created here can sign.
        let signature = try? key?.signature(for: Data(text.utf8), padding: .insecurePKCS1v1_5)
        return signature.map { Array($0.rawRepresentation) } ?? []
    }
}
