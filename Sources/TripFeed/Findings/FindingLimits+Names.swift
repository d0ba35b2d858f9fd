import TripModel

extension FindingLimits {
    /// The name of a threshold in flags and settings.
    package enum Name: String, Sendable, Hashable, CaseIterable {
        case overdue, longOverdue, arrivalJump, arrivalSlide, distanceGrowth, detour, routeShare, routeDifference
        case planDistance, speed, gap, measuredAge, standstill, noise, offRoute, deviceClock, lateness, clockOffset

        /// The unit of its value.
        package var unit: Unit {
            switch field {
            case .span: .seconds
            case .way: .meters
            case .number(_, let unit): unit
            }
        }

        /// The accepted values.
        package var range: ClosedRange<Double> { unit == .share ? 0...1 : 0...1_000_000 }

        fileprivate var field: Field {
            switch self {
            case .overdue: .span(\.overdue)
            case .longOverdue: .span(\.longOverdue)
            case .arrivalJump: .span(\.arrivalJump)
            case .arrivalSlide: .span(\.arrivalSlide)
            case .distanceGrowth: .way(\.distanceGrowth)
            case .detour: .way(\.detour)
            case .routeShare: .number(\.routeShare, .share)
            case .routeDifference: .way(\.routeDifference)
            case .planDistance: .way(\.planDistance)
            case .speed: .number(\.speed, .metersPerSecond)
            case .gap: .span(\.gap)
            case .measuredAge: .span(\.measuredAge)
            case .standstill: .span(\.standstill)
            case .noise: .way(\.noise)
            case .offRoute: .way(\.offRoute)
            case .deviceClock: .span(\.deviceClock)
            case .lateness: .span(\.lateness)
            case .clockOffset: .span(\.clockOffset)
            }
        }
    }

    /// The unit of a threshold, as printed.
    package enum Unit: String, Sendable, Hashable {
        case seconds = "s"
        case meters = "m"
        case metersPerSecond = "m/s"
        /// A fraction from 0 to 1.
        case share = "of 1"
    }

    fileprivate enum Field {
        case span(WritableKeyPath<FindingLimits, Duration>)
        case way(WritableKeyPath<FindingLimits, Distance>)
        case number(WritableKeyPath<FindingLimits, Double>, Unit)
    }

    /// The value of a threshold in its unit.
    package subscript(name: Name) -> Double {
        get {
            switch name.field {
            case .span(let path): self[keyPath: path].seconds
            case .way(let path): self[keyPath: path].meters
            case .number(let path, _): self[keyPath: path]
            }
        }
        set {
            switch name.field {
            case .span(let path): self[keyPath: path] = .seconds(newValue)
            case .way(let path): self[keyPath: path] = Distance(meters: newValue)
            case .number(let path, _): self[keyPath: path] = newValue
            }
        }
    }
}
