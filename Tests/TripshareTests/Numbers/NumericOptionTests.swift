import ArgumentParser
import Foundation
import Testing
import TripTestSupport

@testable import tripshare

/// Every option of every command that takes a number refuses what is none.
///
/// The options come from the command tree, so that a new one is tested without being listed.
@Suite("Numbers on the command line", .ends(within: .longTest))
struct NumericOptionTests {
    /// Texts that C's `strtod` reads, or that look like a number.
    private static let noNumbers = [
        "nan", "NaN", "inf", "-inf", "Infinity", "1e999", "-1e999", "١٢", "1,5", "1 ", "5s",
    ]
    /// Numbers beyond every range that the manual names.
    private static let beyond = ["1e308", "-1e308", "1.7976931348623157e308"]

    /// The words around the number of an option whose value is more than a number.
    private static let forms = ["threshold": "offRoute=%", "on": "late:%=true", "resolve": "host:%:127.0.0.1"]

    /// What a command needs so that its other options can be tested.
    private static let needs = [
        "watch": ["trip-1"], "track": ["s-1"], "doctor": ["trip-1"], "drive": ["v-1", "--to", "Station"],
        "token fetch": ["--trip", "t"], "token mint": ["--trip", "t", "--service-account", "key.json"],
        "tokens serve": ["--service-account", "key.json"],
        "notices send": ["--on", "end=true"], "notices discard": ["--all"],
        "trips": ["--provider-id", "p"],
    ]

    private struct Tree: Decodable {
        struct Name: Decodable { var name: String }
        struct Argument: Decodable {
            var kind: String
            var isOptional: Bool
            var preferredName: Name?
            var allValues: [String]?
        }
        struct Command: Decodable {
            var commandName: String
            var arguments: [Argument]?
            var subcommands: [Command]?
        }
        var command: Command
    }

