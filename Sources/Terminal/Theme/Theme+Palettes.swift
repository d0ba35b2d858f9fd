extension Theme.Palette {
    static let dark = Theme.Palette(
        ground: .init(0x101418, 233, 0),
        text: .init(0xDDE3EA, 253, 7),
        secondary: .init(0x94A1B0, 247, 7),
        heading: .init(0x8EC8FF, 117, 14),
        accent: .init(0x6CC7F5, 81, 14),
        good: .init(0x7FD88F, 114, 10),
        warning: .init(0xF2C14E, 221, 11),
        critical: .init(0xFF7B72, 210, 9),
        border: .init(0x3E4A57, 239, 8),
        focus: .init(0x6CC7F5, 81, 14),
        route: .init(0x5AA9FF, 75, 14),
        driven: .init(0x4A6285, 60, 8),
        other: .init(0x5577B5, 67, 12),
        slow: .init(0xF2A53B, 215, 11),
        jam: .init(0xFF6B62, 203, 9),
        trail: .init(0x8FB8E8, 110, 7),
        faint: .init(0x3A444F, 238, 8),
        vehicle: .init(0xFFFFFF, 231, 15),
        pickup: .init(0x7FD88F, 114, 10),
        dropoff: .init(0xFF8FB3, 211, 13),
        stop: .init(0xF2C14E, 221, 11),
        roadMinor: .init(0x404B56, 239, 8),
        roadMedium: .init(0x63707D, 242, 8),
        roadMajor: .init(0x93A0AC, 247, 7),
        roadPath: .init(0x343D46, 237, 8),
        rail: .init(0x7D5F80, 96, 8),
        water: .init(0x2F5F8A, 24, 4),
        park: .init(0x2F5A3C, 22, 2),
        building: .init(0x39424B, 238, 8),
        waterGround: .init(0x13283C, 17, 0),
        parkGround: .init(0x13241C, 233, 0),
        buildingGround: .init(0x181D22, 234, 0),
        track: .init(0x2A323B, 236, 0),
        keyGround: .init(0x101418, 233, 0),
        banner: .init(0x1B4B72, 24, 4),
        bannerText: .init(0xF4F8FC, 255, 15),
        selection: .init(0x24415C, 237, 4),
        badgeText: .init(0x101418, 233, 0)
    )

    static let light = Theme.Palette(
        ground: .init(0xFBFBF9, 231, 15),
        text: .init(0x1C2329, 234, 0),
        secondary: .init(0x57616B, 241, 0),
        heading: .init(0x0B4F8A, 24, 4),
        accent: .init(0x00618C, 24, 4),
        good: .init(0x1B6B2F, 22, 0),
        warning: .init(0x855200, 94, 0),
        critical: .init(0xB3261E, 124, 0),
        border: .init(0xB5BCC4, 250, 8),
        focus: .init(0x00618C, 24, 4),
        route: .init(0x1A5FB4, 25, 4),
        driven: .init(0x8CA3C4, 109, 8),
        other: .init(0x7F9FD0, 110, 4),
        slow: .init(0x9A4B00, 94, 0),
        jam: .init(0xB3261E, 124, 0),
        trail: .init(0x4A6E9E, 60, 0),
        faint: .init(0xC9CED3, 252, 7),
        vehicle: .init(0x000000, 16, 0),
        pickup: .init(0x1B6B2F, 22, 0),
        dropoff: .init(0x9C1F5A, 89, 5),
        stop: .init(0x855200, 94, 0),
        roadMinor: .init(0xC3C9CF, 251, 7),
        roadMedium: .init(0x9DA6AF, 247, 8),
        roadMajor: .init(0x6F7A84, 243, 8),
        roadPath: .init(0xD6DADE, 253, 7),
        rail: .init(0x9C86A8, 139, 8),
        water: .init(0x7FAFD4, 110, 6),
        park: .init(0x9CC48F, 150, 2),
        building: .init(0xD5D2CC, 252, 7),
        waterGround: .init(0xDCECF7, 195, 15),
        parkGround: .init(0xE8F3E2, 231, 15),
        buildingGround: .init(0xF2EFEA, 255, 15),
        track: .init(0xE3E6E9, 254, 15),
        keyGround: .init(0xFBFBF9, 231, 15),
        banner: .init(0x1B4B72, 24, 4),
        bannerText: .init(0xFFFFFF, 231, 15),
        selection: .init(0xCFE3F5, 153, 7),
        badgeText: .init(0xFFFFFF, 231, 15)
    )

    static let contrast: Theme.Palette = {
        var palette = dark
        palette.ground = .init(0x000000, 16, 0)
        palette.keyGround = palette.ground
        palette.badgeText = palette.ground
        palette.text = .init(0xFFFFFF, 231, 15)
        palette.secondary = .init(0xD0D0D0, 252, 7)
        palette.heading = .init(0x66FFFF, 87, 14)
        palette.accent = palette.heading
        palette.focus = palette.heading
        palette.good = .init(0x66FF66, 83, 10)
        palette.pickup = palette.good
        palette.warning = .init(0xFFFF00, 226, 11)
        palette.stop = palette.warning
        palette.critical = .init(0xFF8080, 210, 9)
        palette.jam = .init(0xFF7070, 203, 9)
        palette.border = .init(0xA0A0A0, 247, 7)
        palette.route = .init(0x66CCFF, 81, 14)
        palette.driven = .init(0x6A88B4, 67, 8)
        palette.other = .init(0x5A86C8, 68, 12)
        palette.trail = .init(0x86A6D6, 110, 7)
        palette.faint = .init(0x606060, 241, 8)
        palette.roadMinor = .init(0x606060, 241, 8)
        palette.roadMedium = .init(0x6C6C6C, 242, 8)
        palette.roadMajor = .init(0xC8C8C8, 251, 7)
        palette.roadPath = .init(0x484848, 238, 8)
        palette.rail = .init(0xA080B0, 139, 8)
        palette.water = .init(0x3070B0, 25, 4)
        palette.waterGround = .init(0x001A38, 17, 0)
        palette.park = .init(0x307040, 22, 2)
        palette.parkGround = .init(0x00200C, 16, 0)
        palette.buildingGround = .init(0x141414, 233, 0)
        palette.banner = .init(0x0000A0, 19, 4)
        palette.bannerText = palette.text
        palette.selection = .init(0x000090, 18, 4)
        return palette
    }()

    /// Blue for good, yellow for attention, a light vermilion for errors, near Okabe and Ito's colors.
    static let colorblind: Theme.Palette = {
        var palette = dark
        palette.good = .init(0x56B4E9, 74, 14)
        palette.pickup = palette.good
        palette.warning = .init(0xF5D547, 221, 11)
        palette.slow = palette.warning
        palette.critical = .init(0xFA763A, 202, 9)
        palette.jam = palette.critical
        palette.stop = .init(0xE69F00, 214, 11)
        palette.dropoff = .init(0xDDA0C4, 182, 13)
        palette.heading = .init(0xDDE3EA, 253, 15)
        palette.accent = .init(0x9CD3F5, 117, 14)
        return palette
    }()
}

