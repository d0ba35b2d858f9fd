extension Catalogue {
    static let koreanEvidence: [Phrase: String] = [
        // How failures follow from one another
        .causeAndSymptom: "{0}; 그 뒤: {1}",
        .refusalSaid: "{0} {1}: {4} ({2}, 운행 {3})",
        // What a slow reader is told by its number
        .omittedNews: "이전 결과 {0}건은 하나씩 알리지 않음: {1}",
        .omittedPolls: "{0} — 개수만 집계",
        // Credentials of another kind
        .oauthToken: "OAuth 액세스 토큰",
        .oauthTokenWhat: "서명된 JWT가 아니라 OAuth 액세스 토큰(ya29.…)임",
        .idToken: "ID 토큰",
        .idTokenWhat: "ID 토큰임: 누구인지 알릴 뿐 아무 권한도 없음",
        .apiKey: "API 키",
        .apiKeyWhat: "서명된 JWT가 아니라 API 키(AIza…)임",
        .sessionCookie: "세션 쿠키",
        .sessionCookieWhat: "서명된 JWT가 아니라 웹 세션 쿠키임",
        .otherCredentialAdvice: "Fleet Engine은 서비스 계정이 이 운행에 대해 서명한 JWT만 받습니다. 엔드포인트가 JWT에 서명하게 하세요.",
        .misspeltClaim: "‘{0}’ 철자 오류",
        .misspeltClaimWhat: "`authorization`에 Fleet Engine이 찾는 ‘{1}’ 대신 ‘{0}’이(가) 있음",
        .misspeltClaimAdvice: "{1}을(를) 소문자로 붙여 쓰세요.",
        .noKeyKnownWhat: "응답에 키 ‘{0}’이(가) 없음. 있는 키: {1}",
        .tokenNames: " ({0}: ‘{1}’)",
        // The last rejected token and the last answer of its endpoint
        .rejectedTitle: "거부된 토큰",
        .rejectedUnused: "사용하지 않음, {0}: {1}",
        .rejectedByService: "Fleet Engine이 HTTP {1}(으)로 거부함, {0}",
        .lastRejected: "마지막으로 거부된 토큰",
        .endpointAnswer: "토큰 엔드포인트의 마지막 응답",
        .endpointBodyEmpty: "본문 없음",
        // The request, to be copied
        .requestTitle: "요청",
        .keyCopy: "복사",
        .helpCopy: "운행 ID를 복사합니다. 네트워크 보기에서는 요청을 curl 명령으로 복사합니다.",
        .copied: "복사함: {0}",
        // Findings about tokens, refusals and what is missing
        .findingsNotFollowed: "지금은 운행을 추적할 수 없음: {0}. 규칙 {1}개는 응답에 대해 검사합니다.",
        .findingsNoAnswer: "아직 응답이 없음: 규칙 {0}개는 응답에 대해 검사합니다.",
        .tokenUnusable: "사용할 수 없는 토큰",
        .tokenUnusableWhat: "받은 토큰이 규칙을 어김({0})",
        .serviceRefuses: "서비스가 거부함",
        .serviceRefusesWhat: "서비스가 운행 조회를 거부함: {0} {1}{2}",
        .adviceTokenView: "토큰 보기에서 토큰의 내용과 어긴 규칙을 확인하세요.",
        .statusMissing: "상태 없음",
        .statusMissingWhat: "응답에 tripStatus가 없음",
        .trackingMissing: "추적할 정보 없음",
        .trackingMissingWhat: "운행 중이지만 {0} 동안 다음이 없음: {1}",
        .missingPosition: "위치",
        .missingRoute: "경로",
        .missingArrival: "도착 예정",
    ]
}
