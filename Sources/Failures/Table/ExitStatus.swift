/// The exit codes of the program; named cases follow sysexits.h where it defines one.
package enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case expectationFailed = 1
    case usage = 64
    case badInput = 65
    case notFound = 66
    case unavailable = 69
    case internalError = 70
    case outputFailed = 74
    case stillWaiting = 75
    case notPermitted = 77
    case badConfiguration = 78
    case interrupted = 130
}
