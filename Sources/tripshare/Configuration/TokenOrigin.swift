import Failures
import FleetTokens
import Foundation
import Runtime
import TokenSigning
import TripModel
import TripText

/// A validated token origin, from which a source is created once there is a transport and a clock.
enum TokenOrigin: Sendable {
    case endpoint(TokenURLTemplate, TokenMethod, TokenBodyTemplate?, [SecretHeader], announced: AnnouncedEndpoint?)
    case command([String])
    case file(String)
    case variable(String)
    case key(ServiceAccountKey)
    case credentials(CredentialOrigin)

    /// Uses the origin in the flags, else the endpoint of a ready file, else the configured one.
    ///
    /// Throws a ``CommandFailure``.
    init(
        _ options: TokenSourceOptions,
        announced: AnnouncedEndpoint?,
        configured: ConfiguredEndpoint?,
        iamURL: String?,
        allowPlainHTTP: Bool,
        isForServer: Bool = false
    ) async throws {
        if let command = options.tokenCommand {
            self = .command(try Self.words(command))
        } else if let file = options.tokenFile {
            self = .file(file)
        } else if let variable = options.tokenEnv {
            self = .variable(variable)
        } else if let path = options.serviceAccount {
            self = .key(try await Self.key(path))
        } else if let credentials = options.credentials {
            self = .credentials(
                try await CredentialOrigin(
                    credentials,
                    options,
                    iamURL: iamURL,
                    allowPlainHTTP: allowPlainHTTP
                )
            )
        } else if let url = options.tokenUrl ?? announced?.url ?? configured?.url {
            let template = try Self.template(url, allowPlainHTTP: allowPlainHTTP)
            let body = try options.tokenBody.map(Self.body)
            if !isForServer, template.isFixed, body?.isFixed != false {
                Printing.warning(.warningFixedTokenURL)
            }
            var headers: [SecretHeader] = []
            for flag in options.tokenHeader { headers.append(try SecretHeader(flag: flag)) }
            // The headers of the settings are for the endpoint of the settings.
            if options.tokenUrl == nil, announced == nil { headers = headers.adding(configured?.headers ?? []) }
            for case .file(let path) in headers.map(\.origin) {
                InputFile.warnIfOpen(path) { .warningHeaderFileOpen(file: $0, path: $1) }
            }
            self = .endpoint(
                template,
                options.tokenMethod ?? (body == nil ? .get : .post),
                body,
                headers,
                // The ready file's secret is sent to its own URL only.
                announced: options.tokenUrl == nil ? announced : nil
            )
        } else {
            guard !isForServer else {
                throw CommandFailure(
                    .usage,
                    .failureNoServerToken(flag: "--token-url", account: "--service-account")
                )
            }
            throw CommandFailure(.usage, .failureNoTokenSource)
        }
    }

    /// The name of the origin.
    var name: Text {
        switch self {
        case .endpoint: .sourceEndpoint
        case .command: .sourceCommand
        case .file: .sourceFile
        case .variable: .sourceEnvironment
        case .key: .sourceKey
        case .credentials: .sourceCredentials
        }
    }

    /// The project that is charged for calls with an access token; `nil` for the credential's project.
    var quotaProject: String? {
        if case .credentials(let credentials) = self { credentials.chargedProject } else { nil }
    }

    /// Whether it also gives tokens for servers.
    var isForServers: Bool {
        switch self {
        case .key, .credentials: true
        case .endpoint, .command, .file, .variable: false
        }
    }

    /// The endpoint of a ready file, if the tokens come from it.
    var announced: AnnouncedEndpoint? {
        if case .endpoint(_, _, _, _, let announced) = self { announced } else { nil }
    }

    /// Creates the token source.
    func source(transport: HTTPTransport, clock: any TripClock, format: TokenAnswerFormat) -> any TokenSource {
        let environment = ProcessContext.current.environment
        switch self {
        case .endpoint(let template, let method, let body, let headers, let announced):
            let reading = HTTPTokenSource.reading(headers, environment: environment)
            return HTTPTokenSource(
                template: template,
                transport: transport,
                method: method.rawValue,
                body: body,
                format: format,
                headers: { () throws(Failure) in try reading() + (announced?.headers ?? []) }
            )
        case .command(let words):
            return CommandTokenSource(arguments: words, environment: environment, format: format)
        case .file(let path): return FileTokenSource(path: path, format: format)
        case .variable(let name):
            return EnvironmentTokenSource(variable: name, environment: { environment }, format: format)
        case .key(let key): return ServiceAccountTokenSource(key: key, clock: clock)
        case .credentials(let credentials): return credentials.source(transport: transport, clock: clock)
        }
    }

    private static func body(_ text: String) throws(CommandFailure) -> TokenBodyTemplate {
        guard let body = TokenBodyTemplate(text) else {
            throw CommandFailure(.usage, .failureTokenBody)
        }
        return body
    }

    /// Splits the command of an option into words.
    static func words(_ command: String, of option: String = "--token-command") throws(CommandFailure) -> [String] {
        do throws(ArgumentVector.Problem) {
            return try ArgumentVector(parsing: command).words
        } catch {
            switch error {
            case .empty: throw CommandFailure(.usage, .failureCommandEmpty(option: option))
            case .openQuote(let mark, let column):
                throw CommandFailure(
                    .usage,
                    .failureCommandQuote(option: option, mark: "\(mark)", column: "\(column)")
                )
            case .trailingBackslash:
                throw CommandFailure(.usage, .failureCommandBackslash(option: option))
            }
        }
    }

    static func template(_ url: String, allowPlainHTTP: Bool) throws -> TokenURLTemplate {
        do {
            return try TokenURLTemplate(url, allowsPlainHTTP: allowPlainHTTP)
        } catch {
            guard error.code != .sourceInsecureURL else {
                throw CommandFailure(.badConfiguration, .failureTokenURLInsecure)
            }
            throw CommandFailure(.badConfiguration, .failureTokenURL(url: excerpt(url.asShownURL)))
        }
    }

    /// Reads the key in a service account file; throws a ``CommandFailure``.
    static func key(_ path: String) async throws -> ServiceAccountKey {
        let data = try InputFile.data(
            path,
            limit: InputFile.maximumBytes,
            what: .nounKeyFile,
            advice: .adviceKeyFile
        )
        let key: ServiceAccountKey
        do {
            key = try await ServiceAccountKey(json: [UInt8](data))
        } catch {
            throw CommandFailure(.badConfiguration) {
                $0(
                    .failureServiceAccount(file: excerpt(path: path), reason: UserMessage(error, localizer: $0).what)
                )
            }
        }
        InputFile.warnIfOpen(path) { .warningKeyFileOpen(file: $0, path: $1) }
        return key
    }
}
