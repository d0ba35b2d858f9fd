extension Catalogue {
    static let englishTables = [englishTrip, englishEvents, englishTokens, englishViews, englishKeys, englishFindings]
    static let germanTables = [germanTrip, germanEvents, germanTokens, germanViews, germanKeys, germanFindings]
    static let koreanTables = [koreanTrip, koreanEvents, koreanTokens, koreanViews, koreanKeys, koreanFindings]
    static let simplifiedTables = [
        simplifiedTrip, simplifiedEvents, simplifiedTokens, simplifiedViews, simplifiedKeys, simplifiedFindings,
    ]
    static let traditionalTables = [
        traditionalTrip, traditionalEvents, traditionalTokens, traditionalViews, traditionalKeys, traditionalFindings,
    ]
}
