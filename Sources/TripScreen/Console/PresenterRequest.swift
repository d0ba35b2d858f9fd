import Foundation

/// What a presenter's console asks a demo in another process to do, as JSON; the clock has requests of its own.
///
/// ```
/// {"fault": "503"}            switches a fault on or off
/// {"clearFaults": true}       switches all faults off
/// {"play": "traffic-jam"}     plays another scenario
/// {"jump": "next"}            continues with the next chapter of the tour
/// {"jump": "restart"}         starts the ride again
/// ```
package enum PresenterRequest: Sendable, Equatable {
    case fault(FaultChange)
    case play(String)
    case nextChapter
    case restart

    private struct Body: Codable {
        enum Jump: String, Codable { case next, restart }

        var fault: String?
        var clearFaults: Bool?
        var play: String?
        var jump: Jump?
    }

    /// Reads a request; `nil` if it is not exactly one of them.
    package init?(json: [UInt8]) {
        // The caller learns that the request is unknown, whatever the error is.
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(json)) else { return nil }
        switch (body.fault, body.clearFaults, body.play, body.jump) {
        case (let id?, nil, nil, nil): self = .fault(.toggle(id))
        case (nil, true, nil, nil): self = .fault(.clear)
        case (nil, nil, let scenario?, nil): self = .play(scenario)
        case (nil, nil, nil, .next): self = .nextChapter
        case (nil, nil, nil, .restart): self = .restart
        default: return nil
        }
    }

    /// The request as JSON.
    package var json: [UInt8] {
        let body =
            switch self {
            case .fault(.toggle(let id)): Body(fault: id)
            case .fault(.clear): Body(clearFaults: true)
            case .play(let scenario): Body(play: scenario)
            case .nextChapter: Body(jump: .next)
            case .restart: Body(jump: .restart)
            }
        // Four optional texts and flags can be encoded.
        return Array((try? JSONEncoder().encode(body)) ?? Data())
    }
}
