import Failures
import FleetWire

extension PollFailure {
    /// The remote side's message or the parser's position; untrusted text, `nil` if there is none.
    package var detail: String? {
        switch kind {
        case .service(let error, _), .refusedToken(let error, _, _): error.message
        case .webPage(_, let title): title
        case .unreadable(.notJSON(let reason)): reason
        case .unreadable(.unexpected(let path, let reason)): path.isEmpty ? reason : "\(path): \(reason)"
        case .unreadable(.badName(let name)), .unreadable(.unknownName(let name, _)): name
        case .transport(let error): error.reason
        case .token, .redirected, .anotherTrip: nil
        }
    }
}
