import ArgumentParser
import Failures
import FleetTokens
import Foundation
import TokenSigning
import TripModel
import TripText

/// Options for what a token is for.
struct TokenSubject: ParsableArguments {
    @Option(help: ArgumentHelp("The trip that the token is for.", valueName: "id"))
    var trip: String?

    @Option(help: ArgumentHelp("The vehicle that the token is for.", valueName: "id"))
    var vehicle: String?

    @Option(help: ArgumentHelp("The tracking ID of the shipment that the token is for.", valueName: "id"))
    var tracking: String?

    @Option(help: ArgumentHelp("The delivery task that the token is for.", valueName: "id"))
    var task: String?

    @Option(help: ArgumentHelp("The delivery vehicle that the token is for.", valueName: "id"))
    var deliveryVehicle: String?

    func validate() throws {
        guard given.count <= 1 else {
            throw ValidationError(.usageTripOrVehicle)
        }
    }

    /// The given subjects.
    var given: [(kind: AuthorizationContext.Kind, id: String)] {
        let ids: [(AuthorizationContext.Kind, String?)] = [
            (.trip, trip), (.vehicle, vehicle), (.tracking, tracking), (.task, task),
            (.deliveryVehicle, deliveryVehicle),
        ]
        return ids.compactMap { kind, id in id.map { (kind, $0) } }
    }

    /// Returns what the token is for, if it is given; throws a ``CommandFailure`` for an invalid ID.
    func context() throws -> AuthorizationContext? {
        try given.first.map { kind, id in
            try Self.checked(id, kind.noun) { text throws(ResourceIDError) in try AuthorizationContext(kind, text) }
        }
    }

    /// Returns a valid ID; throws a ``CommandFailure`` for an ID that breaks the service's rules.
    static func checked<ID>(
        _ text: String,
        _ noun: Text,
        _ make: (String) throws(ResourceIDError) -> ID
    ) throws(CommandFailure) -> ID {
        guard !IDText.isWildcard(text) else {
            throw CommandFailure(.usage) { $0(.failureWildcard(noun: $0(noun))) }
        }
        do throws(ResourceIDError) {
            return try make(text)
        } catch {
            throw CommandFailure(.usage) { UserMessage(error, text: text, noun: noun, localizer: $0).text($0) }
        }
    }
}

/// Options for the checks of a token, besides its trip or vehicle.
struct TokenCheckOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The Google Cloud project that is expected to have signed the token.", valueName: "id")
    )
    var providerId: String?

    @Option(
        help: ArgumentHelp("An RSA public key or certificate (PEM) to verify the signature with.", valueName: "file")
    )
    var publicKey: String?

    @Option(help: ArgumentHelp("Report format.", valueName: "form"))
    var output: ReportForm = .plain

    /// Inspects a token; verifies its signature with the public key if given, else with the certificates.
    ///
    /// Throws a ``CommandFailure`` for an invalid key file.
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
            what: .nounKeyFile,
            advice: .advicePublicKey
        )
        do {
            return try await inspection.checkingSignature(publicKeyPEM: pem)
        } catch {
            throw CommandFailure(.badInput, .failurePublicKey(file: excerpt(path: publicKey)))
        }
    }
}

/// The output format of a report.
enum ReportForm: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// Text.
    case plain
    /// One JSON object on one line.
    case json

    /// The wording of the report.
    ///
    /// JSON is the same in every language. A language that can't be displayed is reported on standard error.
    var localizer: Localizer {
        guard self == .plain else { return .english }
        if let fallback = Localizer.ofProcess.fallback { Printing.error(fallback) }
        return .ofProcess
    }
}

extension AuthorizationContext.Kind {
    /// The name in messages.
    var noun: Text {
        switch self {
        case .trip: .nounTrip
        case .vehicle: .nounVehicle
        case .tracking: .nounShipment
        case .task: .nounTask
        case .deliveryVehicle: .nounDeliveryVehicle
        case .server: .nounServer
        }
    }
}
