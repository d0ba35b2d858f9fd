/// Which options work with which source of events: the table of the page Commands of the manual, of which ``OptionTableTests``
/// runs each cell.
enum OptionTable {
    /// A source of events, by its name in the manual.
    enum Source: String, CaseIterable {
        case trip = "a trip"
        case overGRPC = "a trip over gRPC"
        case tripsFile = "`--trips-file`"
        case project = "`--all`"
        case demo = "`demo`"
        case recording = "`replay` of a recording"
        case log = "`--log`"
        case growingLog = "`--log --follow`"
        case playedLog = "`replay` of a log"

        /// Whether an emulator is polled.
        var isPolled: Bool { [.trip, .overGRPC, .tripsFile, .project].contains(self) }
    }

    /// One or two options, by their names in the manual.
    enum Option: String, CaseIterable {
        case expect = "`--expect`, `--report`"
        case record = "`--record`"
        case on = "`--on`"
        case webhook = "`--webhook`"
        case metrics = "`--metrics-port`"
        case until = "`--until`"
        case once = "`--once`"
        case timeout = "`--timeout`"
        case accessible = "`--accessible`"
        case json = "`--output json`"
        case screen = "`--output tui`"
    }

    /// Why an option can't work with a source.
    enum Refusal: String, CaseIterable {
        case recorded = "A recording or a log is kept already: copy the file, or keep a stream with `tee`."
        case readAtOnce =
            "A file that does not grow is read at once, so that nothing could read metrics meanwhile. So is a recording with `--once`."
        case endless = "A log that grows has no last state."

        /// Words of the message of the program.
        var words: String {
            switch self {
            case .recorded: "A recording or a log is kept already"
            case .readAtOnce: "This file is read at once"
            case .endless: "no last state for --once"
            }
        }
    }

    /// Returns why an option is refused; `nil` if it works.
    static func refusal(of option: Option, with source: Source) -> Refusal? {
        switch (option, source) {
        case (.record, .recording), (.record, .log), (.record, .growingLog), (.record, .playedLog): .recorded
        case (.metrics, .log): .readAtOnce
        case (.once, .growingLog): .endless
        default: nil
        }
    }

    /// The lines of the manual.
    static var markdown: [String] {
        let head = "| option | \(Source.allCases.map(\.rawValue).joined(separator: " | ")) |"
        let rows = Option.allCases.map { option in
            let cells = Source.allCases.map { source in
                refusal(of: option, with: source).map { "no: \(number(of: $0))" } ?? "yes"
            }
            return "| \(option.rawValue) | \(cells.joined(separator: " | ")) |"
        }
        let reasons = Refusal.allCases.map { "\(number(of: $0)). \($0.rawValue)" }
        return [head, "|" + String(repeating: "---|", count: Source.allCases.count + 1)] + rows + reasons
    }

    private static func number(of refusal: Refusal) -> Int { (Refusal.allCases.firstIndex(of: refusal) ?? 0) + 1 }
}
