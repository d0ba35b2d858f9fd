package import Foundation

/// A call in a log that has shown a value of a side: the evidence for a sentence about the sides.
package struct SideCall: Sendable, Equatable {
    /// The method, such as `UpdateVehicle`.
    package let method: String
    /// When the service received it.
    package let time: Date
    /// The ID of its entry in Cloud Logging, untrusted text; empty if the entry has none.
    package let insertID: String

    /// Creates a call of an entry.
    package init(method: String, time: Date, insertID: String) {
        (self.method, self.time, self.insertID) = (method, time, insertID)
    }
}
