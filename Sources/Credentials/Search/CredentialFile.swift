import Failures
import FleetTokens
import Foundation
import Runtime
import TokenSigning

/// The content of a credential file, read as JSON; its secrets are registered for redaction when they are read.
struct CredentialFile {
    private let value: JSONValue
    private let path: String
    private let allowsPlainHTTP: Bool

    /// Reads a file; throws what it is instead of a JSON object.
    init(_ bytes: [UInt8], path: String, allowsPlainHTTP: Bool) throws(Failure) {
        var bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        if let value = JSONValue(bytes), case .object = value {
            (self.value, self.path, self.allowsPlainHTTP) = (value, path, allowsPlainHTTP)
            return
        }
        let malformed = Failure(.credentialFileMalformed).with(.path, path)
        let form = Self.form(of: bytes)
        throw malformed.with(.namedReason, form).with(.reason, form == nil ? JSONBytes.syntaxProblem(in: bytes) : nil)
    }

    /// Reads an object in another file, whose name is a part of messages.
    private init(_ value: JSONValue, _ name: String, in file: CredentialFile) {
        (self.value, path, allowsPlainHTTP) = (value, "\(file.path): \(name)", file.allowsPlainHTTP)
    }

    /// Returns what a file is that is not a JSON object; `nil` for JSON with an error.
    private static func form(of bytes: [UInt8]) -> TextKey? {
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if text.isEmpty { return .credentialReasonEmpty }
        if text.hasPrefix("<") { return .credentialReasonPage }
        if let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters), data.first == UInt8(ascii: "{") {
            return .credentialReasonBase64
        }
        return JSONValue(bytes) == nil ? nil : .credentialReasonNoObject
    }

    /// The domain of Google's services.
    var universe: String { text("universe_domain") ?? FoundCredential.googleUniverse }

    /// Returns the credential that the file describes.
    func credential() async throws(Failure) -> Credential {
        switch text("type") {
        case "service_account": .serviceAccount(try await serviceAccount())
        case "authorized_user": .user(try user())
        case "impersonated_service_account": .impersonated(try await impersonated())
        case "external_account": .external(try external())
        case "external_account_authorized_user": .externalUser(try externalUser())
        case nil where value["installed"] != nil || value["web"] != nil:
            throw Failure(.credentialClientFile).with(.path, path)
        case let type: throw Failure(.credentialUnknownType).with(.path, path).with(.type, type ?? "")
        }
    }

    private func serviceAccount() async throws(Failure) -> ServiceAccountCredential {
        let (email, pem) = (try member("client_email"), try secret("private_key").text)
        let key: ServiceAccountKey
        do {
            key = try await ServiceAccountKey(
                email: email,
                keyID: text("private_key_id") ?? "",
                pem: Self.lines(of: pem)
            )
        } catch {
            let reason: TextKey =
                pem == text("private_key_id") || !pem.contains("-") && pem.count <= 64
                ? .credentialReasonKeyID
                : pem.contains("-----BEGIN") ? .credentialReasonNoRSA : .credentialReasonNoPEM
            throw Failure(.credentialBadKey).with(.path, path).with(.namedReason, reason)
        }
        let tokenURL = try url("token_uri", ifMissing: "https://oauth2.\(universe)/token")
        return ServiceAccountCredential(key: key, tokenURL: tokenURL, path: path)
    }

    /// Returns a key whose line breaks were escaped twice, as it happens in environment variables, with its line breaks.
    private static func lines(of pem: String) -> String { pem.replacing("\\n", with: "\n") }

    private func user() throws(Failure) -> UserCredential {
        UserCredential(
            clientID: try member("client_id"),
            clientSecret: try secret("client_secret"),
            refreshToken: try secret("refresh_token"),
            tokenURL: try url("token_uri", ifMissing: "https://oauth2.\(universe)/token"),
            account: text("account"),
            path: path
        )
    }

    private func externalUser() throws(Failure) -> ExternalUserCredential {
        ExternalUserCredential(
            clientID: try member("client_id"),
            clientSecret: try secret("client_secret"),
            refreshToken: try secret("refresh_token"),
            tokenURL: try url("token_url", ifMissing: "https://sts.\(universe)/v1/oauthtoken"),
            path: path
        )
    }

    private func impersonated() async throws(Failure) -> ImpersonatedCredential {
        guard let source = value["source_credentials"], case .object = source else {
            throw incomplete("source_credentials")
        }
        let (target, iamURL) = try impersonation()
        let nested = CredentialFile(source, "source_credentials", in: self)
        guard nested.text("type") != "impersonated_service_account" else {
            throw Failure(.credentialUnknownType).with(.path, nested.path).with(.type, "impersonated_service_account")
        }
        var delegates: [String] = []
        if case .array(let items)? = value["delegates"] { delegates = items.compactMap(\.string) }
        return ImpersonatedCredential(
            target: target,
            iamURL: iamURL,
            delegates: delegates,
            source: try await nested.credential()
        )
    }

    private func external() throws(Failure) -> ExternalCredential {
        let impersonation: ExternalCredential.Impersonation? =
            if text("service_account_impersonation_url") != nil {
                try {
                    () throws(Failure) in
                    let (target, iamURL) = try self.impersonation()
                    let lifetime = value["service_account_impersonation"]?["token_lifetime_seconds"]?.number ?? 3600
                    return .init(
                        target: target,
                        iamURL: iamURL,
                        lifetime: Int(clamped: lifetime.clamped(to: 600...43_200))
                    )
                }()
            } else {
                nil
            }
        let type = try member("subject_token_type")
        let client: (id: String, secret: SecretBytes)? =
            if let id = text("client_id") { (id, try secret("client_secret")) } else { nil }
        return ExternalCredential(
            audience: try member("audience"),
            subjectType: type,
            tokenURL: try url("token_url", ifMissing: "https://sts.\(universe)/v1/token"),
            subject: try subject(type),
            client: client,
            userProject: text("workforce_pool_user_project"),
            impersonation: impersonation
        )
    }

    private func subject(_ type: String) throws(Failure) -> SubjectSource {
        guard let source = value["credential_source"], case .object = source else {
            throw incomplete("credential_source")
        }
        let inner = CredentialFile(source, "credential_source", in: self)
        let format = SubjectFormat(
            isJSON: source["format"]?["type"]?.string == "json",
            field: source["format"]?["subject_token_field_name"]?.string
        )
        if type == "urn:ietf:params:aws:token-type:aws4_request" {
            return .aws(
                AWSSource(
                    regionURL: try inner.optionalURL("region_url"),
                    roleURL: try inner.optionalURL("url"),
                    sessionURL: try inner.optionalURL("imdsv2_session_token_url"),
                    verificationURL: try inner.member("regional_cred_verification_url")
                )
            )
        }
        if let executable = source["executable"] {
            let command = CredentialFile(executable, "executable", in: inner)
            let timeout = executable["timeout_millis"]?.number ?? 30_000
            return .executable(
                command: try command.member("command"),
                timeout: .milliseconds(Int(clamped: timeout.clamped(to: 5000...120_000))),
                outputFile: command.text("output_file")
            )
        }
        if let file = inner.text("file") { return .file(path: file, format) }
        var headers: [(name: String, value: String)] = []
        if case .object(let members)? = source["headers"] {
            headers = members.prefix(20).compactMap { member in member.value.string.map { (member.key, $0) } }
        }
        guard let url = try inner.optionalURL("url") else { throw incomplete("credential_source") }
        return .url(url, headers: headers, format)
    }

    /// Returns the account and the base URL in `service_account_impersonation_url`.
    private func impersonation() throws(Failure) -> (target: String, iamURL: String) {
        let key = "service_account_impersonation_url"
        let whole = try url(key, ifMissing: "")
        guard let start = whole.range(of: "/v1/projects/-/serviceAccounts/"), whole.hasSuffix(":generateAccessToken")
        else {
            throw incomplete(key)
        }
        let name = whole[start.upperBound...].dropLast(":generateAccessToken".count)
        guard let target = PercentEncoding.decode(name), !target.isEmpty, !target.contains("/") else {
            throw incomplete(key)
        }
        return (target, String(whole[..<start.lowerBound]))
    }

    // MARK: Members

    /// Returns a text; `nil` if the file has none.
    func text(_ key: String) -> String? { value[key]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    private func member(_ key: String) throws(Failure) -> String {
        guard let text = text(key) else { throw incomplete(key) }
        return text
    }

    private func secret(_ key: String) throws(Failure) -> SecretBytes {
        let secret = SecretBytes(try member(key))
        secret.becomeKnown()
        return secret
    }

    private func incomplete(_ key: String) -> Failure {
        Failure(.credentialIncomplete).with(.path, path).with(.key, key)
    }

    /// Returns an address to which secrets may be sent: https, or this machine.
    private func url(_ key: String, ifMissing standard: String) throws(Failure) -> String {
        let text = text(key) ?? standard
        guard !text.isEmpty else { throw incomplete(key) }
        guard let origin = URLOrigin(text), origin.isSecure || origin.isLoopback || allowsPlainHTTP else {
            throw Failure(.credentialInsecureURL).with(.path, path).with(.key, key)
        }
        return text
    }

    /// Returns the address of a source on this machine or in its cloud; `nil` if there is none.
    ///
    /// Metadata servers of clouds have fixed addresses, no TLS, and get no secret.
    private func optionalURL(_ key: String) throws(Failure) -> String? {
        guard let text = text(key) else { return nil }
        guard let origin = URLOrigin(text),
            origin.isSecure || origin.isLoopback || MetadataServer.cloudHosts.contains(origin.host) || allowsPlainHTTP
        else { throw Failure(.credentialInsecureURL).with(.path, path).with(.key, key) }
        return text
    }
}
