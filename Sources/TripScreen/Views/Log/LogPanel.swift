import Canvas
package import Runtime
import TripModel
import TripText

/// All events.
package struct LogPanel: FilteredPanel {
    static let title = Text.viewLog

    /// The number of newest entries hidden by scrolling.
    package private(set) var scroll = 0
    /// Only entries that contain this text are shown; empty shows all.
    package private(set) var filter = ""

    func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas) {
        drawLog(self, of: view.state, on: &canvas, in: layout.body)
    }

    /// Returns the lines from the newest shown one on, as many as a page has.
    func statements(of evidence: Evidence) -> [Statement] {
        let state = evidence.state
        return evidence.statements(of: shown(of: state.log).dropLast(scroll).suffix(state.page))
    }

    mutating func wheel(_ pointer: Pointer, in state: State) -> [PanelRequest] {
        scrollBack(by: -pointer.rows, in: state.log)
        return []
    }

    mutating func seek(_ text: String, in state: State) -> [PanelRequest] {
        filter = text
        scroll = 0
        return []
    }

    /// Returns the entries that match the filter, oldest first.
    package func shown(of log: EventLog) -> SharedArray<EventLog.Entry> {
        filter.isEmpty ? log.entries : log.entries.filter(lets)
    }

    /// Returns whether an entry matches the filter.
    private func lets(_ entry: EventLog.Entry) -> Bool {
        guard !filter.isEmpty else { return true }
        let needle = filter.lowercased()
        return entry.text.lowercased().contains(needle)
            || (entry.journey?.rawValue.lowercased().contains(needle) ?? false)
    }

    /// Scrolls to older entries, or to newer ones with a negative number.
    mutating func scrollBack(by lines: Int, in log: EventLog) {
        scroll = min(max(0, scroll + lines), max(0, shown(of: log).count - 1))
    }

    mutating func keepPlaces(in state: State) { scrollBack(by: 0, in: state.log) }

    /// Shows the newest entries.
    mutating func showNewest() { scroll = 0 }

    /// Retains the shown entries after one was added.
    mutating func adjustScroll(after entry: EventLog.Entry, in log: EventLog) {
        if scroll > 0, lets(entry) { scrollBack(by: 1, in: log) }
    }
}

/// What keys do in the view of all events.
extension LogPanel {
    static let keys = [
        key("scrollLog", "Up Down k j", shown: "Up Dn", .keyScroll, .helpScrollLog) {
            $0.scrollBack(by: -$1.rows, in: $1.state.log)
        }
        .byDirection(),
        key("pageLog", "PgUp PgDn", shown: "PgUp", .keyPage, .helpPageLog) {
            $0.scrollBack(by: -$1.rows, in: $1.state.log)
        }
        .byDirection(),
        key("newestLog", "End G", .keyNewest, .helpNewest) { $0.showNewest() }
            .effective { $0.panels.log.scroll > 0 },
    ]
}

extension ViewKind {
    /// All events.
    package static let log = ViewKind(panel: LogPanel.self)
}

extension Panels {
    package internal(set) var log: LogPanel {
        get { self[LogPanel.self] }
        set { self[LogPanel.self] = newValue }
    }
}
