import ArgumentParser
import Failures
import FleetEmulator
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Terminal
import TransportLive
import TripFeed
import TripModel
import TripText

extension EmulateCommand {
    /// Returns the faults of the token endpoint that the flags request.
    func tokenFaults() throws -> [Fault] {
        var faults: [Fault] = []
        if let tokenLatency { faults.append(try Fault(.tokens, "latency", ["seconds": .number(tokenLatency)])) }
        if let tokenFailure {
            faults.append(try Fault(.tokens, "status", ["status": .integer(tokenFailure)], path: "consumer"))
        }
        return faults
    }

    /// Runs the emulator, with its gRPC listener if there is to be one.
    func withEmulator(
        _ world: EmulatedWorld,
        keys: EmulatorKeys,
        options: EmulatorOptions,
        clock: ScaledClock,
        body: @escaping @Sendable (EmulatorAddress, GRPCEndpoint?) async throws -> Void
    ) async throws {
        let command = self
        try await EmulatorRun.withEmulator(
            world,
            keys: keys,
            options: options,
            clock: clock,
            onDriver: EmulatorRun.warn
        ) { address, _ in
            guard let grpcPort = command.grpcPort else { return try await body(address, nil) }
            var options = GRPCOptions()
            options.host = command.host
            options.names = command.allowHost
            options.port = grpcPort
            options.isPlaintext = command.grpcPlaintext
            options.refused = address.refused
            try await GRPCListener.run(options, engine: address.engine) { grpc in
                let endpoint = try GRPCEndpoint(grpc, readyFile: command.readyFile)
                defer { endpoint.removeCertificate() }
                try await body(address, endpoint)
            }
        }
    }

    /// Returns the secret that the token endpoint requires when it signs with a real key.
    ///
    /// Such tokens are valid outside the emulator.
    func secret(for accounts: EmulatedAccounts) throws(CommandFailure) -> EndpointSecret? {
        // The endpoint issues tokens of these accounts only.
        guard let role = accounts.roles.first(where: Caller.Role.issuing.contains) else { return nil }
        guard readyFile != nil else {
            throw CommandFailure(.usage, .failureAccountSecret(role: role.rawValue))
        }
        return EndpointSecret()
    }

    func options(_ program: EmulatedWorld.Program) -> EmulatorOptions {
        var options = EmulatorOptions()
        options.host = host
        options.allowedHosts = allowHost
        options.port = port
        options.tokenPort = tokenPort
        options.certificatesPort = certificatesPort
        options.controlPort = controlPort
        options.tokenLifetime = tokenLifetime.map { .seconds($0) } ?? program.tokenLifetime ?? .seconds(3300)
        options.missingTokenStatus = missingToken
        options.quota = quota
        if let key = answer.tokenKey { options.tokenFormat.tokenKey = key }
        if let key = answer.tokenExpirationKey { options.tokenFormat.expirationKey = key }
        if let unit = answer.tokenExpirationUnit { options.tokenFormat.expirationUnit = unit }
        return options
    }

    /// Prints a line about the emulator; to standard error if standard output has lines of JSON.
    func say(_ text: String) { output == .json ? Printing.error(text) : Printing.out(text) }

    func announce(
        _ address: EmulatorAddress,
        _ grpc: GRPCEndpoint?,
        _ folder: CredentialsFolder?,
        world: EmulatedWorld,
        clock: ScaledClock
    ) throws(CommandFailure) -> ReadyFile {
        var ready = ReadyFile(address, world: world, clock: clock)
        ready.credentialsFolder = folder?.path
        ready.grpcTarget = grpc?.target
        ready.grpcRootCertificate = grpc?.certificatePath
        ready.tokenKey = answer.tokenKey
        ready.tokenExpirationKey = answer.tokenExpirationKey
        ready.tokenExpirationUnit = answer.tokenExpirationUnit?.rawValue
        ready.process = .current(started: Date())
        say("Fleet Engine    \(address.fleetEngineURL)")
        grpc?.announcement.forEach(say)
        say("Token endpoint  \(address.consumerTokenURL)")
        say("  for drivers   \(address.driverTokenURL)")
        say("  for servers   \(address.serverTokenURL)")
        if address.tokenSecret != nil {
            say("  requires      the header \(EndpointSecret.header) with tokenSecret of the ready file")
        }
        say("Certificates    \(address.certificatesURL)")
        say("OAuth           \(address.credentials.oauthTokenURL)")
        say("  exchange      \(address.credentials.stsURL)")
        say("IAM             \(address.credentials.iamURL)")
        say("Metadata        \(address.credentials.metadataHost)")
        if let folder { say("Credentials     \(shown(folder.path))") }
        if let url = address.controlURL { say("Control         \(url)") }
        say("Provider        \(ready.providerId)")
        let parcels = ready.trackingIds ?? []
        if parcels.isEmpty || !ready.tripIds.isEmpty {
            say("Trips           \(ready.tripIds.map { shown($0) }.joined(separator: " "))")
        }
        if !parcels.isEmpty {
            say("Parcels         \(parcels.map { shown($0) }.joined(separator: " "))")
            say("  for them      \(address.trackingTokenURL)")
        }
        let vehicles = ready.vehicleIds + (ready.deliveryVehicleIds ?? [])
        if !vehicles.isEmpty { say("Vehicles        \(vehicles.map { shown($0) }.joined(separator: " "))") }
        if !URLOrigin.isLoopback(host.lowercased()) {
            Printing.warning(.warningListening(host: excerpt(host)))
        }
        if let readyFile {
            try ready.write(to: readyFile)
        }
        if let command = followCommand(ready) { say("Follow it with  \(command)") }
        return ready
    }

    /// Returns the command that follows what is emulated; `nil` if nothing is.
    ///
    /// Only with a ready file, another program joins the clock of a ride that is faster or slower than real time.
    func followCommand(_ ready: ReadyFile) -> String? {
        let parcels = ready.trackingIds ?? []
        let isOfTrips = !ready.tripIds.isEmpty || parcels.isEmpty
        let command = "tripshare \(isOfTrips ? "watch" : "track")"
        if let readyFile { return "\(command) --emulator \(pasteable(readyFile))" }
        guard let id = isOfTrips ? ready.tripIds.first : parcels.first else { return nil }
        guard ride.speed == 1 else { return "\(command) --emulator FILE, if it was started with --ready-file FILE" }
        let tokenURL = isOfTrips ? ready.tokenURL : ready.trackingTokenURL ?? ready.tokenURL
        let keys: [(option: String, value: String?)] = [
            ("token-key", answer.tokenKey), ("token-expiration-key", answer.tokenExpirationKey),
            ("token-expiration-unit", answer.tokenExpirationUnit?.rawValue),
        ]
        let options = [
            "--provider-id \(pasteable(ready.providerId))", "--fleet-engine-url \(ready.fleetEngineURL)",
            "--token-url '\(tokenURL)'",
        ]
        let more = keys.compactMap { option, value in value.map { "--\(option) \(pasteable($0))" } }
        return ([command, pasteable(id)] + options + more).joined(separator: " ")
    }
}