extension Theme.Style {
    /// How a terminal with eight colors draws gray, which is not one of them.
    package enum Gray: Sendable, CaseIterable {
        /// As dim white, or dim black on white.
        case dim
        /// As bold black: on the Linux console, bold selects the bright colors, and dim does not combine with colors.
        case boldBlack
        /// As blue, or cyan on white, if the terminal cannot draw dim text in colors.
        case blue
    }

    /// Returns the style for a terminal with 8 of the 16 colors, where the others would be drawn as plain text.
    ///
    /// A bright color becomes its normal one, bold on black and never bold on white. Dim colors are drawn as gray.
    func inEightColors(gray: Gray) -> Theme.Style {
        var style = self
        style.background = background < 8 ? background : background == 8 ? 0 : background - 8
        style.foreground = foreground < 8 ? foreground : foreground - 8
        style.attributes.remove(.dim)
        let isBlack = style.background == 0
        // On white, the bright color that many terminals select for bold has too little contrast.
        if style.background == 7 { style.attributes.remove(.bold) }
        if foreground > 8, isBlack { style.attributes.insert(.bold) }
        let isLost = foreground != background && style.foreground == style.background
        guard foreground == 8 || attributes.contains(.dim) || isLost else { return style }
        switch gray {
        case .dim:
            style.foreground = isBlack ? 7 : 0
            style.attributes.insert(.dim)
        case .boldBlack:
            style.foreground = 0
            style.attributes.insert(.bold)
        case .blue: style.foreground = isBlack ? 4 : 6
        }
        return style
    }
}
