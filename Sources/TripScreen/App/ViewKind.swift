import TripText

/// A view of the screen: the panel from which everything about it is read.
package struct ViewKind: Sendable {
    /// The type of its panel.
    let panel: any ViewPanel.Type

    /// The views of all sessions, in the order of their number keys: a new view is its folder and a line here.
    static let all: [ViewKind] = [
        .trip, .trips, .token, .network, .inspector, .findings, .log,
        // The views of logs are the last ones, so that the numbers of the others have no gap.
        .sides,
    ]

    /// The views of a log.
    static let ofLogs = all.filter { $0.panel.sessions != .live }

    /// The name that its tab and the breadcrumb use.
    var title: Text { panel.title }

    /// The name on the command line and in the manual.
    package var name: String { Localizer.english(title) }

    /// The number key that shows it.
    package var number: Int { (Self.all.firstIndex(of: self) ?? 0) + 1 }

    /// The rows of its keys.
    var keys: [KeyBinding] { panel.keys.map { $0.views.isEmpty ? $0.inViews([self]) : $0 } }

    /// Returns the view a number of steps to the right (left if negative) among some views, wrapping around.
    func stepped(by steps: Int, in views: [ViewKind]) -> ViewKind {
        let place = views.firstIndex(of: self) ?? 0
        return views[((place + steps) % views.count + views.count) % views.count]
    }
}

extension ViewKind: Hashable {
    package static func == (one: ViewKind, other: ViewKind) -> Bool { one.panel == other.panel }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(panel)) }
}

extension ViewKind: CaseIterable {
    /// The views of every session but that of a log.
    package static let allCases = all.filter { $0.panel.sessions != .logs }
}

extension State {
    /// The views of the session.
    var views: [ViewKind] { settings.hasSides ? ViewKind.ofLogs : ViewKind.allCases }
}
