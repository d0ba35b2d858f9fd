extension Catalogue {
    static let simplifiedEvidence: [Phrase: String] = [
        // How failures follow from one another
        .causeAndSymptom: "{0}；此后：{1}",
        .refusalSaid: "{0} {1}：{4}（{2}，行程 {3}）",
        // What a slow reader is told by its number
        .omittedNews: "此前的 {0} 个结果未逐一报告：{1}",
        .omittedPolls: "{0}，仅计数",
        // Credentials of another kind
        .oauthToken: "OAuth 访问令牌",
        .oauthTokenWhat: "它是 OAuth 访问令牌（ya29.…），不是已签名的 JWT",
        .idToken: "ID 令牌",
        .idTokenWhat: "它是 ID 令牌：只说明身份，不授予任何权限",
        .apiKey: "API 密钥",
        .apiKeyWhat: "它是 API 密钥（AIza…），不是已签名的 JWT",
        .sessionCookie: "会话 Cookie",
        .sessionCookieWhat: "它是网页会话的 Cookie，不是已签名的 JWT",
        .otherCredentialAdvice: "Fleet Engine 只接受服务账号为此行程签名的 JWT：请让端点签发一个。",
        .misspeltClaim: "“{0}”拼写有误",
        .misspeltClaimWhat: "其 `authorization` 中是“{0}”，而 Fleet Engine 查找的是“{1}”",
        .misspeltClaimAdvice: "请写作 {1}：小写，且为一个词。",
        .noKeyKnownWhat: "响应中没有键“{0}”；有 {1}",
        .tokenNames: "（其 {0} 为“{1}”）",
        // The last rejected token and the last answer of its endpoint
        .rejectedTitle: "被拒的令牌",
        .rejectedUnused: "未使用，{0}：{1}",
        .rejectedByService: "被 Fleet Engine 以 HTTP {1} 拒绝，{0}",
        .lastRejected: "上一个被拒的令牌",
        .endpointAnswer: "令牌端点的最后响应",
        .endpointBodyEmpty: "无正文",
        // The request, to be copied
        .requestTitle: "请求",
        .keyCopy: "复制",
        .helpCopy: "复制行程 ID；在网络视图中复制 curl 命令形式的请求。",
        .copied: "已复制：{0}",
        // Findings about tokens, refusals and what is missing
        .findingsNotFollowed: "目前无法跟踪该行程：{0}。{1} 条规则针对响应进行检查。",
        .findingsNoAnswer: "尚未收到响应：{0} 条规则针对响应进行检查。",
        .tokenUnusable: "令牌不可用",
        .tokenUnusableWhat: "收到的令牌违反了规则（{0}）",
        .serviceRefuses: "被服务拒绝",
        .serviceRefusesWhat: "服务拒绝提供该行程：{0} {1}{2}",
        .adviceTokenView: "“令牌”视图会显示令牌的内容以及它违反的规则。",
        .statusMissing: "没有状态",
        .statusMissingWhat: "响应中没有 tripStatus",
        .trackingMissing: "没有可跟踪的信息",
        .trackingMissingWhat: "行程进行中，但 {0} 以来一直缺少：{1}",
        .missingPosition: "位置",
        .missingRoute: "路线",
        .missingArrival: "到达时间",
    ]
}
