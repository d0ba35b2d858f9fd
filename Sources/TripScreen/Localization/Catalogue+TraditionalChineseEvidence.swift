extension Catalogue {
    static let traditionalEvidence: [Phrase: String] = [
        // How failures follow from one another
        .causeAndSymptom: "{0}；此後：{1}",
        .refusalSaid: "{0} {1}：{4}（{2}，行程 {3}）",
        // What a slow reader is told by its number
        .omittedNews: "先前的 {0} 個結果未逐一回報：{1}",
        .omittedPolls: "{0}，僅計數",
        // Credentials of another kind
        .oauthToken: "OAuth 存取權杖",
        .oauthTokenWhat: "它是 OAuth 存取權杖（ya29.…），不是已簽署的 JWT",
        .idToken: "ID 權杖",
        .idTokenWhat: "它是 ID 權杖：只說明身分，不授予任何權限",
        .apiKey: "API 金鑰",
        .apiKeyWhat: "它是 API 金鑰（AIza…），不是已簽署的 JWT",
        .sessionCookie: "工作階段 Cookie",
        .sessionCookieWhat: "它是網頁工作階段的 Cookie，不是已簽署的 JWT",
        .otherCredentialAdvice: "Fleet Engine 只接受服務帳戶為此行程簽署的 JWT：請讓端點簽發一個。",
        .misspeltClaim: "「{0}」拼寫有誤",
        .misspeltClaimWhat: "其 `authorization` 中是「{0}」，而 Fleet Engine 尋找的是「{1}」",
        .misspeltClaimAdvice: "請寫作 {1}：小寫，且為一個字。",
        .noKeyKnownWhat: "回應中沒有鍵「{0}」；有 {1}",
        .tokenNames: "（其 {0} 為「{1}」）",
        // The last rejected token and the last answer of its endpoint
        .rejectedTitle: "遭拒的權杖",
        .rejectedUnused: "未使用，{0}：{1}",
        .rejectedByService: "遭 Fleet Engine 以 HTTP {1} 拒絕，{0}",
        .lastRejected: "上一個遭拒的權杖",
        .endpointAnswer: "權杖端點的最後回應",
        .endpointBodyEmpty: "無內文",
        // The request, to be copied
        .requestTitle: "請求",
        .keyCopy: "複製",
        .helpCopy: "複製行程 ID；在網路檢視中複製 curl 命令形式的請求。",
        .copied: "已複製：{0}",
        // Findings about tokens, refusals and what is missing
        .findingsNotFollowed: "目前無法追蹤該行程：{0}。{1} 條規則是針對回應進行檢查。",
        .findingsNoAnswer: "尚未收到回應：{0} 條規則是針對回應進行檢查。",
        .tokenUnusable: "權杖無法使用",
        .tokenUnusableWhat: "收到的權杖違反了規則（{0}）",
        .serviceRefuses: "遭服務拒絕",
        .serviceRefusesWhat: "服務拒絕提供該行程：{0} {1}{2}",
        .adviceTokenView: "「權杖」檢視會顯示權杖的內容以及它違反的規則。",
        .statusMissing: "沒有狀態",
        .statusMissingWhat: "回應中沒有 tripStatus",
        .trackingMissing: "沒有可追蹤的資訊",
        .trackingMissingWhat: "行程進行中，但 {0} 以來一直缺少：{1}",
        .missingPosition: "位置",
        .missingRoute: "路線",
        .missingArrival: "抵達時間",
    ]
}
