package import Foundation
import Runtime

import enum CryptoExtras._RSA

/// The credential endpoints of a running emulator, and the credential files for them.
package struct EmulatedCredentials: Sendable {
    /// Host and port of the endpoints.
    package let metadataHost: String
    let project: CredentialProject

    /// The base URL of IAM Service Account Credentials: `/v1/projects/-/serviceAccounts/…` follows.
    package var iamURL: String { "http://\(metadataHost)" }
    /// The URL of the OAuth token endpoint.
    package var oauthTokenURL: String { iamURL + OAuthEndpoint.path }
    /// The URL of the security token service.
    package var stsURL: String { iamURL + TokenExchange.path }
    /// The lifetime of a subject token in the emulator's time.
    package static var subjectLifetime: Duration { SubjectTokens.lifetime }

    /// Returns the credential files that stay the same as long as the emulator runs.
    ///
    /// - Parameter folder: The absolute path of the folder for them, because some name others.
    /// - Returns: The files.
    package func files(in folder: String) -> [CredentialFile] {
        var files: [CredentialFile] = []
        func add(_ name: String, _ members: [(String, JSONValue)]) {
            files.append(CredentialFile(name: name, bytes: Self.text(members)))
        }
        for role in [Caller.Role.consumer, .driver, .server, .ondemandAdmin] {
            let suffix = role == .ondemandAdmin ? "" : "_\(role.rawValue)"
            if let account = account(role) { add("service_account\(suffix).json", account) }
        }
        add("authorized_user.json", authorizedUser + [("quota_project_id", .string(project.id))])
        add(
            "impersonated_service_account.json",
            [
                ("type", .string("impersonated_service_account")),
                ("service_account_impersonation_url", .string(impersonationURL)),
                ("source_credentials", Self.object(authorizedUser)),
                ("delegates", .array([])),
                ("quota_project_id", .string(project.id)),
            ]
        )
        add(
            "external_account_file.json",
            external(IdentityPool.tokens, [("file", .string("\(folder)/\(CredentialFile.subjectToken)"))])
        )
        add("external_account_url.json", external(IdentityPool.tokens, urlSource))
        let command = "/bin/sh \(Self.quoted("\(folder)/\(CredentialFile.script)"))"
        add(
            "external_account_executable.json",
            external(
                IdentityPool.tokens,
                [
                    (
                        "executable",
                        Self.object([("command", .string(command)), ("timeout_millis", .number(10_000))])
                    )
                ]
            )
        )
        add("external_account_aws.json", external(IdentityPool.aws, awsSource))
        add("external_account_authorized_user.json", workforceUser)
        let answer = Self.quoted("\(folder)/\(CredentialFile.subjectAnswer)")
        let script = "#!/bin/sh\n\(CredentialFile.scriptMark)\nexec cat \(answer)\n"
        files.append(CredentialFile(name: CredentialFile.script, bytes: Array(script.utf8)))
        return files
    }

    /// Returns the files with a new subject token.
    package func subjectFiles(at now: Date) async throws -> [CredentialFile] {
        let token = try await project.subjects.issue(at: now)
        let answer = Self.text([
            ("version", .number(1)), ("success", .bool(true)), ("token_type", .string(Self.idToken)),
            ("id_token", .string(token.text)),
            ("expiration_time", .number(token.expires.timeIntervalSince1970)),
        ])
        return [
            CredentialFile(name: CredentialFile.subjectToken, bytes: Array(token.text.utf8)),
            CredentialFile(name: CredentialFile.subjectAnswer, bytes: answer),
        ]
    }

    // MARK: The types of credentials

    /// The key of a service account; `nil` for one that the user has given and has in a file.
    private func account(_ role: Caller.Role) -> [(String, JSONValue)]? {
        guard let (id, key) = project.accounts.generatedKey(of: role) else { return nil }
        let email = project.accounts.address(of: role)
        return [
            ("type", .string("service_account")), ("project_id", .string(project.id)), ("private_key_id", .string(id)),
            ("private_key", .string(key.pkcs8PEMRepresentation)), ("client_email", .string(email)),
            ("client_id", .string(project.accounts.uniqueID(of: role))), ("token_uri", .string(oauthTokenURL)),
            ("client_x509_cert_url", .string(iamURL + CertificateEndpoint.path + "/" + PercentEncoding.encode(email))),
            ("universe_domain", .string("googleapis.com")),
        ]
    }

    private var authorizedUser: [(String, JSONValue)] {
        [
            ("type", .string("authorized_user")), ("account", .string(CredentialProject.userAddress)),
            ("client_id", .string(project.user.clientID)), ("client_secret", .string(project.user.clientSecret)),
            ("refresh_token", .string(project.user.refreshToken)), ("token_uri", .string(oauthTokenURL)),
            ("universe_domain", .string("googleapis.com")),
        ]
    }

    private var workforceUser: [(String, JSONValue)] {
        let login = project.workforceUser
        return [
            ("type", .string("external_account_authorized_user")), ("audience", .string(IdentityPool.workforce)),
            ("client_id", .string(login.clientID)), ("client_secret", .string(login.clientSecret)),
            ("refresh_token", .string(login.refreshToken)),
            ("token_url", .string(iamURL + OAuthEndpoint.workforcePath)), ("quota_project_id", .string(project.id)),
            ("universe_domain", .string("googleapis.com")),
        ]
    }

    private var impersonationURL: String {
        let email = project.accounts.address(of: .ondemandAdmin)
        return "\(iamURL)/v1/projects/-/serviceAccounts/\(email):generateAccessToken"
    }

    private func external(_ audience: String, _ source: [(String, JSONValue)]) -> [(String, JSONValue)] {
        [
            ("type", .string("external_account")), ("audience", .string(audience)),
            (
                "subject_token_type",
                .string(audience == IdentityPool.aws ? TokenExchange.awsType : Self.idToken)
            ),
            ("token_url", .string(stsURL)), ("service_account_impersonation_url", .string(impersonationURL)),
            ("credential_source", Self.object(source)), ("universe_domain", .string("googleapis.com")),
        ]
    }

    private static let idToken = "urn:ietf:params:oauth:token-type:id_token"

    private var urlSource: [(String, JSONValue)] {
        let header = SubjectSources.tokenHeader
        return [
            ("url", .string(iamURL + SubjectSources.tokenPath)),
            ("headers", Self.object([(header.name, .string(header.value))])),
            (
                "format",
                Self.object([("type", .string("json")), ("subject_token_field_name", .string("access_token"))])
            ),
        ]
    }

    private var awsSource: [(String, JSONValue)] {
        let metadata = iamURL + "/latest"
        return [
            ("environment_id", .string("aws1")),
            ("region_url", .string(metadata + "/meta-data/placement/availability-zone")),
            ("url", .string(metadata + "/meta-data/iam/security-credentials")),
            ("imdsv2_session_token_url", .string(metadata + "/api/token")),
            (
                "regional_cred_verification_url",
                .string("https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15")
            ),
        ]
    }

    // MARK: Texts

    private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { JSONValue.Member(key: $0.0, value: $0.1) })
    }

    /// Formats a file, with the mark of an emulator.
    private static func text(_ members: [(String, JSONValue)]) -> [UInt8] {
        let marked = object(members + [(CredentialFile.mark, .string("Valid only while this emulator runs."))])
        return JSONBytes.encode(marked) + Array("\n".utf8)
    }

    /// Quotes a path, if necessary, for a shell and for libraries that split a command as a shell does.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || "/._-".utf8.contains($0)
        }
        return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }
}
