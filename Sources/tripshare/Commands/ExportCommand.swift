import ArgumentParser
import Failures
import Recording
import SystemPackage
import TripText

/// `tripshare export`: converts a recording to a format of another program.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Convert a recording for another program.",
        discussion: """
            Reads a recording of tripshare, a Cloud Logging export or a Fleet Debugger file. No format contains a token. \
            csv and asciicast need the polls of a recording.
            """
    )

    @Argument(help: ArgumentHelp("The recording or the log.", valueName: "file"))
    var recording: String

    @Option(help: ArgumentHelp("The format.", valueName: "format"))
    var format: ExportFormat

    @Option(help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"))
    var outputFile: String?

    @Flag(help: "Replace an existing file.")
    var overwrite = false

    func run() throws {
        // Before the work, so that a wrong name is reported at once.
        if let outputFile { try checkIsFree(outputFile) }
        let session = try SessionFile.read(recording)
        SessionFile.warn(ofSkippedIn: session.skippedInLog, recording)
        let bytes: [UInt8]
        do throws(ExportFailure) {
            bytes = try format.file(of: session)
        } catch {
            throw CommandFailure(.badInput) { [recording] in $0(error.text(of: excerpt(path: recording))) }
        }
        guard let outputFile else {
            // `Printing` appends the line feed at the end of the file.
            return Printing.own(
                String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
            )
        }
        do throws(OutputFile.Failure) {
            try OutputFile.write(bytes, to: outputFile)
        } catch {
            throw Self.notWritten(outputFile, error)
        }
    }

    private func checkIsFree(_ path: String) throws(CommandFailure) {
        // An unreadable recording is reported when it is read; a missing output file is no recording.
        if let read = try? FilePath(recording).stat(), let written = try? FilePath(path).stat(),
            read.type == .regular, (read.deviceID, read.inode) == (written.deviceID, written.inode)
        {
            throw CommandFailure(.outputFailed, .exportOverItself(file: excerpt(path: path)))
        }
        do throws(OutputFile.Failure) {
            guard case .regular = try OutputFile.target(path), !overwrite else { return }
        } catch {
            throw Self.notWritten(path, error)
        }
        throw CommandFailure(.outputFailed, .exportExists(file: excerpt(path: path)))
    }

    private static func notWritten(_ path: String, _ failure: OutputFile.Failure) -> CommandFailure {
        CommandFailure(.outputFailed) {
            $0(.exportNotWritten(file: excerpt(path: path), reason: failure.reason($0)))
        }
    }
}

extension ExportFailure {
    /// Returns the message about a file.
    func text(of file: String) -> Text {
        switch self {
        case .noPolls: .exportNoPolls(file: file)
        case .noPlaces: .exportNoPlaces(file: file)
        case .noTrips: .exportNoTrips(file: file)
        }
    }
}
