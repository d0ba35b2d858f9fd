import FleetWire
import Runtime
import TripModel

/// A method of the IAM Service Account Credentials API.
enum IAMMethod: String, Sendable {
    case signJwt, signBlob, generateAccessToken

    /// The permission on the service account.
    var permission: String {
        "iam.serviceAccounts." + (self == .generateAccessToken ? "getAccessToken" : rawValue)
    }

    /// The name with its gRPC service, which errors contain.
    var fullName: String {
        "google.iam.credentials.v1.IAMCredentials." + rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }

    fileprivate var fields: Set<String> {
        self == .generateAccessToken ? ["delegates", "scope", "lifetime"] : ["delegates", "payload"]
    }
}

/// The body of a request to the IAM Service Account Credentials API.
struct IAMRequestBody: Sendable {
    /// The longest chain of delegates that is followed.
    private static let longestChain = 10
    /// The longest lifetime of an access token, unless a policy of the organization extends it.
    private static let longestLife = Duration.seconds(3600)

    private(set) var delegates: [String] = []
    /// The claims as JSON, or bytes in base64.
    private(set) var payload = ""
    private(set) var scopes: [String] = []
    private(set) var lifetime = Self.longestLife

    /// Parses a body.
    init(_ body: [UInt8], for method: IAMMethod) throws(ServiceError) {
        guard case .object(let members)? = JSONValue(body) else {
            throw .invalidArgument("Invalid JSON payload received.")
        }
        for (name, value) in members.map({ ($0.key, $0.value) }) {
            guard method.fields.contains(name) else {
                throw .invalidArgument(
                    "Invalid JSON payload received. Unknown name \"\(name.prefix(100))\": Cannot find field."
                )
            }
            // A null is the default value.
            if value == .null { continue }
            switch name {
            case "delegates": delegates = try Self.texts(value, name)
            case "scope": scopes = try Self.texts(value, name)
            case "lifetime": lifetime = try Self.lifetime(value)
            default:
                guard let text = value.string else { throw Self.invalid(name) }
                payload = text
            }
        }
        guard delegates.count <= Self.longestChain else { throw Self.invalid("delegates") }
        guard method == .generateAccessToken || !payload.isEmpty else {
            throw .invalidArgument("The payload is required.")
        }
    }

    private static func texts(_ value: JSONValue, _ name: String) throws(ServiceError) -> [String] {
        guard case .array(let values) = value else { throw invalid(name) }
        let texts = values.compactMap(\.string)
        guard texts.count == values.count else { throw invalid(name) }
        return texts
    }

    private static func lifetime(_ value: JSONValue) throws(ServiceError) -> Duration {
        guard let duration = value.string.flatMap(DurationText.duration), duration > .zero else {
            throw invalid("lifetime")
        }
        guard duration <= longestLife else {
            throw .invalidArgument(
                "The access token lifetime cannot exceed 3600 seconds, unless the organization policy "
                    + "constraints/iam.allowServiceAccountCredentialLifetimeExtension allows it."
            )
        }
        return duration
    }

    private static func invalid(_ name: String) -> ServiceError { .invalidArgument("Invalid value at '\(name)'.") }
}
