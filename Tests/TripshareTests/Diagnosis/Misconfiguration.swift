import Foundation
import Testing
import TripTestSupport
import Yams

/// One way in which a set-up can be wrong: what its parts do, and what the program has to report.
///
/// The entries are in `Assets/Diagnosis`, one file for each part of a set-up.
struct Misconfiguration: Decodable, Sendable, CustomTestStringConvertible {
    /// The changes to an otherwise valid token.
    struct Token: Decodable, Sendable {
        /// Claims by name.
        ///
        /// `null` removes a claim, `now+60` is a time in seconds, `ms now+60` one in milliseconds.
        var claims: [String: JSONNode]?
        /// Members of the header, in the same form.
        var header: [String: JSONNode]?
        /// The key that signs the token.
        ///
        /// `account` is the one that `kid` names.
        var signer: Signer?
        /// The text that is sent, in which `{token}` is replaced by the token.
        var text: String?

        enum Signer: String, Decodable, Sendable {
            case account, second, stranger, none
        }
    }

    /// How a server answers.
    struct Answer: Decodable, Sendable {
        /// What the server does instead of answering.
        enum Behaviour: String, Decodable, Sendable {
            case refuse, hangUp, garbage
        }

        var behaviour: Behaviour?
        var status: Int?
        var headers: [String: String]?
        /// The body.
        ///
        /// `{token}`, `{seconds N}` and `{milliseconds N}` are replaced.
        var body: String?
        /// The offset of the server's clock from the machine's clock, in seconds.
        var clock: Double?
        /// Whether answers have a `Date` header.
        var date: Bool?
    }

    /// The exit codes of the commands that meet the misconfiguration.
    ///
    /// A command without a code is not run.
    struct Exit: Decodable, Sendable {
        var watch: Int32?
        var doctor: Int32?
        var fetch: Int32?
        var inspect: Int32?
    }

    /// The source of the tokens.
    enum Source: String, Decodable, Sendable {
        case url, file, env, command
    }

    var name: String
    var token: Token?
    var endpoint: Answer?
    var engine: Answer?
    var certificates: Answer?
    var source: Source?
    /// Further flags of `watch`, `doctor` and `fetch`.
    var flags: [String]?
    /// The path of the token URL after the endpoint's origin.
    var path: String?
    /// The party at fault; absent if there is none.
    var party: String?
    /// Words that the output of each command must contain.
    var evidence: [String]
    /// Words of the advice.
    var fix: [String]?
    /// Words that no command may print.
    var never: [String]?
    var exit: Exit
    /// Whether the screen is tested; by default it is.
    var screen: Bool?

    var testDescription: String { name }

    /// All entries.
    static func all() throws -> [Misconfiguration] {
        let folder = Checkout.assets.appending(path: "Diagnosis")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "yaml" }.sorted { $0.path < $1.path }.flatMap {
            try YAMLDecoder().decode([Misconfiguration].self, from: try String(contentsOf: $0, encoding: .utf8))
        }
    }
}

/// A JSON value in an entry.
enum JSONNode: Decodable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSONNode])
    case object([String: JSONNode])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Exactly one of these matches. The errors of the others have no meaning.
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONNode].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONNode].self))
        }
    }

    /// The value for `JSONSerialization`, with times relative to `now`.
    func value(now: Date) -> Any {
        switch self {
        case .null: return NSNull()
        case .bool(let bool): return bool
        case .number(let number): return Int(exactly: number) ?? number
        case .list(let list): return list.map { $0.value(now: now) }
        case .object(let members): return members.mapValues { $0.value(now: now) }
        case .text(let text):
            guard let match = text.wholeMatch(of: /(ms )?now([+-]\d+)/), let offset = Int(match.2) else { return text }
            let seconds = Int(now.timeIntervalSince1970) + offset
            return match.1 == nil ? seconds : seconds * 1000
        }
    }
}
