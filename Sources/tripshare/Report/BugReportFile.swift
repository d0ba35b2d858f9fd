import Foundation
import Recording
import TripModel

/// A bug report as an archive in the current folder.
struct BugReportFile: Sendable {
    /// The name without the extension, which is also the folder in the archive.
    let name: String
    private let archive: [UInt8]

    /// Creates the archive of some files.
    init(_ files: [(name: String, content: [UInt8])], journey: JourneyID, time: Date) {
        let plain = journey.rawValue.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" }
        name = "tripshare-\(FileTime.text(time))-\(String(plain.prefix(40)))"
        var tar = TarArchive(time: time)
        for file in files { tar.add("\(name)/\(file.name)", file.content) }
        archive = tar.finished
    }

    /// The path in the current folder of the file with this number; the first one has none.
    func path(_ number: Int = 1) -> String { number < 2 ? "\(name).tar.gz" : "\(name)-\(number).tar.gz" }

    /// Writes a new file; returns its path.
    ///
    /// Another number is added to the name of an existing file.
    func write() throws(OutputFile.Failure) -> String {
        let bytes = GzipFile.compressed(archive)
        for number in 1..<Self.mostNumbers {
            do throws(OutputFile.Failure) {
                guard try OutputFile.target(path(number)) == .absent else { throw .system(EEXIST) }
                try OutputFile.create(path(number), bytes)
                return path(number)
            } catch {
                guard error == .system(EEXIST) else { throw error }
            }
        }
        throw .system(EEXIST)
    }

    private static let mostNumbers = 100
}

/// A time in the name of a file.
enum FileTime {
    /// Returns a time as `20260101-170000` in the zone of the process.
    static func text(_ time: Date) -> String {
        Date.VerbatimFormatStyle(
            format:
                "\(year: .defaultDigits)\(month: .twoDigits)\(day: .twoDigits)-\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased))\(minute: .twoDigits)\(second: .twoDigits)",
            timeZone: .current,
            calendar: Calendar(identifier: .gregorian)
        ).format(time)
    }
}
