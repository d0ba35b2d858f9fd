import Canvas
import Failures
import TripFeed
import TripText

/// The service's errors for a watched trip: what they mean and how to fix them.
enum ErrorTable {
    /// One error.
    struct Row: Sendable {
        /// The HTTP status; `nil` for a request without an answer.
        var status: Int?
        var meaning: Text
        var remedy: Text
    }

    static let rows: [Row] = [
        Row(status: 400, meaning: .error400, remedy: .error400Remedy),
        Row(status: 401, meaning: .error401, remedy: .error401Remedy),
        Row(status: 403, meaning: .error403, remedy: .error403Remedy),
        Row(status: 404, meaning: .error404, remedy: .error404Remedy),
        Row(status: 429, meaning: .error429, remedy: .error429Remedy),
        Row(status: 503, meaning: .error503, remedy: .error503Remedy),
        Row(status: 504, meaning: .error504, remedy: .error504Remedy),
        Row(status: nil, meaning: .errorNone, remedy: .errorNoneRemedy),
    ]
}

extension NetworkPanel {
    /// Adds the errors of polls to the help, with their remedies.
    static func addHelp(to help: inout TextBlock, in state: State) {
        let localizer = state.settings.localizer.about(state.shownKind)
        help.add([])
        help.add([.init(localizer(.errorsIfTheyCome), .heading)])
        let isRemote = state.trip?.lastReport?.call?.request.medium == .grpc
        for error in ErrorTable.rows {
            let name = error.status.map { isRemote ? StatusCode(httpStatus: $0).name : String($0) }
            let code = name ?? localizer(.codeNone)
            help.add(.init(code, .accent), localizer(error.meaning), indent: 7)
            help.add(nil, localizer(error.remedy), .secondary, indent: 7)
        }
    }
}
