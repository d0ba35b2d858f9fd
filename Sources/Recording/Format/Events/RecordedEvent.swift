package import Foundation
package import Runtime
package import TripFeed
import TripModel

/// One line of a recording after the header: an input of the session, or what the session concluded from its inputs.
package struct RecordedEvent: Sendable, Equatable {
    /// What happened.
    package enum Content: Sendable, Equatable {
        /// A request is about to be sent.
        case request(RecordedRequest)
        /// A poll is complete: the request and its answer.
        case poll(RecordedPoll)
        /// A page of a search for the trips of the project was read, or could not be.
        case search(SearchEvent)
        /// A command or the quota changed the poll schedule.
        case schedule(RecordedScheduleChange)
        /// The rules reported findings about the preceding poll.
        case findings(RecordedFindings)
        /// Polls that are not in the recording.
        case omission(RecordedOmission)
        /// A trip is no longer followed.
        case end(RecordedEnd)
        /// The driver of a followed trip has called the service.
        case driver(RecordedDriver)
        /// An event of a token.
        case token(RecordedToken)
        /// A key, a mouse action or a paste that changed something on the screen.
        case key(RecordedKey)
        /// The terminal has a new size.
        case size(RecordedSize)
        /// The clock was paused, changed its speed, or was stepped.
        case clock(RecordedClock)
        /// A fault was injected or cleared.
        case fault(RecordedFault)
        /// A note or a mark of the user, or a caption of a scenario.
        case note(RecordedNote)
        /// How far the screen had read the events, and what it showed.
        case screen(RecordedScreen)
        /// A message to the screen.
        case message(RecordedMessage)
    }

    /// The time on the session's steady clock when the event was recorded.
    package var at: Duration
    /// The wall clock time when the event was recorded.
    package var time: Date
    /// What happened.
    package var content: Content

    package init(_ content: Content, at moment: Moment) {
        (at, time) = (moment.steady, moment.wall)
        self.content = content
    }

    /// The time on both clocks.
    package var moment: Moment { Moment(wall: time, steady: at) }
}

/// The names of the event types in recordings.
package enum RecordedEventType: String, Sendable, CaseIterable, Decodable {
    case request, poll, search, schedule, findings, omission, end, driver, token, key, size, clock, fault, note, screen,
        message
}

extension RecordedEvent.Content {
    /// The name of the type.
    package var type: RecordedEventType {
        switch self {
        case .request: .request
        case .poll: .poll
        case .search: .search
        case .schedule: .schedule
        case .findings: .findings
        case .omission: .omission
        case .end: .end
        case .driver: .driver
        case .token: .token
        case .key: .key
        case .size: .size
        case .clock: .clock
        case .fault: .fault
        case .note: .note
        case .screen: .screen
        case .message: .message
        }
    }

    /// The members of the line besides the type and the times.
    var payload: any Encodable {
        switch self {
        case .request(let payload): payload
        case .poll(let payload): payload
        case .search(let payload): payload
        case .schedule(let payload): payload
        case .findings(let payload): payload
        case .omission(let payload): payload
        case .end(let payload): payload
        case .driver(let payload): payload
        case .token(let payload): payload
        case .key(let payload): payload
        case .size(let payload): payload
        case .clock(let payload): payload
        case .fault(let payload): payload
        case .note(let payload): payload
        case .screen(let payload): payload
        case .message(let payload): payload
        }
    }

    fileprivate init(_ type: RecordedEventType, from decoder: any Decoder) throws {
        self =
            switch type {
            case .request: .request(try RecordedRequest(from: decoder))
            case .poll: .poll(try RecordedPoll(from: decoder))
            case .search: .search(try SearchEvent(from: decoder))
            case .schedule: .schedule(try RecordedScheduleChange(from: decoder))
            case .findings: .findings(try RecordedFindings(from: decoder))
            case .omission: .omission(try RecordedOmission(from: decoder))
            case .end: .end(try RecordedEnd(from: decoder))
            case .driver: .driver(try RecordedDriver(from: decoder))
            case .token: .token(try RecordedToken(from: decoder))
            case .key: .key(try RecordedKey(from: decoder))
            case .size: .size(try RecordedSize(from: decoder))
            case .clock: .clock(try RecordedClock(from: decoder))
            case .fault: .fault(try RecordedFault(from: decoder))
            case .note: .note(try RecordedNote(from: decoder))
            case .screen: .screen(try RecordedScreen(from: decoder))
            case .message: .message(try RecordedMessage(from: decoder))
            }
    }
}

extension RecordedEvent: Decodable {
    private enum Key: String, CodingKey {
        case type, at, time
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let text = try container.decode(String.self, forKey: .time)
        guard let time = Timestamp.date(text) else {
            throw DecodingError.dataCorruptedError(forKey: .time, in: container, debugDescription: "not RFC 3339")
        }
        self.time = time
        at = Duration(recorded: try container.decode(Double.self, forKey: .at))
        content = try Content(container.decode(RecordedEventType.self, forKey: .type), from: decoder)
    }
}
