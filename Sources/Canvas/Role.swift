/// The semantic role of a cell; the terminal layer's theme decides its style.
///
/// The raw value is the letter used by ``Canvas/roleMap`` in tests.
package enum Role: Character, Sendable, CaseIterable {
    /// Plain text.
    case text = "."
    /// Less important text: labels, units, hints.
    case secondary = ","
    /// The heading of a panel.
    case heading = "H"
    /// The most important text: a name, a requested value.
    case accent = "A"
    /// Success.
    case positive = "+"
    /// Something that needs attention.
    case warning = "!"
    /// An error.
    case critical = "#"
    /// An old or unknown value.
    case stale = "?"

    /// The frame of a panel.
    case border = "b"
    /// The frame of the focused panel.
    case focusedBorder = "B"

    /// The route ahead with normal or unknown traffic.
    case routeRemaining = "r"
    /// The route behind the vehicle.
    case routeDriven = "d"
    /// A replaced route, or another leg.
    case routeOther = "o"
    /// Slow traffic ahead.
    case trafficSlow = "s"
    /// A traffic jam ahead.
    case trafficJam = "j"
    /// The measured path.
    case trail = "t"
    /// Streets of a base map.
    case basemap = "m"
    /// Tertiary and secondary roads of a base map.
    case roadMedium = "="
    /// Primary roads, trunk roads and motorways of a base map.
    case roadMajor = "^"
    /// Service roads and paths of a base map.
    case roadPath = "'"
    /// Railways of a base map.
    case rail = "%"
    /// Shores and rivers of a base map, and the pattern of water.
    case water = "_"
    /// The pattern of parks of a base map.
    case park = "*"
    /// The outlines of buildings of a base map.
    case building = "h"
    /// The name of a street.
    case roadName = "n"
    /// The name of a town or a point of interest.
    case placeName = "T"
    /// Lines at round distances where there is no base map.
    case graticule = ":"
    /// The map's scale bar and compass.
    case grid = "g"
    /// The accuracy circle of a position.
    case accuracy = "a"
    /// The measured position of the vehicle.
    case vehicle = "V"
    /// The estimated way of the vehicle since its last report.
    case vehicleEstimated = "v"
    /// The pickup.
    case pickup = "P"
    /// The drop-off.
    case dropoff = "D"
    /// An intermediate stop.
    case stop = "S"
    /// The symbol of the pickup on the map.
    case pickupPin = "("
    /// The symbol of the drop-off on the map.
    case dropoffPin = ")"
    /// The symbol of an intermediate stop on the map.
    case stopPin = "O"

    /// The filled part of a bar.
    case barFilled = "F"
    /// The filled part of a bar with a low value.
    case barWarning = "W"
    /// The filled part of a bar with an expired value.
    case barCritical = "C"
    /// The empty part of a bar.
    case barEmpty = "e"
    /// A mark on a bar, such as the time of the next refresh.
    case barMark = "M"
    /// The columns of a chart.
    case chart = "c"

    /// A key in the key line.
    case keyName = "K"
    /// The label of a key in the key line.
    case keyHelp = "k"

    /// The header line.
    case banner = "N"
    /// A label on a colored background: information.
    case badge = "i"
    /// A label on a colored background: success.
    case badgePositive = "p"
    /// A label on a colored background: warning.
    case badgeWarning = "w"
    /// A label on a colored background: error.
    case badgeCritical = "x"

    /// The selected row of a list.
    case selection = "L"
    /// Text input.
    case input = "I"
    /// A search match.
    case match = "f"
    /// A changed field.
    case changed = "~"
    /// An added field.
    case added = "1"
    /// A removed field.
    case removed = "0"
}
