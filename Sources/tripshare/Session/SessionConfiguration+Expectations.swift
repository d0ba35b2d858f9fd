import Canvas
import Failures
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

extension ExpectationFile {
    /// Reads a file that the user names; `trips` are the trips that it may name, `nil` for any.
    static func read(at path: String, trips: [JourneyID]?) throws(CommandFailure) -> [TripExpectation] {
        let yaml = try InputFile.text(path, what: .nounExpectations, advice: .adviceExpectations)
        do {
            return try read(yaml: yaml, file: path, trips: trips, findings: FindingRule.all.map(\.id))
        } catch {
            throw CommandFailure(
                .badInput,
                .failureExpectationFile(reason: error.description.sanitized(limit: 1000))
            )
        }
    }
}

extension SessionConfiguration {
    /// Reads the file of `--expect`; does nothing without one.
    ///
    /// `begins` is the moment from which times count; `nil` for now, or for the first event of a log.
    mutating func readExpectations(
        _ options: ExpectationOptions,
        begins: Moment? = nil
    ) throws(CommandFailure) {
        guard let path = options.expect else { return }
        let expectations = try ExpectationFile.read(
            at: path,
            trips: isOpen ? nil : trips
        )
        self.expectations = ExpectationWatch(
            expectations,
            reportPath: options.report,
            first: trips.first,
            begins: begins ?? clock.now(),
            isTimedByEvents: source.log != nil,
            isReplayOfLog: source.replay?.isLog == true
        )
    }
}
