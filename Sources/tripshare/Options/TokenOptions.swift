public import ArgumentParser
public import FleetTokens
import Foundation
import HTTPTransport
import Sanitizing
import TripModel
import TripText

extension ExpiryUnit: ExpressibleByArgument {}

/// Options for reading a token endpoint's answer.
struct TokenAnswerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The key of the token in the endpoint's response, such as data.token (default: jwt).",
            valueName: "key"
        )
    )
    var tokenKey: String?

    @Option(help: ArgumentHelp("The key of the expiry in the response (default: the exp claim).", valueName: "key"))
    var tokenExpirationKey: String?

    @Option(help: ArgumentHelp("The unit of that expiry (default: absolute-milliseconds).", valueName: "unit"))
    var tokenExpirationUnit: ExpiryUnit?
}

extension TokenAnswerFormat {
    /// Combines the flags, the ready file of the emulator that answers, the settings and the defaults.
    ///
    /// The defaults are the keys of Google's sample backend. The order above is the order of precedence.
    init(
        _ options: TokenAnswerOptions,
        creationKey: String?,
        announced: AnnouncedEndpoint?,
        settings: Settings
    ) throws(CommandFailure) {
        let unit =
            options.tokenExpirationUnit ?? announced?.expirationUnit ?? settings.tokenExpirationUnit
            ?? .absoluteMilliseconds
        guard creationKey == nil || unit != .relativeSeconds else {
            throw CommandFailure(
                .usage,
                "--token-creation-key is for times, and with relative-seconds the answer has none.\n"
                    + "Leave it out: an end that counts from the answer needs no second time."
            )
        }
        self.init(
            tokenKey: options.tokenKey ?? announced?.tokenKey ?? settings.tokenKey ?? "jwt",
            expirationKey: options.tokenExpirationKey ?? announced?.expirationKey ?? settings.tokenExpirationKey,
            expirationUnit: unit,
            creationKey: creationKey
        )
    }
}

/// Options for the token source; at most one may be given.
struct TokenSourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "URL of the token endpoint; {tripId} is replaced by the percent-encoded ID. Without {tripId} the URL is used unchanged.",
            valueName: "url"
        )
    )
    var tokenUrl: String?

    @Option(help: ArgumentHelp("The HTTP method for the token endpoint (default: GET).", valueName: "method"))
    var tokenMethod: TokenMethod?

    @Option(
        help: ArgumentHelp(
            "A JSON body to POST to the token endpoint; {tripId} in its strings is replaced by the ID.",
            valueName: "json"
        )
    )
    var tokenBody: String?

    @Option(
        help: ArgumentHelp(
            "A header for the token endpoint with its value from a variable or file: Name=env:VARIABLE, Name=file:PATH.",
            valueName: "header"
        )
    )
    var tokenHeader: [String] = []

    @Option(
        help: ArgumentHelp(
            "The key of the issue time in the response, in the unit of the expiry; corrects for a different clock.",
            valueName: "key"
        )
    )
    var tokenCreationKey: String?

    @Option(
        help: ArgumentHelp(
            "Lifetime in seconds for tokens without an expiry; by default they are rejected.",
            valueName: "seconds"
        )
    )
    var assumeTokenLifetime: Double?

    @Option(
        help: ArgumentHelp(
            "A command that prints a token (shell quoting, but no shell); TRIPSHARE_TRIP_ID contains the ID.",
            valueName: "command"
        )
    )
    var tokenCommand: String?

    @Option(help: ArgumentHelp("A file that contains a token; read again for each fetch.", valueName: "file"))
    var tokenFile: String?

    @Option(help: ArgumentHelp("An environment variable that contains a token.", valueName: "variable"))
    var tokenEnv: String?

    @Option(help: ArgumentHelp("A service-account key file; tokens are signed locally.", valueName: "file"))
    var serviceAccount: String?

    func validate() throws {
        let named = [tokenUrl, tokenCommand, tokenFile, tokenEnv, serviceAccount].compactMap(\.self)
        guard named.count <= 1 else {
            throw ValidationError(
                "Tokens come from one place: name one of --token-url, --token-command, --token-file, --token-env, --service-account."
            )
        }
        if !named.isEmpty, tokenUrl == nil, tokenMethod != nil || tokenBody != nil || !tokenHeader.isEmpty {
            throw ValidationError(
                "--token-method, --token-body and --token-header are for a token endpoint, and the tokens come from elsewhere."
            )
        }
        if tokenBody != nil, tokenMethod == .get {
            throw ValidationError("--token-body is sent by POST: leave out --token-method, or name POST.")
        }
        if let assumeTokenLifetime, !(assumeTokenLifetime >= 1 && assumeTokenLifetime <= 3600) {
            throw ValidationError(
                "--assume-token-lifetime takes 1 to 3600 seconds: Fleet Engine's tokens live an hour at most."
            )
        }
    }

    /// The standard token policy with the configured lifetime for tokens without an expiry.
    var policy: TokenPolicy {
        var policy = TokenPolicy.standard
        policy.assumedLifetime = assumeTokenLifetime.map { .seconds($0) }
        return policy
    }
}

