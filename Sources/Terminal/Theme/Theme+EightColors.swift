extension Theme.Style {
    /// The style for a terminal with 8 of the 16 colors, where the others would be drawn as plain text.
    ///
    /// A bright color becomes its normal one, bold on black; gray becomes dim.
    var inEightColors: Theme.Style {
        var style = self
        style.background = background < 8 ? background : background == 8 ? 0 : background - 8
        style.foreground = foreground < 8 ? foreground : foreground - 8
        if foreground > 8, style.background == 0 { style.attributes.insert(.bold) }
        if foreground == 8 || foreground != background && style.foreground == style.background {
            style.foreground = style.background == 0 ? 7 : 0
            style.attributes.insert(.dim)
        }
        return style
    }
}
