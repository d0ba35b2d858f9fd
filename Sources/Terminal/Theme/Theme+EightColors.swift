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
