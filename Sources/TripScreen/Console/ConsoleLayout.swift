import Canvas
import Runtime
import TripText

/// The areas of a presenter's console; drawing and the mouse use the same ones.
///
/// ```text
///  scenario and chapter                    clock
///  Trip   status and connection
///  Token  what it does now and next
///  Now    the caption
///  Next   the caption that follows
///  timers
/// ╭ Faults ───────────╮╭ Notes ────────────────╮
/// ╰───────────────────╯╰───────────────────────╯
///  message
///  buttons
/// ```
struct ConsoleLayout {
    /// A button and its position.
    struct Place: Equatable {
        var button: ConsoleButton
        var name: String
        var label: String
        var rect: Rect
    }

    let header: Rect
    let trip: Rect
    let token: Rect
    let caption: Rect
    let next: Rect
    let timers: Rect
    /// The frames; the frame of the notes is empty without notes on a small terminal.
    let faultsFrame: Rect
    let notesFrame: Rect
    /// The rows of the faults and of the notes within their frames.
    let faults: Rect
    let notes: Rect
    /// The rows of the message; empty without one, and on a small terminal, where it replaces the buttons.
    let message: Rect
    let keys: Rect
    let buttons: [Place]

    /// The minimum height at which empty rows separate the parts.
    private static let tall = 30
    /// The minimum height at which a message has rows of its own.
    private static let spacious = 16
    /// The minimum width at which faults and notes are beside each other.
    private static let wide = 70

    init(_ state: ConsoleState) {
        let screen = Rect(x: 0, y: 0, width: state.width, height: state.height)
        let flow = Self.buttons(of: state, width: screen.width)
        let rows = (flow.last?.rect.y ?? 0) + 1
        let message = state.message.map { Printable.wrapped($0, to: max(1, screen.width - 2), limit: 3).count } ?? 0
        let gap = Rect.Part.fixed(screen.height >= Self.tall ? 1 : 0)
        let parts = screen.rows([
            .fixed(1), gap, .fixed(1), .fixed(1), gap, .fixed(screen.height >= 12 ? 2 : 1), .fixed(1), gap, .fixed(1),
            gap, .flexible(), .fixed(screen.height >= Self.spacious ? message : 0),
            .fixed(min(rows, max(1, screen.height / 6))),
        ])
        let inner = parts.map { $0.inset(horizontal: 1, vertical: 0) }
        (header, trip, token, caption, next) = (parts[0], inner[2], inner[3], inner[5], inner[6])
        (timers, self.message, keys) = (inner[8], inner[11], parts[12])
        let isWide = screen.width >= Self.wide
        if isWide {
            let columns = parts[10].columns([
                .fixed(min(Self.faultsWidth(of: state), screen.width * 5 / 8)), .flexible(),
            ])
            (faultsFrame, notesFrame) = (columns[0], columns[1])
        } else if state.settings.notes != nil {
            let halves = parts[10].rows([.flexible(), .flexible()])
            (faultsFrame, notesFrame) = (halves[0], halves[1])
        } else {
            (faultsFrame, notesFrame) = (parts[10], Rect(x: 0, y: 0, width: 0, height: 0))
        }
        faults = faultsFrame.inset(by: 1).inset(horizontal: 1, vertical: 0)
        notes = notesFrame.inset(by: 1).inset(horizontal: 1, vertical: 0)
        buttons = flow.compactMap { place in
            guard place.rect.y < parts[12].height else { return nil }
            var place = place
            place.rect = Rect(
                x: place.rect.x,
                y: parts[12].y + place.rect.y,
                width: place.rect.width,
                height: 1
            )
            return place
        }
    }

    /// Returns the width of the longest fault with its frame, letter and sign.
    private static func faultsWidth(of state: ConsoleState) -> Int {
        8 + (state.settings.faults.map { TextWidth.of(state.settings.localizer($0.title)) }.max() ?? 0)
    }

    /// Returns the buttons from left to right, in as many rows as they need.
    private static func buttons(of state: ConsoleState, width: Int) -> [Place] {
        var (column, row) = (1, 0)
        return ConsoleButton.all.filter { $0.isOffered(in: state) }.map { button in
            let name = " \(button.keys.first?.name ?? "") "
            let label = "\(state.settings.localizer(button.label)) "
            let columns = TextWidth.of(name + label)
            if column > 1, column + columns > width { (column, row) = (1, row + 1) }
            defer { column += columns }
            return Place(
                button: button,
                name: name,
                label: label,
                rect: Rect(x: column, y: row, width: columns, height: 1)
            )
        }
    }
}

/// A button of the presenter's console: one row of the table ``all``.
struct ConsoleButton: Sendable, Equatable {
    /// What a button does.
    enum Action: Sendable, Equatable {
        case nextChapter, restart, scenarios, pause, slower, faster, firstSpeed, clearFaults, leave
    }

    let action: Action
    /// The keys that press it; the first one is shown.
    let keys: [Key]
    let label: Text

    /// Whether the button is shown: a demo without a tour has no chapters.
    func isOffered(in state: ConsoleState) -> Bool {
        action != .nextChapter || state.report.map { $0.chapter != nil } ?? true
    }

    /// The buttons in the order in which they are drawn.
    static let all: [ConsoleButton] = [
        ConsoleButton(action: .nextChapter, keys: [.character("n")], label: .consoleNextChapter),
        ConsoleButton(action: .restart, keys: [.character("r")], label: .consoleRestart),
        ConsoleButton(action: .scenarios, keys: [.character("s")], label: .consoleScenario),
        ConsoleButton(action: .pause, keys: [.character("p"), .character(" ")], label: .consolePause),
        ConsoleButton(action: .slower, keys: [.character("-"), .character("{")], label: .consoleSlower),
        ConsoleButton(action: .faster, keys: [.character("+"), .character("}")], label: .consoleFaster),
        ConsoleButton(action: .firstSpeed, keys: [.character("="), .character("0")], label: .consoleFirstSpeed),
        ConsoleButton(action: .clearFaults, keys: [.character("x")], label: .consoleClearFaults),
        ConsoleButton(action: .leave, keys: [.character("q"), .control("c")], label: .consoleLeave),
    ]

    /// The letters that switch the faults, in their order; the letters of the buttons are not among them.
    static let faultLetters: [Character] = Array("abcdefghijklmotuvwyz")
}
