/// The settings of a driver's phone, as its app reports them.
package struct DeviceSettings: Sendable, Equatable {
    /// The state of the battery.
    package struct Battery: Sendable, Equatable {
        /// The charging state, by its API name, such as `BATTERY_STATUS_DISCHARGING`.
        package var status: String?
        /// The power source, by its API name, such as `POWER_SOURCE_USB`.
        package var powerSource: String?
        /// The charge in percent, 0 … 100.
        package var percentage: Double?

        /// Creates a battery without known values.
        package init() {}
    }

    /// How saving power limits positions, by its API name, such as `LOCATION_MODE_FOREGROUND_ONLY`.
    package var locationPowerSaveMode: String?
    /// Whether the phone saves power.
    package var isPowerSaveMode = false
    /// Whether the screen is on.
    package var isInteractive = false
    /// The battery.
    package var battery: Battery?

    /// Creates default settings.
    package init() {}
}
