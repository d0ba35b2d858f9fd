import ArgumentParser
import Failures
import FleetTokens
import TripText

/// Options for the source of server tokens, which list the trips of a project; at most one may be given.
struct ServerTokenOptions: ParsableArguments {
    @Option(\.serverTokenURL) var serverTokenUrl: String?

    @Option(
        help: ArgumentHelp("A command that prints a server token (quoted as for a shell).", valueName: "command")
    )
    var serverTokenCommand: String?

    @Option(
        help: ArgumentHelp(
            "A service-account key file for server tokens (default: that of --service-account).",
            valueName: "file"
        )
    )
    var serverAccount: String?

    func validate() throws {
        let named = [serverTokenUrl, serverTokenCommand, serverAccount].compactMap(\.self)
        try require(named.count <= 1, .usageOneServerToken)
    }

    /// Returns the origin of server tokens: from the flags, a ready file, the settings, or the key of the other tokens.
    ///
    /// - Returns: `nil` if there is none.
    /// - Throws: ``CommandFailure`` for the first invalid value.
    func origin(of target: Target, _ network: NetworkOptions, _ settings: Settings) async throws -> TokenOrigin? {
        if let serverTokenCommand {
            return .command(try TokenOrigin.words(serverTokenCommand, of: "--server-token-command"))
        }
        if let serverAccount { return .key(try await TokenOrigin.key(serverAccount)) }
        if serverTokenUrl == nil, case .credentials = target.access.origin { return target.access.origin }
        let ready = target.emulator?.ready
        let announced = serverTokenUrl == nil ? ready.flatMap(AnnouncedEndpoint.forServers) : nil
        let configured = settings.endpoint(\.serverTokenURL)
        if let url = serverTokenUrl ?? announced?.url ?? configured?.url {
            let template = try TokenOrigin.template(url, allowPlainHTTP: network.allowPlainHttp)
            let isConfigured = serverTokenUrl == nil && announced == nil
            return .endpoint(template, .get, nil, isConfigured ? configured?.headers ?? [] : [], announced: announced)
        }
        return target.access.origin.isForServers ? target.access.origin : nil
    }
}

extension AnnouncedEndpoint {
    /// Returns the endpoint for server tokens; `nil` if the emulator announces none.
    static func forServers(_ ready: ReadyFile) -> AnnouncedEndpoint? {
        ready.serverTokenURL.map { AnnouncedEndpoint(ready, url: $0) }
    }
}
