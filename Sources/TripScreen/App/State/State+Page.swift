extension State {
    /// Begins with a page and a title of the presenter view.
    package mutating func begin(heading: String, page: TitlePage) {
        settings.heading = heading
        show(page: page)
    }
}
