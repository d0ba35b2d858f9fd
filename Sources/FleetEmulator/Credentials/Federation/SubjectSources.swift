import FleetTokens
import Foundation
import Runtime

/// The sources from which a workload gets its subject token: a URL as in Azure, and the metadata of an AWS instance.
struct SubjectSources: Sendable {
    /// The path of the URL source.
    static let tokenPath = "/subject-token"
    /// The header that the URL source requires, as Azure's does.
    static let tokenHeader = (name: "Metadata", value: "True")
    private static let awsHeader = "x-aws-ec2-metadata-token"
    private static let awsLifetimeHeader = "x-aws-ec2-metadata-token-ttl-seconds"
    /// The headers that it reads.
    static let readHeaders = [tokenHeader.name.lowercased(), awsHeader, awsLifetimeHeader]

    /// The maximum length of a subject in characters.
    private static let longestSubject = 127

    let project: CredentialProject

    /// Answers a request.
    func answer(_ request: PlainRequest, at now: Date, _ effects: FaultEffects) async -> PlainResponse {
        if "/" + request.segments.joined(separator: "/") == Self.tokenPath {
            return await token(request, at: now, effects)
        }
        return aws(request, at: now)
    }

    private func token(_ request: PlainRequest, at now: Date, _ effects: FaultEffects) async -> PlainResponse {
        guard request.method == "GET" else { return .error(.methodNotAllowed) }
        guard request.headers[Self.tokenHeader.name.lowercased()]?.lowercased() == "true" else {
            return .error(.invalidArgument("Required metadata header not specified"))
        }
        // A stale token comes from a source that is not renewed.
        let issued = effects.problems.contains(.staleSubject) ? now.addingTimeInterval(-7200) : now
        do {
            // Another subject lets the attribute condition reject the token.
            let subject = request.parameter("subject")?.prefix(Self.longestSubject).description
            let token = try await project.subjects.issue(subject: subject ?? SubjectTokens.subject, at: issued)
            return .json([
                ("access_token", .string(token.text)),
                ("expires_in", .number(token.expires.timeIntervalSince(now).rounded(.down))),
                ("token_type", .string("Bearer")),
            ])
        } catch {
            // The library's error is not useful to clients.
            return .error(.unavailable)
        }
    }

    // MARK: AWS

    private func aws(_ request: PlainRequest, at now: Date) -> PlainResponse {
        let path = request.segments.joined(separator: "/")
        if path == "latest/api/token" {
            guard request.method == "PUT", request.headers[Self.awsLifetimeHeader] != nil else {
                return .text("Bad Request", status: 400)
            }
            return .text(project.aws.metadataToken)
        }
        guard request.method == "GET" else { return .error(.methodNotAllowed) }
        guard request.headers[Self.awsHeader] == project.aws.metadataToken else {
            return .text("Unauthorized", status: 401)
        }
        switch path {
        // The zone of the region.
        case "latest/meta-data/placement/availability-zone": return .text(AWSAccount.region + "b")
        case "latest/meta-data/iam/security-credentials": return .text(AWSAccount.role)
        case "latest/meta-data/iam/security-credentials/" + AWSAccount.role:
            return .json([
                ("Code", .string("Success")),
                ("Type", .string("AWS-HMAC")),
                ("AccessKeyId", .string(project.aws.accessKeyID)),
                ("SecretAccessKey", .string(project.aws.secretKey)),
                ("Token", .string(project.aws.sessionToken)),
                ("LastUpdated", .string(Timestamp.text(now))),
                ("Expiration", .string(Timestamp.text(now.addingTimeInterval(21_600)))),
            ])
        default: return .text("Not Found", status: 404)
        }
    }
}

extension PlainResponse {
    /// Creates an answer that is a text.
    static func text(_ text: String, status: Int = 200) -> PlainResponse {
        PlainResponse(status: status, body: Array(text.utf8), headers: [("content-type", "text/plain; charset=utf-8")])
    }
}

/// The names of the workload identity pool, the workforce pool and their providers.
enum IdentityPool {
    private static let path =
        "projects/\(CredentialProject.number)/locations/global/workloadIdentityPools/emulator-pool"
    /// The provider of JWTs.
    static let tokens = "//iam.googleapis.com/\(path)/providers/emulator-oidc"
    /// The provider of AWS identities.
    static let aws = "//iam.googleapis.com/\(path)/providers/emulator-aws"
    /// The provider of the workforce pool.
    static let workforce =
        "//iam.googleapis.com/locations/global/workforcePools/emulator-workforce/providers/emulator-oidc"

    /// Returns whether a text has the form of a provider's full resource name.
    static func isName(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 9, parts[0] == "", parts[1] == "", parts[2] == "iam.googleapis.com",
            parts.dropFirst(3).allSatisfy({ !$0.isEmpty })
        else { return false }
        let names = Array(parts.dropFirst(3))
        return names.count == 8
            ? names[0] == "projects" && names[2] == "locations" && names[4] == "workloadIdentityPools"
                && names[6] == "providers"
            : names.count == 6 && names[0] == "locations" && names[2] == "workforcePools" && names[4] == "providers"
    }
}

/// The emulated AWS account in which a workload runs, with its temporary key pair.
struct AWSAccount: Sendable {
    static let region = "eu-west-1"
    static let role = "tripshare-role"

    let accessKeyID = "ASIATRIPSHAREEMULATE"
    /// A secret.
    let secretKey = RandomText.make()
    /// A secret.
    let sessionToken = RandomText.make()
    /// What a caller of the instance's metadata must send; a secret.
    let metadataToken = RandomText.make()
}
