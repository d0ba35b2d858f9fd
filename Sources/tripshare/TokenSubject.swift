import ArgumentParser
import FleetTokens
import Foundation
import TripModel
import TripText

/// What a token is for: a trip or a vehicle.
struct TokenSubject: ParsableArguments {
    @Option(help: ArgumentHelp("The trip that the token is for.", valueName: "id"))
    var trip: String?

    @Option(help: ArgumentHelp("The vehicle that the token is for.", valueName: "id"))
    var vehicle: String?

    func validate() throws {
        guard trip == nil || vehicle == nil else {
            throw ValidationError("A token is for a trip or for a vehicle: name one of --trip and --vehicle.")
        }
    }

    /// The trip or vehicle that was named, if any; throws ``CommandFailure`` for an ID that can't be one.
    func context() throws -> AuthorizationContext? {
        if let trip { return .trip(try Self.checked(trip, "trip", TripID.init)) }
        if let vehicle { return .vehicle(try Self.checked(vehicle, "vehicle", VehicleID.init)) }
        return nil
    }

    /// An ID that keeps the rules of the service.
    static func checked<ID>(
        _ text: String,
        _ noun: String,
        _ make: (String) throws(ResourceIDError) -> ID
    ) throws(CommandFailure) -> ID {
        guard text != "*" else {
            throw CommandFailure(
                .usage,
                "‘*’ is no \(noun) but all of them.\nName one; a server's token for all is made with --server."
            )
        }
        do throws(ResourceIDError) {
            return try make(text)
        } catch {
            throw CommandFailure(.usage, Sentence(error, text: text, noun: noun).text)
        }
    }
}

/// What a token is held against beside the trip or vehicle that it is for.
struct TokenCheckOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The Google Cloud project whose service account should have signed it.", valueName: "id")
    )
    var providerId: String?

    @Option(
        help: ArgumentHelp("An RSA public key or a certificate in PEM to check the signature with.", valueName: "file")
    )
    var publicKey: String?

    @Option(help: ArgumentHelp("The form of the report.", valueName: "form"))
    var output: ReportForm = .plain

    /// Holds a token against everything that was named; its signature against the public key, else the certificates.
    ///
    /// Throws ``CommandFailure`` for a key file that is none.
    func inspect(
        _ token: String,
        for context: AuthorizationContext?,
        provider: String? = nil,
        isForServer: Bool = false,
        certificates: IssuerCertificates? = nil,
        now: Date
    ) async throws -> TokenInspection {
        let expectations = TokenInspection.Expectations(
            context: context,
            providerID: providerId ?? provider,
            isForServer: isForServer
        )
        let inspection = TokenInspection.inspect(token, expectations, now: now)
        guard let publicKey else {
            guard let certificates else { return inspection }
            return await inspection.checkingSignature(certificates)
        }
        let pem = try InputFile.text(
            publicKey,
            what: "key file",
            advice: "Name an RSA public key or a certificate in PEM."
        )
        do {
            return try await inspection.checkingSignature(publicKeyPEM: pem)
        } catch {
            throw CommandFailure(
                .badInput,
                "\(shown(publicKey)) is no RSA public key.\nName a public key or a certificate in PEM, not the private key."
            )
        }
    }
}

/// In what form a report is printed.
enum ReportForm: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// For people.
    case plain
    /// One JSON object on one line.
    case json
}
