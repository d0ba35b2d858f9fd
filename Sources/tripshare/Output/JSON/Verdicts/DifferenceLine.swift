import Recording
import Runtime
import TripModel

/// The JSON form of a difference between two recordings.
struct DifferenceLine: Encodable {
    /// A count, a time in seconds, or a list of statuses.
    enum Value: Encodable {
        case number(Double)
        case names([String])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode((number * 1000).rounded() / 1000)
            case .names(let names): try container.encode(names)
            }
        }
    }

    /// `missingTrip`, `status`, `order`, `arrival`, `missingArrival`, `values`, `distance`, `measure`, `missingMeasure`, `polls`,
    /// `errors` or `findings`.
    let type: String
    let trip: String
    let otherTrip: String?
    /// The status, the place of an arrival, the field, the error code or the rule.
    private(set) var name: String?
    /// When the difference was, in seconds since the start.
    private(set) var at: Double?
    /// The greatest difference of a position or a distance.
    private(set) var meters: Double?
    private(set) var a: Value?
    private(set) var b: Value?

    init(_ difference: SessionDifference) {
        trip = difference.journey.name
        otherTrip = difference.otherTrip?.name
        switch difference.kind {
        case .missingTrip(let inA, let inB):
            type = "missingTrip"
            (a, b) = (.number(inA ? 0 : 1), .number(inB ? 0 : 1))
        case .status(let status, let a, let b):
            (type, name) = ("status", status.name)
            (self.a, self.b) = (a.map(Value.number), b.map(Value.number))
        case .order(let a, let b):
            type = "order"
            (self.a, self.b) = (.names(a.map(\.name)), .names(b.map(\.name)))
        case .arrival(let place, let time, let a, let b):
            (type, name, at) = ("arrival", place.rawValue, (time * 1000).rounded() / 1000)
            (self.a, self.b) = (.number(a), .number(b))
        case .missingArrival(let place, let inA, let inB):
            (type, name) = ("missingArrival", place.rawValue)
            (a, b) = (.number(inA ? 0 : 1), .number(inB ? 0 : 1))
        case .values(let field, let a, let b):
            (type, name) = ("values", field.rawValue)
            (self.a, self.b) = (.names(a), .names(b))
        case .distance(let field, let time, let meters):
            (type, name, at) = ("distance", field.rawValue, (time * 1000).rounded() / 1000)
            self.meters = meters.rounded()
        case .measure(let measure, let time, let a, let b):
            (type, name, at) = ("measure", measure.name, (time * 1000).rounded() / 1000)
            (self.a, self.b) = (.number(a), .number(b))
        case .missingMeasure(let measure, let inA, let inB):
            (type, name) = ("missingMeasure", measure.name)
            (a, b) = (.number(inA ? 0 : 1), .number(inB ? 0 : 1))
        case .polls(let a, let b):
            type = "polls"
            (self.a, self.b) = (.number(Double(a)), .number(Double(b)))
        case .errors(let code, let a, let b):
            (type, name) = ("errors", code)
            (self.a, self.b) = (.number(Double(a)), .number(Double(b)))
        case .findings(let rule, let a, let b):
            (type, name) = ("findings", rule)
            (self.a, self.b) = (.number(Double(a)), .number(Double(b)))
        }
    }
}

/// The last line of a comparison.
struct ComparisonLine: Encodable {
    let type = "result"
    let isEqual: Bool
    let differences: Int
    let toleranceSeconds: Double
    /// The fields that were compared, and `polls`, `errors` and `findings`.
    let compared: [String]

    init(_ comparison: SessionComparison) {
        isEqual = comparison.differences.isEmpty
        differences = comparison.differences.count
        toleranceSeconds = comparison.tolerance
        compared = comparison.names
    }
}

extension SessionComparison {
    /// The names of what was compared, as JSON output and errors spell them.
    var names: [String] {
        TripField.allCases.filter(fields.contains).map(\.rawValue) + (hasPolls ? ["polls", "errors", "findings"] : [])
    }
}

/// The result of `verify` as JSON.
struct VerificationLine: Encodable {
    /// The first difference.
    struct Difference: Encodable {
        /// `outcome`, `findings`, `end` or `screen`.
        let kind: String
        /// The line of the file, starting at 1.
        let line: Int
        let time: String
        private(set) var trip: String?
        /// The row of the screen, starting at 1.
        private(set) var row: Int?
        let recorded: String
        let now: String

        init(_ difference: SessionVerification.Difference) {
            (line, time) = (difference.line, Timestamp.text(difference.moment.wall))
            switch difference.content {
            case .event(let event):
                (kind, trip, recorded, now) = (event.kind.rawValue, event.journey.name, event.recorded, event.computed)
            case .screen(let row, let old, let new): (kind, self.row, recorded, now) = ("screen", row, old, new)
            }
        }
    }

    let type = "verification"
    let isEqual: Bool
    let polls: Int
    let screens: Int
    let untracedScreens: Int
    let differentEvents: Int
    let differentScreens: Int
    let first: Difference?

    init(_ result: SessionVerification) {
        (isEqual, polls, screens) = (result.isEqual, result.polls, result.screens)
        untracedScreens = result.untracedScreens
        (differentEvents, differentScreens) = (result.differentEvents, result.differentScreens)
        first = result.first.map(Difference.init)
    }
}
