import TripModel

/// `DeviceSettings`; default values are omitted.
struct DeviceSettingsMessage: Codable, Equatable {
    struct Battery: Codable, Equatable {
        var batteryStatus: String?
        var powerSource: String?
        var batteryPercentage: Double?
    }

    var locationPowerSaveMode: String?
    var isPowerSaveMode: Bool?
    var isInteractive: Bool?
    var batteryInfo: Battery?

    init(_ settings: DeviceSettings) {
        locationPowerSaveMode = settings.locationPowerSaveMode
        isPowerSaveMode = settings.isPowerSaveMode ? true : nil
        isInteractive = settings.isInteractive ? true : nil
        batteryInfo = settings.battery.map {
            Battery(batteryStatus: $0.status, powerSource: $0.powerSource, batteryPercentage: $0.percentage)
        }
    }

    var settings: DeviceSettings {
        var settings = DeviceSettings()
        settings.locationPowerSaveMode = locationPowerSaveMode?.boundedName
        settings.isPowerSaveMode = isPowerSaveMode ?? false
        settings.isInteractive = isInteractive ?? false
        settings.battery = batteryInfo.map {
            var battery = DeviceSettings.Battery()
            battery.status = $0.batteryStatus?.boundedName
            battery.powerSource = $0.powerSource?.boundedName
            battery.percentage = $0.batteryPercentage
            return battery
        }
        return settings
    }
}