    /// A command with its options that have a free value.
    private struct CommandOptions: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var options: [Option]
    }

    private struct Option: Sendable {
        var type: any ParsableCommand.Type
        /// The group of options that declares it, if that is known.
        var group: (any ParsableArguments.Type)?
        /// What the command needs besides the option.
        var rest: [String]
        var name: String
        /// Commands share their options: the first one with an option gets all texts, the others a few.
        var isFirst: Bool

        func words(_ value: String) -> [String] {
            rest + ["--\(name)=\((NumericOptionTests.forms[name] ?? "%").replacing("%", with: value))"]
        }
    }

    /// Every option with a free value.
    private static func options() async throws -> [CommandOptions] {
        let run = try await Program.run(["--experimental-dump-help"])
        var commands: [CommandOptions] = []
        var known: Set<String> = []
        func add(_ command: Tree.Command, _ type: any ParsableCommand.Type, _ path: [String]) throws {
            let arguments = command.arguments ?? []
            let given = needs[path.joined(separator: " ")]
            let required = arguments.filter { !$0.isOptional }.flatMap { argument -> [String] in
                if argument.kind == "positional" { return given == nil ? ["x"] : [] }
                guard argument.kind == "option", let name = argument.preferredName?.name else { return [] }
                return ["--\(name)", argument.allValues?.first ?? "x"]
            }
            let names = arguments.filter { $0.kind == "option" && ($0.allValues ?? []).isEmpty }
                .compactMap(\.preferredName?.name)
            let declared = groups.filter { $0.type.isDeclared(by: type) }
            let options = names.map { name in
                Option(
                    type: type,
                    group: declared.first { $0.options.contains(name) }?.type,
                    rest: (given ?? []) + required,
                    name: name,
                    isFirst: known.insert(name).inserted
                )
            }
            if !options.isEmpty {
                commands.append(
                    CommandOptions(testDescription: path.joined(separator: " "), options: options)
                )
            }
            for inner in command.subcommands ?? [] where inner.commandName != "help" {
                let name = inner.commandName
                let innerType = try #require(type.configuration.subcommands.first { $0._commandName == name })
                try add(inner, innerType, path + [name])
            }
        }
        try add(try JSONDecoder().decode(Tree.self, from: Data(run.output.utf8)).command, Tripshare.self, [])
        return commands
    }

    /// The groups of several commands, with the options that each declares.
    ///
    /// In a debug build, the parser checks the declarations of a group several times for each level above it, so that a
    /// command takes many times as long as one of its groups.
    private static let groups: [(type: any ParsableArguments.Type, options: Set<String>)] = {
        let types: [any ParsableArguments.Type] = [
            ServiceOptions.self, TokenSourceOptions.self, TokenAnswerOptions.self, TransportOptions.self,
            CertificateOptions.self, SessionOptions.self, DisplayOptions.self, ExpectationOptions.self,
            NoticeOptions.self, MetricsOptions.self, NetworkOptions.self,
        ]
        // A group that needs other arguments can't be asked alone.
        return types.filter { (try? $0.parse([])) != nil }.map { type in
            (type, Set(type.helpMessage(columns: 200).matches(of: /(?m)^  --([a-z0-9-]+)/).map { String($0.1) }))
        }
    }()

    /// Whether the parser of the option's command accepts the words, without performing the command.
    ///
    /// The command parses them alone: the whole tree of commands would be built again for each text. What the option's own
    /// group refuses, the command refuses.
    private static func accepts(_ option: Option, _ words: [String]) -> Bool {
        if let group = option.group, (try? group.parse(Array(words.dropFirst(option.rest.count)))) == nil {
            return false
        }
        return (try? option.type.parse(words)) != nil
    }

    /// What accepts a word is no number; its readers check it later.
    private static func takesNumber(_ option: Option) -> Bool {
        !accepts(option, option.words("x"))
            && ["1", "5", "60", "401", "500"].contains { accepts(option, option.words($0)) }
    }

    @Test(arguments: try await options())
    private func `an option that takes a number refuses what is none or beyond all ranges`(_ options: CommandOptions) {
        for (index, option) in options.options.enumerated() {
            if index == 0 {
                #expect(Self.accepts(option, option.rest), "\(option.rest) is not enough for its command")
            }
            guard Self.takesNumber(option) else { continue }
            for text in option.isFirst ? Self.noNumbers + Self.beyond : ["x1", "nan", "1e309"] {
                #expect(!Self.accepts(option, option.words(text)), "--\(option.name) accepts ‘\(text)’")
            }
            // The least numbers are accepted or refused; none traps.
            for text in option.isFirst ? ["1e-320", "-1e-320", "-0", "0"] : ["0"] {
                _ = Self.accepts(option, option.words(text))
            }
        }
    }

    /// The options that the manual describes as numbers, as a sample against a tree that is not read.
    @Test func `the options of the manual with numbers are among those that are tried`() async throws {
        let options = try await Self.options().flatMap(\.options)
        for name in [
            "assume-token-lifetime", "cell-aspect", "from", "idle-interval", "interval", "lifetime", "limit",
            "metrics-port", "minimum-staleness", "missing-token", "notice-time", "notice-wait", "on", "pace",
            "page-size",
            "pages", "port", "quota", "resolve", "seed", "speed", "stale-after", "threshold", "timeout",
            "token-failure",
            "token-latency", "token-lifetime", "tolerance", "wait", "webhook-batch",
        ] {
            #expect(options.contains { $0.name == name && Self.takesNumber($0) }, "--\(name)")
        }
        // Each group can be asked alone, and its help names its options.
        for group in Self.groups { #expect(!group.options.isEmpty, "\(group.type)") }
        #expect(Self.groups.count == 11)
    }

    @Test func `a refused number is named with what is wanted`() async throws {
        for (words, option) in [
            (["replay", "x", "--speed", "nan"], "--speed"), (["watch", "t", "--interval", "inf"], "--interval"),
            (["compare", "a", "b", "--tolerance", "1e308"], "--tolerance"),
        ] {
            let run = try await Program.runInProcess(words)
            #expect(run.status == 64 && run.errors.contains(option), "\(run.errors)")
        }
    }

    @Test(arguments: ["file", "variable"])
    func `no setting accepts what is not a number`(_ place: String) async throws {
        let texts = Self.noNumbers + Self.beyond + ["0x1p3", "1e-400x"]
        for name in SettingRows.list.map(\.key) {
            for text in texts {
                let variable = "TRIPSHARE_" + name.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
                // A variable has several thresholds, with blanks between them.
                let blank = text.trimmingCharacters(in: .whitespaces) != text
                if place == "variable", name == "thresholds", blank { continue }
                let value = name == "thresholds" ? "offRoute=\(text)" : text
                try await Program.withFolder { folder in
                    let file = folder.appending(path: "config.json")
                    // Numbers that JSON has no form for are texts in it.
                    let json = name == "thresholds" ? #"{"offRoute":"\#(text)"}"# : "\"\(text)\""
                    try Data(#"{"\#(name)":\#(json)}"#.utf8).write(to: file)
                    let environment =
                        place == "file" ? ["TRIPSHARE_CONFIG": file.path] : [variable: value, "HOME": folder.path]
                    let context = ProcessContext(environment: environment, write: { _, _ in })
                    let settings = ProcessContext.$current.withValue(context) { try? Settings.load() }
                    guard let settings else { return }
                    #expect(settings.interval == nil && settings.quota == nil, "\(name) ‘\(text)’")
                    #expect(settings.thresholds.isEmpty, "\(name) ‘\(text)’")
                }
            }
        }
    }
}

extension ParsableArguments {
    /// Returns whether these options are a group of a command.
    fileprivate static func isDeclared(by command: any ParsableCommand.Type) -> Bool {
        Mirror(reflecting: command.init()).children.contains { $0.value is OptionGroup<Self> }
    }
}
