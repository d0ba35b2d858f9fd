import ArgumentParser
import FleetTokens
import HTTPTransport
import TripFeed
import TripModel
import TripText

/// Which service, in whose project, with tokens from where: what all that speak to a Fleet Engine take.
struct ServiceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Take all that is needed from the ready file of tripshare emulate.", valueName: "file"))
    var emulator: String?

    @Option(help: ArgumentHelp("The Google Cloud project that owns trips and vehicles.", valueName: "id"))
    var providerId: String?

    @Option(help: ArgumentHelp("The Fleet Engine (default: \(ServiceEndpoint.google)).", valueName: "url"))
    var fleetEngineUrl: String?

    @OptionGroup var source: TokenSourceOptions

    @OptionGroup var answer: TokenAnswerOptions

    @Flag(help: "Allow plain http to other machines than this one.")
    var allowPlainHttp = false
}

/// The way to a service, checked.
struct ServiceAccess: Sendable {
    /// The service.
    let endpoint: ServiceEndpoint
    /// Where the tokens come from.
    let origin: TokenOrigin
    /// How they are used.
    let policy: TokenPolicy
    private let format: TokenAnswerFormat

    /// What the flags say, else a ready file, else the settings.
    ///
    /// - Parameters:
    ///   - options: The flags.
    ///   - fleetEngineURL: The service of a ready file.
    ///   - announced: The token endpoint of a ready file.
    ///   - settings: The environment and the configuration.
    /// - Throws: ``CommandFailure`` with the first thing that does not fit.
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

    /// Where the tokens come from, over a transport and by a clock.
    func source(transport: HTTPTransport, clock: any TripClock) -> any TokenSource {
        origin.source(transport: transport, clock: clock, format: format)
    }
}
