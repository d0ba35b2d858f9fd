extension Catalogue {
    static let englishTables = [englishTrip, englishEvents, englishTokens]
    static let germanTables = [germanTrip, germanEvents, germanTokens]
    static let koreanTables = [koreanTrip, koreanEvents, koreanTokens]
    static let simplifiedTables = [simplifiedTrip, simplifiedEvents, simplifiedTokens]
    static let traditionalTables = [traditionalTrip, traditionalEvents, traditionalTokens]
}