/// The HTTP methods that token endpoints accept.
enum TokenMethod: String, Sendable, CaseIterable, ExpressibleByArgument {
    case get = "GET"
    case post = "POST"
}

extension SecretHeader {
    /// Parses `Name=env:VARIABLE` or `Name=file:PATH`.
    ///
    /// A literal value is rejected and never echoed, because it may be a secret.
    init(flag: String) throws(CommandFailure) {
        let parts = flag.split(separator: "=", maxSplits: 1).map(String.init)
        let place = parts.count == 2 ? parts[1] : ""
        var header: SecretHeader?
        if place.hasPrefix("env:"), place.count > 4 {
            header = SecretHeader(name: parts[0], origin: .variable(String(place.dropFirst(4))))
        } else if place.hasPrefix("file:"), place.count > 5 {
            header = SecretHeader(name: parts[0], origin: .file(path: String(place.dropFirst(5))))
        }
        guard let header else {
            // The text in place of the name may be the secret itself.
            let isName = parts.count == 2 && SecretHeader(name: parts[0], origin: .variable("")) != nil
            throw CommandFailure(
                .usage,
                "--token-header\(isName ? " " + shown(parts[0]) : "") can't be read.\n"
                    + "A header's value stays off the command line: write Name=env:VARIABLE or Name=file:PATH."
            )
        }
        self = header
    }
}

/// A validated token origin, from which a source is created once there is a transport and a clock.
enum TokenOrigin: Sendable {
    case endpoint(TokenURLTemplate, TokenMethod, TokenBodyTemplate?, [SecretHeader], announced: AnnouncedEndpoint?)
    case command([String])
    case file(String)
    case variable(String)
    case key(ServiceAccountKey)

