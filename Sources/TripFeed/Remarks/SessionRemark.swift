import DequeModule
package import Foundation
import Runtime
import Synchronization
package import TripModel

/// What the tester noted or switched at a time of the session, or a caption of its scenario.
package struct SessionRemark: Sendable, Equatable {
    /// What was remarked.
    package enum Content: Sendable, Equatable {
        /// The tester wrote this; untrusted text.
        case note(String)
        /// The tester marked the time.
        case mark
        /// A fault was switched on or off; its name.
        case fault(String, isActive: Bool)
        /// The caption of a scenario, and the conditions under which it is shown, empty without any; untrusted texts.
        case caption(String, while: String)
    }

    /// When it was remarked, by the local clock; for a note, when its input was opened.
    package var time: Date
    /// What was remarked.
    package var content: Content
    /// The shown journey; `nil` if there was none.
    package var journey: JourneyID?
    /// The status of that trip; `nil` if it was not known.
    package var status: JourneyStatus?
    /// The rows of the screen at that time; empty without a screen.
    package var screen: [String]

    package init(
        _ content: Content,
        at time: Date,
        journey: JourneyID? = nil,
        status: JourneyStatus? = nil,
        screen: [String] = []
    ) {
        (self.content, self.time) = (content, time)
        (self.journey, self.status, self.screen) = (journey, status, screen)
    }

    /// Creates the remark of an input; an empty text is a mark.
    package init(input text: String, at time: Date, journey: JourneyID?, status: JourneyStatus?, screen: [String]) {
        self.init(text.isEmpty ? .mark : .note(text), at: time, journey: journey, status: status, screen: screen)
    }

    /// The name of its kind: `note`, `mark`, `fault` or `caption`.
    package var kind: String {
        switch content {
        case .note: "note"
        case .mark: "mark"
        case .fault: "fault"
        case .caption: "caption"
        }
    }
}

/// The latest remarks of a session, for its reports.
package final class RemarkLog: Sendable {
    /// The maximum number of remarks.
    package static let maximumCount = 1000
    /// The number of latest remarks that retain their screens.
    package static let mostScreens = 100

    private let remarks = Locked<Deque<SessionRemark>>([])

    /// Creates an empty log.
    package init() {}

    /// All remarks, oldest first.
    package var all: [SessionRemark] { remarks.withLock { Array($0) } }

    /// Adds a remark; the oldest one and old screens leave.
    package func add(_ remark: SessionRemark) {
        remarks.withLock { remarks in
            remarks.append(remark)
            if remarks.count > Self.maximumCount { remarks.removeFirst() }
            let old = remarks.count - Self.mostScreens - 1
            if old >= 0 { remarks[old].screen = [] }
        }
    }
}
