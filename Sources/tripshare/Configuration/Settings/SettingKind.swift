import Foundation
import Runtime
import TransportLive
import TripText

/// A value of a setting before it is read.
enum SettingInput: Sendable {
    /// The text of a variable.
    case text(String)
    /// A value in the configuration file.
    case json(JSONValue)

    /// The text of a variable, or a string of the file.
    var string: String? {
        switch self {
        case .text(let text): text
        case .json(let value): value.string
        }
    }

    /// The value in a message.
    var shown: String {
        switch self {
        case .text(let text), .json(.string(let text)): text
        case .json(.number(let number)): Int(exactly: number).map(String.init) ?? "\(number)"
        case .json(.bool(let flag)): "\(flag)"
        case .json(.null): "null"
        case .json(.array): "[…]"
        case .json(.object): "{…}"
        }
    }
}

/// What a setting accepts.
struct SettingKind<Value: Sendable>: Sendable {
    /// The accepted values in the manual.
    let documentation: String
    /// The accepted values in messages.
    let allowed: Text
    /// Returns whether a value is in the range.
    let accepts: @Sendable (Value) -> Bool
    /// Returns a value as it is written.
    let spelled: @Sendable (Value) -> String
    private let read: @Sendable (SettingInput) throws(SettingProblem) -> Value?

    /// Creates a kind; `read` returns `nil` for a value that is refused without a further reason.
    init(
        _ documentation: String,
        _ allowed: Text,
        accepts: @escaping @Sendable (Value) -> Bool = { _ in true },
        spelled: @escaping @Sendable (Value) -> String = { "\($0)" },
        read: @escaping @Sendable (SettingInput) throws(SettingProblem) -> Value?
    ) {
        (self.documentation, self.allowed, self.accepts, self.spelled, self.read) =
            (documentation, allowed, accepts, spelled, read)
    }

    /// Reads a value.
    func value(_ input: SettingInput) throws(SettingProblem) -> Value {
        guard let value = try read(input), accepts(value) else { throw .refused }
        return value
    }
}

extension SettingKind<String> {
    /// A text.
    static func string(_ documentation: String) -> Self { Self(documentation, .allowedString) { $0.string } }

    /// A path, in which `~` is the home folder.
    static func path(_ documentation: String) -> Self {
        Self(documentation, .allowedString) { $0.string.map { ($0 as NSString).expandingTildeInPath } }
    }
}

extension SettingKind where Value: CaseIterable & RawRepresentable<String> {
    /// One of the names of a type.
    static func name(
        _ documentation: String = "",
        read: @escaping @Sendable (String) -> Value? = { Value(rawValue: $0) }
    ) -> Self {
        let names = Value.allCases.map(\.rawValue)
        return Self(
            names.map { "`\($0)`" }.joined(separator: ", ") + documentation,
            .allowedNames(names: names.joined(separator: ", ")),
            spelled: \.rawValue,
            read: { $0.string.flatMap(read) }
        )
    }
}

extension SettingKind<Double> {
    /// A number of seconds above 0.
    static func seconds(upTo highest: Int, _ documentation: String) -> Self {
        Self(
            "seconds above 0, at most \(highest)" + documentation,
            .allowedSeconds(highest: "\(highest)"),
            accepts: { $0 > 0 && $0 <= Double(highest) },
            spelled: { Int(exactly: $0).map(String.init) ?? "\($0)" },
            read: { input in
                switch input {
                case .text(let text): Double(decimal: text)
                case .json(let value): value.number
                }
            }
        )
    }
}

extension SettingKind<Int> {
    /// A whole number.
    static func whole(_ range: ClosedRange<Int>, _ documentation: String) -> Self {
        Self(
            "whole number from \(range.lowerBound) to \(range.upperBound)" + documentation,
            .allowedWhole(lowest: "\(range.lowerBound)", highest: "\(range.upperBound)"),
            accepts: range.contains,
            read: { input in
                if case .json(.number(let number)) = input { return Int(exactly: number) }
                return input.string.flatMap { Int($0) }
            }
        )
    }
}

extension SettingKind<Bool> {
    /// Whether something is on.
    static func flag(_ documentation: String) -> Self {
        let words = ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false]
        return Self("`true`, `false`" + documentation, .allowedFlag) { input in
            switch input {
            case .text(let text): words[text.lowercased()]
            case .json(.bool(let flag)): flag
            case .json: nil
            }
        }
    }
}

extension SettingKind<[Threshold]> {
    /// Numbers by the names of thresholds.
    static var thresholds: Self {
        Self("numbers by name, as below", .allowedThresholds) { (input) throws(SettingProblem) in
            do throws(Threshold.Problem) {
                switch input {
                case .text(let text):
                    return try text.split(separator: ",").map { part throws(Threshold.Problem) in
                        try Threshold(parsing: part.trimmingCharacters(in: .whitespaces))
                    }
                case .json(let value):
                    return try value.dictionary?.sorted { $0.key < $1.key }.map {
                        name,
                        value throws(Threshold.Problem) in
                        try Threshold(name, value.number)
                    }
                }
            } catch {
                throw .because(error.text)
            }
        }
    }
}

extension SettingKind<[SecretHeader]> {
    /// Headers whose values are elsewhere.
    static var headers: Self {
        Self(
            "names of headers with `env:VARIABLE` or `file:PATH`, see below",
            .allowedHeaders
        ) { (input) throws(SettingProblem) in
            let pairs: [(name: String, place: String?)]?
            switch input {
            case .text(let text):
                pairs = text.split(separator: ",").map { part in
                    let parts = part.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
                    return (parts.first.map(String.init) ?? "", parts.count == 2 ? String(parts[1]) : nil)
                }
            case .json(let value):
                pairs = value.dictionary?.sorted { $0.key < $1.key }.map { ($0.key, $0.value.string) }
            }
            // Everything else may be the secret itself.
            guard let pairs else { throw .hidden }
            return try pairs.map { name, place throws(SettingProblem) in
                guard let origin = place.flatMap({ SecretReference($0) }),
                    let header = SecretHeader(name: name, origin: origin)
                else { throw .hidden }
                return header
            }
        }
    }
}

extension SettingKind<ProxySetting> {
    /// The URL of a proxy, or where it is.
    static var proxy: Self {
        Self(
            "URL without a login, or `env:VARIABLE` or `file:PATH` for one with a login",
            .allowedProxy
        ) { (input) throws(SettingProblem) in
            guard let proxy = input.string.map({ ProxySetting($0) }) else { return nil }
            // A login is a secret.
            if case .url(let url) = proxy, url.contains("@") || !ProxySettings(environment: [:], option: url).isUsable {
                throw .hidden
            }
            return proxy
        }
    }
}

extension SettingKind<[String: JSONValue]> {
    /// Keys by action; they are checked together with the keys of all sources.
    static var keys: Self {
        Self("keys by action", .allowedKeys) { input in
            if case .json(let value) = input { value.dictionary } else { nil }
        }
    }
}

extension JSONValue {
    /// The members of an object by key, the last one of duplicates; `nil` for other values.
    var dictionary: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return Dictionary(members.map { ($0.key, $0.value) }) { $1 }
    }
}
