import TripModel

/// The spellings of the values of one enum in logs, derived from the enum's names in the schema.
///
/// A log puts the name of the enum before a value, such as `TRIP_STATUS_NEW` or `TASK_STATE_LOG_OPEN`, or what a type is the type of
/// after the value, such as `EXCLUSIVE_TRIP`. It leaves out what all values have in common: `PICKUP_WAYPOINT_TYPE` is
/// `WAYPOINT_TYPE_PICKUP`.
///
/// A class, because a field of a message is looked up for each value of a log, and a copy of a structure would copy references to all
/// of its parts.
final class LogEnum: Sendable {
    /// The maximum length of an unknown name in scalars, because it may be displayed.
    private static let longestName = 64

    /// The numbers of the values by all their spellings.
    private let numbers: [String: Int]
    /// What a log puts before a value, the longest first.
    private let prefixes: [String]
    /// What a log puts after a value; `nil` for nothing.
    private let suffix: String?
    /// What all values of the schema begin and end with.
    private let common: (start: String, end: String)

    /// Derives the spellings.
    ///
    /// - Parameters:
    ///   - names: The values.
    ///   - name: The full name of the enum, such as `maps.fleetengine.delivery.v1.Task.State`.
    init(_ names: EnumNames, named name: String) {
        let types = name.split(separator: ".").drop { $0.first?.isLowercase ?? true }
            .map { $0.words.map { $0.uppercased() } }
        let (own, words) = (types.last ?? [], types.flatMap(\.self))
        prefixes = words.indices.map { Array(words[$0...]) }.filter { $0.count > 1 || $0 == own }
            .map { $0.joined(separator: "_") }.flatMap { ["\($0)_LOG_", "\($0)_"] }
        suffix = own.count > 1 && own.last == "TYPE" ? "_" + own[0] : nil
        let common = Self.commonParts(of: names.numbers.filter { $0.value != 0 }.map(\.key))
        self.common = common
        var numbers = names.numbers
        for (name, number) in names.numbers {
            let short = Self.without(common, name)
            for text in number == 0 ? [name, short, "UNSPECIFIED", "UNKNOWN"] : [name, short] {
                for spelling in [text] + prefixes.map({ $0 + text }) + [suffix.map { text + $0 }].compactMap(\.self)
                where numbers[spelling] == nil {
                    numbers[spelling] = number
                }
            }
        }
        self.numbers = numbers
    }

    /// Returns the number of a value; the name of an unknown value is added to `unknown` without what the log adds.
    func number(of text: String, _ unknown: inout UnknownNames) -> Int {
        if let number = numbers[text] { return number }
        var name = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.longestName)))
        if let prefix = prefixes.first(where: { name.hasPrefix($0) && name != $0 }) { name.removeFirst(prefix.count) }
        if let suffix, name.hasSuffix(suffix), name != suffix { name.removeLast(suffix.count) }
        if let number = numbers[name] { return number }
        return unknown.number(of: common.start + Self.without(common, name) + common.end)
    }

    /// Returns a name without the parts that the values of the schema have in common.
    private static func without(_ common: (start: String, end: String), _ name: String) -> String {
        var name = name
        if name.hasPrefix(common.start), name != common.start { name.removeFirst(common.start.count) }
        if name.hasSuffix(common.end), name != common.end { name.removeLast(common.end.count) }
        return name
    }

    /// Returns the words that all names begin with and end with, apart from the rest of the name.
    private static func commonParts(of names: [String]) -> (start: String, end: String) {
        let names = names.map { $0.split(separator: "_") }
        guard names.count > 1, let first = names.first, let most = names.map(\.count).min().map({ $0 - 1 }) else {
            return ("", "")
        }
        let start = (0..<most).prefix { place in names.allSatisfy { $0[place] == first[place] } }.count
        let end = (1...).lazy.prefix(most - start)
            .prefix { place in names.allSatisfy { $0[$0.count - place] == first[first.count - place] } }.count
        return (first.prefix(start).map { $0 + "_" }.joined(), first.suffix(end).map { "_" + $0 }.joined())
    }
}

extension StringProtocol {
    /// The words of a name in camelCase or PascalCase.
    var words: [String] {
        reduce(into: []) { words, letter in
            if letter.isUppercase || words.isEmpty { words.append("") }
            words[words.count - 1].append(letter)
        }
    }
}
