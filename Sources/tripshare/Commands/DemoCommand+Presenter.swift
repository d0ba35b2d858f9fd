import ArgumentParser
import Canvas
import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Terminal
import TransportLive
import TripFeed
import TripModel
import TripScreen
import TripText

extension DemoCommand {
    /// Returns the guide through the current stage; `nil` without a tour.
    func guide(_ output: OutputConfiguration, on opening: ScreenOpening?) -> TourGuide? {
        guard tour, opening != nil || output.options.accessible else { return nil }
        let localizer = opening.map { output.localizer(isASCII: $0.glyphs.level == .ascii) } ?? output.localizer()
        return TourGuide(tour: .embedded, index: tourStage - 1, localizer: localizer)
    }

    /// Returns the source of the tokens of riders and recipients.
    static func tokens(
        of address: EmulatorAddress,
        over transport: HTTPTransport
    ) throws -> JourneyTokenSource {
        JourneyTokenSource(
            trips: HTTPTokenSource(template: try TokenURLTemplate(address.consumerTokenURL), transport: transport),
            shipments: HTTPTokenSource(
                template: try TokenURLTemplate(address.trackingTokenURL),
                transport: transport,
                format: address.deliveryTokenFormat
            )
        )
    }

    /// Returns the connection with a presenter's console; `nil` without `--console`.
    func presenterLink(
        to world: EmulatedWorld,
        _ output: OutputConfiguration,
        on opening: ScreenOpening?,
        clock: ScaledClock
    ) -> PresenterLink? {
        guard console, let opening else { return nil }
        let localizer = output.localizer(isASCII: opening.glyphs.level == .ascii)
        return PresenterLink(
            PresenterLink.Program(
                scenario: world.scenario?.name ?? ride.recording.map { excerpt(path: $0) } ?? "",
                chapter: guide(output, on: opening)?.chapter,
                scenarios: Self.scenarios,
                began: ProcessIdentity.beginning(now: clock.anchor.real),
                speed: ride.speed
            ),
            captions: CaptionQueue(world.scenario, localizer: localizer),
            start: clock.anchor
        )
    }

    /// Runs a closure with the calls to the emulator; over gRPC it gets a listener with TLS.
    static func withCalls(
        _ transport: ServiceProtocol,
        to address: EmulatorAddress,
        over http: HTTPTransport,
        _ body: @Sendable @escaping (ServiceEndpoint, FleetTransport) async throws -> Void
    ) async throws {
        guard transport == .grpc else {
            let endpoint = try ServiceEndpoint(address.fleetEngineURL)
            return try await body(endpoint, .rest(http, at: endpoint))
        }
        try await GRPCListener.run(GRPCOptions(), engine: address.engine) { grpc in
            var endpoint = try ServiceEndpoint("https://\(grpc.target)", over: .grpc)
            // Only the commands that are shown need the file, so the demo goes on without it.
            let file = try? GRPCEndpoint(grpc, readyFile: nil)
            defer { file?.removeCertificate() }
            endpoint.options = ConnectionOptions([.cacert: file?.certificatePath])
            var options = GRPCClientOptions()
            options.roots = [grpc.rootCertificate].compactMap(\.self)
            try await withGRPCTransport(to: endpoint, options) { [endpoint] in try await body(endpoint, $0) }
        }
    }
}
