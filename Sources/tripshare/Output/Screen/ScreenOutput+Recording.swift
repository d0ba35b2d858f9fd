import AsyncAlgorithms
import Canvas
import Foundation
import Recording
import Runtime
import Terminal
import TripFeed
import TripModel
import TripScreen
import TripText

extension ScreenOutput {
    /// Records an input of the session.
    func record(_ content: RecordedEvent.Content) { configuration.recorder?.record(content) }

    /// Shows and records a message.
    mutating func show(_ message: Message) -> [Effect] {
        if let recorded = RecordedMessage(message) { record(.message(recorded)) }
        // The answer to a command is shown also while the past is.
        switch message {
        case .complaint, .saved: if travel != nil { _ = travel?.state.update(message) }
        default: break
        }
        return state.update(message)
    }

    /// Records what is on the screen, and the time if it has moved the section of the map.
    ///
    /// The command line completes names that the recording does not contain.
    func recordScreen(_ canvas: @autoclosure () -> Canvas, hasMoved: Bool = false, isLast: Bool = false) {
        configuration.recorder?.screenDrawn(
            state.prompt == nil && travel == nil ? ScreenPicture(canvas()) : nil,
            dependsOnTime: hasMoved,
            isLast: isLast
        )
    }

    /// Records a key, a mouse action, a paste or a new size.
    mutating func recordInput(_ event: TerminalEvent) {
        switch event {
        case .key(let key):
            // A key without a command also ends a message and answers a question.
            guard let key = TripScreen.Key(key) else { return }
            record(.key(RecordedKey(key: typed.recorded(key).name)))
        case .mouse(let mouse):
            guard let pointer = Pointer(mouse), pointer.action != .release else { return }
            record(.key(RecordedKey(mouse: "\(pointer.action)", x: pointer.x, y: pointer.y)))
        case .paste(let text): record(.key(RecordedKey(paste: text)))
        case .resized(let width, let height): record(.size(RecordedSize(width: width, height: height)))
        case .focus, .background, .resumed, .interrupted, .hangup: break
        }
    }

    /// Records a note, a mark, a caption or a switched fault, and stores it for the report.
    func store(_ remark: SessionRemark) {
        configuration.remarks.add(remark)
        record(RecordedEvent.Content(remark))
    }

    /// Stores what a message changes: a caption and switched faults.
    func storeRemarks(of message: Message) {
        let now = configuration.clock.now().wall
        switch message {
        case .caption(let text, let conditions): store(SessionRemark(.caption(text, while: conditions), at: now))
        case .faults(let active):
            let known = state.activeFaults
            for id in known where !active.contains(id) { store(SessionRemark(.fault(id, isActive: false), at: now)) }
            for id in active where !known.contains(id) { store(SessionRemark(.fault(id, isActive: true), at: now)) }
        default: break
        }
    }

    /// Exports the last minutes in another task; a message names the new file or the error.
    mutating func export(_ name: String, to path: String?) {
        guard let recorder = configuration.recorder, let format = ExportFormat(rawValue: name) else { return }
        let path = path ?? newFile(format.fileExtension)
        perform(path) { recorder.export(format, to: path) }
    }

    /// The name of a new file in the current folder.
    func newFile(_ fileExtension: String) -> String {
        "tripshare-\(FileTime.text(configuration.clock.now().wall)).\(fileExtension)"
    }

    /// Saves the last minutes in the current folder; returns a message with the name of the file or the error.
    func saveRecording() -> Message {
        let path = newFile("ndjson")
        do throws(OutputFile.Failure) {
            try configuration.recorder?.save(to: path)
            return .saved(path)
        } catch {
            return .complaint(
                Localizer.ofProcess(
                    .recordingNotSaved(file: excerpt(path: path), reason: error.reason(.ofProcess))
                )
            )
        }
    }
}

extension RecordedMessage {
    /// Converts a message of an effect; `nil` for a message that is recorded otherwise or has no effect on text.
    fileprivate init?(_ message: Message) {
        switch message {
        case .complaint(let text): self.init(.complaint, text)
        case .saved(let path): self.init(.saved, path)
        case .notice(let text): self.init(.notice, text)
        case .delivery(let text): self.init(.delivery, text)
        case .faults(let names): self.init(.faults, names.joined(separator: ","))
        case .basemap, .tiles: self.init(.map)
        case .feed, .token, .search, .inspected, .key, .pointer, .paste, .resized, .tick, .speed, .caption,
            .expectations,
            .remark,
            .found, .logged, .page, .command, .timeLine:
            return nil
        }
    }
}

extension ScreenPicture {
    /// Converts a drawn screen.
    init(_ canvas: Canvas) {
        // A picture has at least one row, also of a terminal without any.
        self.init(width: canvas.width, rows: canvas.height == 0 ? [""] : canvas.rows)
    }
}
