import ArgumentParser
import Failures
import Recording
import TripModel
import TripText

/// `tripshare verify`: whether this program concludes and shows what a recording holds.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Play a recording and report the first event or screen that differs.",
        discussion: """
            Compares the outcomes of polls, the findings and the ends of trips, and the pictures of the screen at the \
            recorded size. Exits with 0 if all are equal, otherwise with 1.
            """
    )

    @Argument(help: ArgumentHelp("The recording.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The output format.", valueName: "format"))
    var output: ReportForm = .plain

    func run() throws {
        let (reader, provider) = try SessionFile.recording(file)
        let result = SessionVerification(reader, provider: provider)
        SessionFile.warn(ofSkipped: result.skipped, in: file)
        guard result.skipped == 0 || result.polls + result.screens > 0 else {
            throw CommandFailure(.badInput) {
                $0(.failureSession(file: excerpt(path: file), reason: $0(.verifyNothing)))
            }
        }
        let code: ExitStatus = result.isEqual ? .done : .expectationFailed
        switch output {
        case .plain:
            let localizer = output.localizer
            for line in result.text(localizer) { Printing.out(line, ifUnread: code) }
        case .json: Printing.json(VerificationLine(result), ifUnread: code)
        }
        if code != .done { throw CommandFailure.silent(code) }
    }
}
