import Failures
import FleetTokens
import Runtime
import TransportLive
import TripFeed
import TripModel
import TripText

/// Validated access to a service.
struct ServiceAccess: Sendable {
    /// The service.
    let endpoint: ServiceEndpoint
    /// Where the tokens come from.
    let origin: TokenOrigin
    /// How tokens are used.
    let policy: TokenPolicy
    let format: TokenAnswerFormat
    /// The same for the tokens of shipments.
    let shipmentFormat: TokenAnswerFormat

    /// Combines the flags, a ready file and the settings, in this order of precedence.
    ///
    /// - Parameters:
    ///   - command: The flags.
    ///   - fleetEngineURL: The service URL of a ready file.
    ///   - announced: The token endpoint of a ready file.
    ///   - iamURL: The address of IAM Credentials in a ready file.
    ///   - settings: The environment and the configuration file.
    ///   - configured: The token endpoint of the settings.
    ///   - protocol: The protocol of the calls.
    ///   - isForServer: Whether the tokens are for a server instead of one trip or vehicle.
    /// - Throws: ``CommandFailure`` for the first invalid value.
    init(
        _ command: some ServiceCommand,
        fleetEngineURL: String?,
        announced: AnnouncedEndpoint?,
        iamURL: String?,
        settings: Settings,
        configured: ConfiguredEndpoint?,
        over protocol: ServiceProtocol = .rest,
        isForServer: Bool = false
    ) async throws {
        let url = settings.resolve(\.fleetEngineURL, command.service.fleetEngineUrl, fleetEngineURL)
        var endpoint: ServiceEndpoint
        do {
            endpoint = try ServiceEndpoint(url, over: `protocol`, allowPlainHTTP: command.network.allowPlainHttp)
        } catch {
            throw CommandFailure(.badConfiguration) { UserMessage(error, localizer: $0).text($0) }
        }
        origin = try await TokenOrigin(
            command.source,
            announced: announced,
            configured: configured,
            iamURL: settings.resolve(\.iamURL, iamURL),
            allowPlainHTTP: command.network.allowPlainHttp,
            isForServer: isForServer
        )
        endpoint.quotaProject = origin.quotaProject
        self.endpoint = endpoint
        let announced = origin.announced
        func format(isOfDeliveries: Bool) throws(CommandFailure) -> TokenAnswerFormat {
            try TokenAnswerFormat(
                command.answer,
                creationKey: command.source.tokenCreationKey,
                announced: announced,
                settings: settings,
                isOfDeliveries: isOfDeliveries
            )
        }
        self.format = try format(isOfDeliveries: false)
        shipmentFormat = try format(isOfDeliveries: true)
        policy = command.source.policy
    }

    /// Creates the token source.
    func source(transport: HTTPTransport, clock: any TripClock) -> any TokenSource {
        origin.source(transport: transport, clock: clock, format: format)
    }
}

/// The proxy of the settings.
enum ProxySetting: Sendable {
    /// The URL, without a login.
    case url(String)
    /// Where the URL is, which may have a login.
    case reference(SecretReference)

    /// Creates a setting from a URL, or from a place of one.
    init(_ text: String) { self = SecretReference(text).map { .reference($0) } ?? .url(text) }

    /// Returns the URL; throws a ``CommandFailure`` that names the source if the variable or the file has none.
    func url(from source: SettingSource, environment: [String: String]) throws(CommandFailure) -> String {
        switch self {
        case .url(let url): return url
        case .reference(let reference):
            // Why it can't be read does not change the remedy.
            guard let url = try? reference.value(environment: environment) else {
                throw CommandFailure(.badConfiguration) {
                    $0(.settingReference(source: source.words($0), place: reference.shownPlace))
                }
            }
            if let end = url.lastIndex(of: "@") {
                let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
                for secret in [url[...], url[start..<max(start, end)]] {
                    KnownSecrets.ofProcess.add(Array(secret.utf8))
                }
            }
            return url
        }
    }
}
