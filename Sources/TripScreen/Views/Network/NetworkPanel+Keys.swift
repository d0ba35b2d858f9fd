import TripText

/// What keys do in the list of calls.
extension NetworkPanel {
    static var place: any WritableKeyPath<Panels, NetworkPanel> & Sendable { \.network }

    static let keys = [
        key(.openCall, "Enter", .keyOpen, .helpOpenCall) { $0.openCall(in: $1.state) },
        key(.chooseCall, "Up Down k j", shown: "Up Dn", .keyChoose, .helpChooseCall) {
            $0.move(by: $1.rows, in: $1.state)
        },
        key(.pageCalls, "PgUp PgDn Home End g G", shown: "PgUp", .keyPage, .helpPageCalls) {
            $0.move(by: $1.rows, in: $1.state)
        }
        .hidden(),
        key(.nextFailure, "n", .keyNextFailure, .helpNextFailure) { $0.jumpToFailure(forward: true, in: $1.state) },
        key(.previousFailure, "N", .keyPreviousFailure, .helpPreviousFailure) {
            $0.jumpToFailure(forward: false, in: $1.state)
        }
        .hidden(),
        key(.failuresOnly, "!", .keyFailuresOnly, .helpFailuresOnly) { $0.toggleFailuresOnly() },
        key(.orderCalls, "s", .keyOrder, .helpOrderCalls) { $0.changeOrder() },
        key(.reverseCalls, "S", .keyReverse, .helpReverseCalls) { $0.reverse() }
            .hidden(),
    ]
}
