import Foundation
import Recording
import Terminal
import TripFeed
import TripModel
import TripScreen
import TripText

extension ScreenOutput {
    /// Records an input of the session.
    func record(_ content: RecordedEvent.Content) { configuration.recorder?.record(content) }

    /// Records a key that has a command, an edit of the command line, a mouse action, a paste or a new size.
    func recordInput(_ event: TerminalEvent) {
        switch event {
        case .key(let key):
            guard let key = TripScreen.Key(key), state.prompt != nil || KeyMap.command(for: key, in: state) != nil
            else { return }
            record(.key(RecordedKey(key: key.name)))
        case .mouse(let mouse):
            guard let pointer = Pointer(mouse), pointer.action != .release else { return }
            record(.key(RecordedKey(mouse: "\(pointer.action)", x: pointer.x, y: pointer.y)))
        case .paste(let text): record(.key(RecordedKey(paste: text)))
        case .resized(let width, let height): record(.size(RecordedSize(width: width, height: height)))
        case .focus, .resumed, .interrupted, .hangup: break
        }
    }

    /// Records a note, a mark, a caption or a switched fault, and keeps it for the report.
    func keep(_ remark: SessionRemark) {
        configuration.remarks.add(remark)
        record(RecordedEvent.Content(remark))
    }

    /// Keeps what a message changes: a caption and switched faults.
    func keepRemarks(of message: Message) {
        let now = configuration.clock.now().wall
        switch message {
        case .caption(let text): keep(SessionRemark(.caption(text), at: now))
        case .faults(let active):
            let known = state.activeFaults
            for id in known where !active.contains(id) { keep(SessionRemark(.fault(id, isActive: false), at: now)) }
            for id in active where !known.contains(id) { keep(SessionRemark(.fault(id, isActive: true), at: now)) }
        default: break
        }
    }

    /// Saves the last minutes in the current folder; returns a message with the name of the file or the error.
    func saveRecording() -> Message {
        let path = "tripshare-\(FileTime.text(configuration.clock.now().wall)).ndjson"
        do throws(OutputFile.Failure) {
            try configuration.recorder?.save(to: path)
            return .saved(path)
        } catch {
            return .complaint(Localizer.ofProcess(.recordingNotSaved, excerpt(path), error.reason(.ofProcess)))
        }
    }
}
