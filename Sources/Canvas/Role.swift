/// What a cell means; the terminal layer's theme decides how that looks.
///
/// The raw value is the letter that ``Canvas/roleMap`` shows in tests.
package enum Role: Character, Sendable, CaseIterable {
    /// Plain text.
    case text = "."
    /// Text that matters less: labels, units, hints.
    case secondary = ","
    /// The heading of a panel.
    case heading = "H"
    /// What the eye should find first: a name, a value that was asked for.
    case accent = "A"
    /// Good news.
    case positive = "+"
    /// Something to look at.
    case warning = "!"
    /// Something is wrong.
    case critical = "#"
    /// What is old or unknown.
    case stale = "?"

    /// The frame of a panel.
    case border = "b"
    /// The frame of the panel that has the keys.
    case focusedBorder = "B"

    /// Route not yet driven, traffic normal or unknown.
    case routeRemaining = "r"
    /// Route behind the vehicle.
    case routeDriven = "d"
    /// A route that was replaced, or another leg.
    case routeOther = "o"
    /// Slow traffic ahead.
    case trafficSlow = "s"
    /// A traffic jam ahead.
    case trafficJam = "j"
    /// The driven path as measured.
    case trail = "t"
    /// Streets of a base map.
    case basemap = "m"
    /// The map's scale bar and compass.
    case grid = "g"
    /// The circle of a position's accuracy.
    case accuracy = "a"
    /// The vehicle where it was measured.
    case vehicle = "V"
    /// The vehicle where it should be by now.
    case vehicleEstimated = "v"
    /// The pickup point.
    case pickup = "P"
    /// The drop-off point.
    case dropoff = "D"
    /// A stop between.
    case stop = "S"

    /// The filled part of a bar.
    case barFilled = "F"
    /// The filled part of a bar that runs low.
    case barWarning = "W"
    /// The filled part of a bar that has run out.
    case barCritical = "C"
    /// The empty part of a bar.
    case barEmpty = "e"
    /// A mark upon a bar, such as the moment of the next refresh.
    case barMark = "M"
    /// The columns of a small chart.
    case chart = "c"

    /// A key in the key line.
    case keyName = "K"
    /// What that key does.
    case keyHelp = "k"

    /// The line across the top.
    case banner = "N"
    /// A label on coloured ground that informs.
    case badge = "i"
    /// A label on coloured ground: good.
    case badgePositive = "p"
    /// A label on coloured ground: look here.
    case badgeWarning = "w"
    /// A label on coloured ground: wrong.
    case badgeCritical = "x"

    /// The chosen row of a list.
    case selection = "L"
    /// Text being typed.
    case input = "I"
    /// What a search found.
    case match = "f"
    /// A field that changed since the answer before.
    case changed = "~"
    /// A field that appeared.
    case added = "1"
    /// A field that vanished.
    case removed = "0"
}
