import ArgumentParser
import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Terminal
import TransportLive
import TripFeed
import TripModel
import TripText

/// `tripshare trips`: lists the trips of a project.
struct TripsCommand: AsyncParsableCommand, ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "trips",
        abstract: "List the active trips of a project.",
        discussion: """
            Searches with a server token: the token source must return one that covers all trips and vehicles. Exits with \
            0 even if there are no trips.
            """
    )

    @Option(help: ArgumentHelp("Only trips of this vehicle.", valueName: "id"))
    var vehicle: String?

    @Flag(help: "List completed and canceled trips, too.")
    var ended = false

    @Option(help: ArgumentHelp("Only trips that were not updated for this many seconds.", valueName: "seconds"))
    var minimumStaleness: Double?

    @Option(help: ArgumentHelp("Maximum number of pages, 1 to 1000.", valueName: "number"))
    var pages = 100

    @Option(help: ArgumentHelp("Trips per page, 1 to 1000; the service may return fewer.", valueName: "number"))
    var pageSize = 100

    @Option(
        help: ArgumentHelp("Output format (default: table on a terminal, otherwise plain).", valueName: "form")
    )
    var output: ListForm?

    @OptionGroup var service: ServiceOptions

    @OptionGroup var source: TokenSourceOptions

    @OptionGroup var answer: TokenAnswerOptions

    @OptionGroup var transport: TransportOptions

    @OptionGroup var certificates: CertificateOptions

    @OptionGroup var network: NetworkOptions

    @OptionGroup var profile: ProfileOptions

    @OptionGroup var debugging: DebuggingOptions

    func validate() throws {
        try require(
            (1...TripListing.mostPages).contains(pages) && (1...1000).contains(pageSize),
            .usagePages
        )
        try require(minimumStaleness.isNilOrIn(0...1e9), .usageMinimumStaleness)
    }

    func run() async throws {
        let settings = try profile.settings()
        let (emulator, clock) = try ReadyFile.join(service.emulator)
        let ready = emulator?.ready
        guard let project = settings.resolve(\.providerID, service.providerId, ready?.providerId) else {
            throw CommandFailure(.usage, .failureNoProject)
        }
        let provider = try TokenSubject.checked(project, .nounProvider, ProviderID.init)
        let search = try search()
        let transport = transport.selected(settings)
        let access = try await ServiceAccess(
            self,
            fleetEngineURL: emulator.map { emulator throws(CommandFailure) in
                try emulator.ready.serviceURL(over: transport, path: emulator.path)
            },
            announced: ready.flatMap(AnnouncedEndpoint.forServers),
            iamURL: ready?.iamURL,
            settings: settings,
            configured: settings.endpoint(\.serverTokenURL),
            over: transport,
            isForServer: true
        )
        let connections = try network.connections(settings)
        let calls = try ServiceCalls(
            to: access.endpoint,
            rootCertificate: ready?.grpcRootCertificate,
            connections
        )
        let command = self
        let form = output ?? (ProcessContext.current.isTerminal(STDOUT_FILENO) ? .table : .plain)
        let listing = try await SignalWatch.interrupting {
            try await withLiveHTTPTransport(connections) { live in
                let marks = FaultMarks(ready)
                let transport = live.naming(faultsOf: marks)
                let tokens = TokenProvider(
                    source: access.source(transport: transport, clock: clock),
                    clock: clock,
                    policy: access.policy,
                    seed: .random(in: .min ... .max)
                )
                let certificates = try command.certificates.certificates(
                    announced: ready?.certificatesURL,
                    settings: settings,
                    allowPlainHTTP: command.network.allowPlainHttp,
                    over: transport
                )
                let result = try await calls.run(to: access.endpoint, over: transport) { plain in
                    let calls = plain.naming(faultsOf: marks)
                    let client = FleetClient(
                        endpoint: access.endpoint,
                        tokens: tokens,
                        transport: calls,
                        clock: clock,
                        certificates: certificates
                    )
                    return await Result { () async throws(Failure) in
                        try await client.listTrips(
                            search,
                            in: provider,
                            pages: command.pages,
                            renewed: {
                                Printing.warning(Text(renewed: $0))
                            }
                        )
                    }
                }
                await tokens.close()
                return try result.get(searching: provider, host: access.endpoint.displayName)
            }
        }
        TripListPrinter(form: form, now: clock.now().wall).print(listing.trips)
        if listing.trips.isEmpty, form != .json {
            Printing.warning(.tripsNone(project: excerpt(provider.rawValue)))
        }
        if listing.hasMore { Printing.error(Localizer.ofProcess(.tripsMore(count: listing.trips.count))) }
    }

    private func search() throws -> TripSearch {
        var search = TripSearch()
        search.vehicleID = try vehicle.map { try TokenSubject.checked($0, .nounVehicle, VehicleID.init) }
        search.activeOnly = !ended
        search.minimumStaleness = minimumStaleness.map { .seconds($0) }
        search.page.size = pageSize
        return search
    }
}

extension Text {
    /// Says that the service refused a token and accepted the next one.
    init(renewed refusal: Failure) {
        self = .warningTokenRenewed(status: refusal.status?.label ?? refusal.nameInJSON)
    }
}

extension Result {
    /// Creates a result from an asynchronous closure.
    init(_ body: () async throws(Failure) -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}

extension Result where Failure == Failures.Failure {
    /// Returns the value; throws a ``CommandFailure`` that says why the trips of a project can't be listed.
    func get(searching provider: ProviderID, host: String) throws(CommandFailure) -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let failure):
            throw CommandFailure(failure.exitStatus) {
                UserMessage(failure, searching: provider, host: host, localizer: $0).last.text($0)
            }
        }
    }
}
