import ArgumentParser
import FleetTokens
import HTTPTransport
import TripFeed
import TripModel
import TripText

/// Options shared by all commands that call a Fleet Engine: service, project and token source.
struct ServiceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read all settings from the ready file of tripshare emulate.", valueName: "file"))
    var emulator: String?

    @Option(help: ArgumentHelp("The Google Cloud project that owns trips and vehicles.", valueName: "id"))
    var providerId: String?

    @Option(help: ArgumentHelp("Base URL of Fleet Engine (default: \(ServiceEndpoint.google)).", valueName: "url"))
    var fleetEngineUrl: String?

    @OptionGroup var source: TokenSourceOptions

    @OptionGroup var answer: TokenAnswerOptions

    @Flag(help: "Allow plain HTTP to other machines.")
    var allowPlainHttp = false
}

/// Validated access to a service.
struct ServiceAccess: Sendable {
    /// The service.
    let endpoint: ServiceEndpoint
    /// Where the tokens come from.
    let origin: TokenOrigin
    /// How tokens are used.
    let policy: TokenPolicy
    private let format: TokenAnswerFormat

    /// Combines the flags, a ready file and the settings, in this order of precedence.
    ///
    /// - Parameters:
    ///   - options: The flags.
    ///   - fleetEngineURL: The service URL of a ready file.
    ///   - announced: The token endpoint of a ready file.
    ///   - settings: The environment and the configuration file.
    /// - Throws: ``CommandFailure`` for the first invalid value.
    init(
        _ options: ServiceOptions,
        fleetEngineURL: String?,
        announced: AnnouncedEndpoint?,
        settings: Settings
    ) async throws {
        let url = options.fleetEngineUrl ?? fleetEngineURL ?? settings.fleetEngineURL ?? ServiceEndpoint.google
        do {
            endpoint = try ServiceEndpoint(url, allowPlainHTTP: options.allowPlainHttp)
        } catch {
            throw CommandFailure(.badConfiguration, Sentence(error).text)
        }
        origin = try await TokenOrigin(
            options.source,
            announced: announced,
            configuredURL: settings.tokenURL,
            allowPlainHTTP: options.allowPlainHttp
        )
        format = try TokenAnswerFormat(
            options.answer,
            creationKey: options.source.tokenCreationKey,
            announced: origin.announced,
            settings: settings
        )
        policy = options.source.policy
    }

    /// Creates the token source.
    func source(transport: HTTPTransport, clock: any TripClock) -> any TokenSource {
        origin.source(transport: transport, clock: clock, format: format)
    }
}
