extension Catalogue {
    static let englishTables = [
        englishTrip, englishEvents, englishTokens, englishViews, englishKeys, englishFindings, englishEvidence,
    ]
    static let germanTables = [
        germanTrip, germanEvents, germanTokens, germanViews, germanKeys, germanFindings, germanEvidence,
    ]
    static let koreanTables = [
        koreanTrip, koreanEvents, koreanTokens, koreanViews, koreanKeys, koreanFindings, koreanEvidence,
    ]
    static let simplifiedTables = [
        simplifiedTrip, simplifiedEvents, simplifiedTokens, simplifiedViews, simplifiedKeys, simplifiedFindings,
        simplifiedEvidence,
    ]
    static let traditionalTables = [
        traditionalTrip, traditionalEvents, traditionalTokens, traditionalViews, traditionalKeys, traditionalFindings,
        traditionalEvidence,
    ]
}
