import Foundation
import Testing
import Yams

/// One way in which a set-up can be wrong: what its parts do, and what the program has to say about it.
///
/// The entries are in `Assets/Diagnosis`, one file for each part of a set-up.
struct Misconfiguration: Decodable, Sendable, CustomTestStringConvertible {
    /// What is changed of a token that is right in everything else.
    struct Token: Decodable, Sendable {
        /// Claims by name; `null` leaves one out, `now+60` is a time in seconds, `ms now+60` one in milliseconds.
        var claims: [String: JSONNode]?
        /// Members of the header, likewise.
        var header: [String: JSONNode]?
        /// The key that signs: `account` is the one that `kid` names.
        var signer: Signer?
        /// What is made of the token, which is `{token}` there.
        var text: String?

        enum Signer: String, Decodable, Sendable {
            case account, second, stranger, none
        }
    }

    /// How a server answers.
    struct Answer: Decodable, Sendable {
        /// What it does instead of answering.
        enum Behaviour: String, Decodable, Sendable {
            case refuse, hangUp, garbage
        }

        var behaviour: Behaviour?
        var status: Int?
        var headers: [String: String]?
        /// The body; `{token}`, `{seconds N}`, `{milliseconds N}` are replaced.
        var body: String?
        /// How far its clock is ahead of the machine's, in seconds.
        var clock: Double?
        /// Whether it says what time it is there.
        var date: Bool?
    }

    /// The exit codes of the commands that the entry is about; one that is absent is not run.
    struct Exit: Decodable, Sendable {
        var watch: Int32?
        var doctor: Int32?
        var fetch: Int32?
        var inspect: Int32?
    }

    /// Where the tokens come from.
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
    /// The path of the token URL behind the endpoint's origin.
    var path: String?
    /// Who is at fault; absent where nobody is.
    var party: String?
    /// Words that have to be in what each command says.
    var evidence: [String]
    /// Words of the advice.
    var fix: [String]?
    /// Words that no command may say.
    var never: [String]?
    var exit: Exit
    /// Whether the screen is looked at; it is unless the entry says no.
    var screen: Bool?

    var testDescription: String { name }

    /// All entries.
    static func all() throws -> [Misconfiguration] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Assets/Diagnosis")
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
        // One of these fits; why the others do not says nothing.
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

    /// The value for `JSONSerialization`, its times counted from `now`.
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
