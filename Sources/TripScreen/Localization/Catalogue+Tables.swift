extension Catalogue {
    static let englishTables = [englishTrip]
    static let germanTables = [germanTrip]
    static let koreanTables = [koreanTrip]
    static let simplifiedTables = [simplifiedTrip]
    static let traditionalTables = [traditionalTrip]
}
