import ArgumentParser
import FleetTokens
import Recording
import TripFeed
import TripModel
import TripText

extension SessionConfiguration {
    /// Creates the recorder of the session; `nil` if nothing can be saved: without a file and without a screen.
    func makeRecorder(size: (width: Int, height: Int)?) throws(CommandFailure) -> SessionRecorder? {
        guard replay == nil, log == nil, recordingPath != nil || output.form == .tui else { return nil }
        return try SessionRecorder(header(size: size ?? (0, 0)), path: recordingPath, clock: clock, tokens: tokens)
    }

    /// The first line of a recording that begins now.
    func header(size: (width: Int, height: Int)) -> RecordingHeader {
        let now = clock.now()
        let zone = output.zone(at: now.wall)
        let localizer = output.localizer()
        let changed = FindingLimit.all.filter { limits[$0] != $0.standard }.map { ($0.id, limits[$0]) }
        return RecordingHeader(
            program: Tripshare.configuration.version,
            start: RecordedMoment(now),
            speed: clock.rate,
            seed: seed,
            configuration: RecordingHeader.Configuration(
                provider: provider.rawValue,
                service: endpoint.baseURL,
                host: endpoint.host,
                trips: trips.prefix(Self.mostRecordedTrips).map(\.rawValue),
                interval: interval.seconds,
                thresholds: Dictionary(uniqueKeysWithValues: changed),
                absentFields: absentFields.map(\.rawValue).sorted(),
                tokenSource: trips.first.map { tokens.status(of: .trip($0)).source } ?? ""
            ),
            display: RecordingHeader.Display(
                width: size.width,
                height: size.height,
                language: localizer.wanted.rawValue,
                units: localizer.units.rawValue,
                output: output.form.rawValue
            ),
            zone: RecordingHeader.Zone(offset: zone.offset, name: zone.name, hasTwelveHours: zone.hasTwelveHours)
        )
    }

    /// The maximum number of trips in the header; the events name the others.
    private static let mostRecordedTrips = 1000
}
