import Failures
package import FleetTokens
import Foundation
import Runtime
import TokenSigning

/// What can make the service refuse a token that breaks no rule: its key, its project and its role, which the token does not show.
package struct RefusalCauses {
    private let claims: TokenClaims
    private let isSignatureChecked: Bool
    private let certificatesURL: String
    private let localizer: Localizer

    /// Creates the causes that are possible for a token.
    ///
    /// - Parameters:
    ///   - claims: The claims of the token.
    ///   - isSignatureChecked: Whether a certificate of the account confirms the signature.
    ///   - certificatesURL: The URL of the certificates, with `{email}`.
    ///   - localizer: The language.
    package init(
        of claims: TokenClaims,
        isSignatureChecked: Bool,
        certificatesURL: String = IssuerCertificates.google,
        localizer: Localizer
    ) {
        (self.claims, self.isSignatureChecked) = (claims, isSignatureChecked)
        (self.certificatesURL, self.localizer) = (certificatesURL, localizer)
    }

    /// One sentence for each cause, with the command that shows whether it is the actual cause.
    package var sentences: [String] {
        guard let account else { return [] }
        let name = Reporter.sanitized(account, limit: 120)
        var sentences: [String] = []
        if !isSignatureChecked {
            let key = Reporter.sanitized(claims.keyID ?? "?", limit: 64)
            sentences.append(localizer(.refusedKey(command: "curl \(certificates(of: account))", key: key)))
        }
        guard let project else {
            return sentences + [localizer(.refusedUnknownProject(account: name))]
        }
        sentences.append(localizer(.refusedProject(account: name, project: project)))
        let command =
            "gcloud projects get-iam-policy \(project) --flatten='bindings[].members' "
            + "--filter='bindings.members:\(account)' --format='value(bindings.role)'"
        return sentences + [localizer(.refusedRole(role: role, command: command))]
    }

    /// Returns the URL of an account's certificates as a word of a shell; a key in its query is hidden.
    private func certificates(of account: String) -> String {
        let url = certificatesURL.replacing("{email}", with: account)
        let shown = Reporter.sanitized(url.withoutSecrets, limit: 1000)
        let isPlain = shown.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || 0x2D...0x3A ~= byte || "@_".utf8.contains(byte)
        }
        return isPlain ? shown : ConnectionOptions.quoted(shown)
    }

    /// The address of the account if a shell takes it literally.
    private var account: String? {
        guard let issuer = claims.issuer, issuer.utf8.count <= 120, issuer.contains("@") else { return nil }
        let isPlain = issuer.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "@._-".contains($0)) }
        return isPlain && !issuer.hasPrefix("-") ? issuer : nil
    }

    /// The project in the address; `nil` for an address of Google's own form.
    private var project: String? {
        guard let domain = account?.split(separator: "@").last, domain.hasSuffix(".iam.gserviceaccount.com") else {
            return nil
        }
        return String(domain.dropLast(".iam.gserviceaccount.com".count))
    }

    /// The role that allows what the token is for.
    private var role: String {
        if !claims.wildcards.isEmpty { return "roles/fleetengine.serviceSuperUser" }
        return claims.vehicleID != nil ? "roles/fleetengine.driverSdkUser" : "roles/fleetengine.consumerSdkUser"
    }
}
