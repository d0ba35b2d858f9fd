package import Runtime
package import TripFeed

/// The first line of a recording: what is needed to show the session again, without secrets.
package struct RecordingHeader: Sendable, Equatable, Codable {
    /// The format version; a reader accepts every minor version of its major version.
    package struct Version: Sendable, Equatable, Codable {
        /// Changes with an incompatible format.
        package var major: Int
        /// Changes when event types or keys are added.
        package var minor: Int

        /// The version that this program writes.
        package static let current = Version(major: 3, minor: 0)

        /// The version in a message, such as `3.0`.
        package var name: String { "\(major).\(minor)" }
    }

    /// The time zone of the displayed times.
    package struct Zone: Sendable, Equatable, Codable {
        /// The offset from UTC in seconds at the start.
        package var offset: Int
        /// The abbreviation, such as `CEST`; may be empty.
        package var name: String
        /// Whether times are displayed in the 12-hour form.
        package var hasTwelveHours: Bool
        /// The name in the time zone database, such as `Europe/Berlin`; `nil` if the offset applies to all times.
        package var identifier: String?
    }

    /// How the session was displayed.
    package struct Display: Sendable, Equatable, Codable {
        /// The columns of the terminal; 0 without a screen.
        package var width: Int
        /// The rows of the terminal; 0 without a screen.
        package var height: Int
        /// The language code, such as `de`.
        package var language: String
        /// `metric` or `imperial`.
        package var units: String
        /// `tui`, `plain` or `json`.
        package var output: String
        /// The settings of the screen; `nil` without one.
        package var screen: Screen?
    }

    /// The settings on which the pictures of the screen depend.
    package struct Screen: Sendable, Equatable, Codable {
        /// The character set: `braille`, `sextants`, `blocks` or `ascii`.
        package var glyphs: String
        /// The names of the themes, the current one first.
        package var themes: [String] = []
        /// Whether mouse reports were enabled.
        package var mouse = false
        /// Whether the presenter mode was enabled.
        package var isPresenter = false
        /// The height of a terminal cell divided by its width.
        package var cellAspect: Double = 2
        /// The changed keys by the names of their commands.
        package var keys: [String: [String]] = [:]
        /// The scenarios that can be played; `nil` if the clock of the ride cannot be changed.
        package var scenarios: [String]?
        /// Whether the wait for a driver is fast-forwarded.
        package var skipsBeginning = false
        /// The names of the faults in the menu.
        package var faults: [String] = []
    }

    /// The configuration of the session, without secrets.
    package struct Configuration: Sendable, Equatable, Codable {
        /// The project that owns the trips.
        package var provider: String
        /// The base URL of the service.
        package var service: String
        /// The host of the service as displayed.
        package var host: String
        /// The trips at the start.
        package var trips: [String]
        /// The requested poll interval in seconds.
        package var interval: Double
        /// The changed thresholds of findings by name.
        package var thresholds: [String: Double] = [:]
        /// The fields that no answer contains, by their API names.
        package var absentFields: [String] = []
        /// The kind of the token source, such as `http endpoint`.
        package var tokenSource = ""

        /// The thresholds of findings; the default for one that was not changed, and for a value that no session accepts.
        package var limits: FindingLimits {
            FindingLimit.all.reduce(into: FindingLimits()) { limits, limit in
                if let value = thresholds[limit.id], limit.range.contains(value) { limits[limit] = value }
            }
        }
    }

    /// The maximum number of trips; the events name the others.
    package static let mostTrips = 1000

    /// The name of the format, which identifies the file.
    package static let formatName = "tripshare-recording"

    /// Always ``formatName``.
    package var format: String
    /// The format version.
    package var version: Version
    /// The version of the program that wrote the file.
    package var program: String
    /// When the recording began.
    package var start: RecordedMoment
    /// Virtual seconds per real second at the start.
    package var speed: Double
    /// The random seed in decimal; a string, because JSON numbers have only 53 bits.
    package var seed: String
    /// The configuration of the session.
    package var configuration: Configuration
    /// How the session was displayed.
    package var display: Display
    /// The time zone of displayed times.
    package var zone: Zone
    /// `true` if the beginning of the session is missing, as in the last minutes of a longer one.
    package var isPartial: Bool?

    /// Creates the header of a new recording.
    package init(
        program: String,
        start: RecordedMoment,
        speed: Double = 1,
        seed: UInt64,
        configuration: Configuration,
        display: Display,
        zone: Zone
    ) {
        format = Self.formatName
        version = .current
        self.program = program
        self.start = start
        self.speed = speed
        self.seed = String(seed)
        self.configuration = configuration
        self.display = display
        self.zone = zone
    }
}
