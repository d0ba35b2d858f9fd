import ArgumentParser
import Canvas
import FleetTokens
import Foundation
import Recording
import Runtime
import TripFeed
import TripModel
import TripScreen
import TripText

extension SessionConfiguration {
    /// Creates the recorder of the session; `nil` if nothing can be saved: without a file and without a screen.
    func makeRecorder(on screen: ScreenOpening?) throws(CommandFailure) -> SessionRecorder? {
        guard source.polls, recordingPath != nil || output.form == .tui else { return nil }
        return try SessionRecorder(
            header(size: screen?.size ?? (0, 0), screen: screen),
            path: recordingPath,
            clock: clock,
            tokens: tokens
        )
    }

    /// The first line of a recording that begins now.
    func header(size: (width: Int, height: Int), screen: ScreenOpening? = nil) -> RecordingHeader {
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
                host: endpoint.displayName,
                trips: trips.prefix(RecordingHeader.mostTrips).map(\.name),
                interval: interval.seconds,
                thresholds: Dictionary(uniqueKeysWithValues: changed),
                absentFields: allAbsentFields.map(\.rawValue).sorted(),
                tokenSource: trips.first.map { tokens.status(of: .journey($0)).source } ?? ""
            ),
            display: RecordingHeader.Display(
                width: size.width,
                height: size.height,
                language: localizer.wanted.rawValue,
                units: localizer.units.rawValue,
                output: output.form.rawValue,
                screen: screen.flatMap(settings)
            ),
            zone: RecordingHeader.Zone(
                offset: zone.offset,
                name: zone.name,
                hasTwelveHours: zone.hasTwelveHours,
                identifier: zone.rules?.identifier
            )
        )
    }

    /// The settings of the screen; `nil` if it depends on expectations, a tour or a presenter's console, which the recording
    /// does not contain.
    private func settings(of screen: ScreenOpening) -> RecordingHeader.Screen? {
        guard expectations == nil, tour == nil, presenter == nil else { return nil }
        let changed = output.keys.filter { !KeyMap.bindings.contains($0) }
        return RecordingHeader.Screen(
            glyphs: GlyphNames.name(of: screen.glyphs.level),
            themes: ScreenOutput.themes(first: screen.theme),
            mouse: output.options.mouse,
            isPresenter: output.options.presenter,
            cellAspect: output.options.cellAspect,
            keys: Dictionary(uniqueKeysWithValues: changed.map { ($0.command.rawValue, $0.keys.map(\.name)) }),
            scenarios: ride?.settings.scenarios,
            skipsBeginning: ride?.settings.skipsBeginning ?? false,
            faults: faults?.faults.map(\.id) ?? []
        )
    }
}

extension SessionRecorder {
    /// Exports the last minutes to a new file; returns a message with the name of the file or the error.
    func export(_ format: ExportFormat, to path: String) -> Message {
        do throws(RecordedSession.Failure) {
            let session = try RecordedSession(bytes: lastMinutes)
            do throws(ExportFailure) {
                let bytes = try format.file(of: session)
                do throws(OutputFile.Failure) {
                    try OutputFile.create(path, bytes)
                    return .saved(path)
                } catch .system(EEXIST) {
                    return Self.complaint(Localizer.ofProcess(.exportTaken(file: excerpt(path: path))))
                } catch {
                    return Self.complaint(
                        Localizer.ofProcess(
                            .exportNotWritten(file: excerpt(path: path), reason: error.reason(.ofProcess))
                        )
                    )
                }
            } catch {
                return Self.complaint(Localizer.ofProcess(error.text(of: excerpt(path: path))))
            }
        } catch {
            // A recording of this program is readable, unless its memory is damaged.
            return Self.complaint(
                Localizer.ofProcess(.recordingNotSaved(file: excerpt(path: path), reason: "\(error)"))
            )
        }
    }

    /// Returns a complaint on one line; the messages of commands have several.
    private static func complaint(_ text: String) -> Message { .complaint(text.replacing("\n", with: " ")) }
}