    /// Uses the origin in the flags, else the endpoint of a ready file, else the configured URL.
    ///
    /// Throws a ``CommandFailure``.
    init(
        _ options: TokenSourceOptions,
        announced: AnnouncedEndpoint?,
        configuredURL: String?,
        allowPlainHTTP: Bool
    ) async throws {
        if let command = options.tokenCommand {
            self = .command(try Self.words(command))
        } else if let file = options.tokenFile {
            self = .file(file)
        } else if let variable = options.tokenEnv {
            self = .variable(variable)
        } else if let path = options.serviceAccount {
            self = .key(try await Self.key(path))
        } else if let url = options.tokenUrl ?? announced?.url ?? configuredURL {
            let template = try Self.template(url, allowPlainHTTP: allowPlainHTTP)
            let body = try options.tokenBody.map(Self.body)
            if template.isFixed, body?.isFixed != false {
                Printing.error(
                    "The token endpoint's URL has no {tripId} in it: it is used as it is for every trip and vehicle."
                )
            }
            var headers: [SecretHeader] = []
            for flag in options.tokenHeader { headers.append(try SecretHeader(flag: flag)) }
            for case .file(let path) in headers.map(\.origin) {
                InputFile.warnIfOpen(path, what: "header file", power: "ask for tokens as you do")
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
            throw CommandFailure(
                .usage,
                "Where do the tokens come from? Name your token endpoint with --token-url, such as\n"
                    + "--token-url 'https://backend.example/token/consumer/{tripId}', or in TRIPSHARE_TOKEN_URL."
            )
        }
    }

    /// The endpoint of a ready file, if the tokens come from it.
    var announced: AnnouncedEndpoint? {
        if case .endpoint(_, _, _, _, let announced) = self { announced } else { nil }
    }

    /// Creates the token source.
    func source(transport: HTTPTransport, clock: any TripClock, format: TokenAnswerFormat) -> any TokenSource {
        let environment = ProcessInfo.processInfo.environment
        switch self {
        case .endpoint(let template, let method, let body, let headers, let announced):
            let reading = HTTPTokenSource.reading(headers, environment: environment)
            return HTTPTokenSource(
                template: template,
                transport: transport,
                method: method.rawValue,
                body: body,
                format: format,
                headers: { () throws(TokenSourceError) in try reading() + (announced?.headers ?? []) }
            )
        case .command(let words):
            return CommandTokenSource(arguments: words, environment: environment, format: format)
        case .file(let path): return FileTokenSource(path: path, format: format)
        case .variable(let name):
            return EnvironmentTokenSource(variable: name, environment: { environment }, format: format)
        case .key(let key): return ServiceAccountTokenSource(key: key, clock: clock)
        }
    }

    private static func body(_ text: String) throws(CommandFailure) -> TokenBodyTemplate {
        guard let body = TokenBodyTemplate(text) else {
            throw CommandFailure(
                .usage,
                "--token-body is no JSON.\n"
                    + #"Write it as the endpoint wants it, {tripId} in quotation marks: --token-body '{"trip":"{tripId}"}'"#
            )
        }
        return body
    }

    private static func words(_ command: String) throws(CommandFailure) -> [String] {
        do throws(ArgumentVector.Problem) {
            return try ArgumentVector(parsing: command).words
        } catch {
            switch error {
            case .empty: throw CommandFailure(.usage, "--token-command names no command.")
            case .openQuote(let mark, let column):
                throw CommandFailure(.usage, "--token-command: the \(mark) at column \(column) is never closed.")
            case .trailingBackslash:
                throw CommandFailure(.usage, "--token-command ends with a backslash that quotes nothing.")
            }
        }
    }

    private static func template(_ url: String, allowPlainHTTP: Bool) throws -> TokenURLTemplate {
        do {
            return try TokenURLTemplate(url, allowsPlainHTTP: allowPlainHTTP)
        } catch {
            guard error != .insecureURL else {
                throw CommandFailure(
                    .badConfiguration,
                    "The token endpoint is plain http on another machine, where anybody could read the tokens.\n"
                        + "Use https, or --allow-plain-http if you know what you are doing."
                )
            }
            throw CommandFailure(
                .badConfiguration,
                "\(shown(url.asShownURL)) is not the URL of a token endpoint.\n"
                    + "It has to be absolute; {tripId} is allowed in its path and query, where the ID goes."
            )
        }
    }

    /// Reads the key in a service account file; throws a ``CommandFailure``.
    static func key(_ path: String) async throws -> ServiceAccountKey {
        let data = try InputFile.data(
            path,
            limit: InputFile.maximumBytes,
            what: "key file",
            advice: "Name the JSON key of a service account."
        )
        let key: ServiceAccountKey
        do {
            key = try await ServiceAccountKey(json: [UInt8](data))
        } catch {
            throw CommandFailure(
                .badConfiguration,
                "\(shown(path)) is no key of a service account: \(Sentence(error).what).\n"
                    + "Name the JSON file that Google Cloud made."
            )
        }
        InputFile.warnIfOpen(path, what: "key file", power: "sign as you do")
        return key
    }
}
