import DequeModule
import Runtime
import Synchronization
import TripModel

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
