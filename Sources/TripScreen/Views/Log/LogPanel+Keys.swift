import TripText

/// What keys do in the view of all events.
extension LogPanel {
    static var place: any WritableKeyPath<Panels, LogPanel> & Sendable { \.log }

    static let keys = [
        key(.scrollLog, "Up Down k j", shown: "Up Dn", .keyScroll, .helpScrollLog) {
            $0.scrollBack(by: -$1.rows, in: $1.state.log)
        }
        .byDirection(),
        key(.pageLog, "PgUp PgDn", shown: "PgUp", .keyPage, .helpPageLog) {
            $0.scrollBack(by: -$1.rows, in: $1.state.log)
        }
        .byDirection(),
        key(.newestLog, "End G", .keyNewest, .helpNewest) { $0.showNewest() }
            .effective { $0.panels.log.scroll > 0 },
    ]
}
