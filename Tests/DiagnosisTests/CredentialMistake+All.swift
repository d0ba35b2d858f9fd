import Credentials
import Failures
import Foundation
import TripTestSupport

/// The mistakes, numbered as in the list of what people report about Google's libraries.
extension CredentialMistake {
    fileprivate static func scene(_ change: (inout CredentialScene) -> Void) -> CredentialScene {
        var scene = CredentialScene()
        change(&scene)
        return scene
    }

    /// A machine with a key file that needs an access token, because another account signs.
    fileprivate static func refusedKey(_ body: String, date: String? = nil) -> CredentialScene {
        scene {
            $0.files[CredentialScene.adc] = CredentialScene.keyFile()
            var answer = CredentialScene.Answer.json(body, status: 400)
            if let date { answer.headers.append(("Date", date)) }
            $0.answers = [(CredentialScene.tokenURL, answer)]
        }
    }

    fileprivate static func refusedUser(_ body: String) -> CredentialScene {
        scene {
            $0.files[CredentialScene.adc] = CredentialScene.user
            $0.answers = [(CredentialScene.tokenURL, .json(body, status: 400))]
        }
    }

    fileprivate static func refusedByIAM(_ body: String) -> CredentialScene {
        scene {
            $0.files[CredentialScene.adc] = CredentialScene.user
            $0.answers = [
                (CredentialScene.tokenURL, CredentialScene.granted), (CredentialScene.iam, .json(body, status: 403)),
            ]
        }
    }

    fileprivate static func refusedExchange(_ body: String, expiringIn seconds: Double = 600) -> CredentialScene {
        scene {
            $0.files[CredentialScene.adc] = CredentialScene.external(#"{"file":"/var/run/token"}"#)
            $0.files["/var/run/token"] = CredentialScene.subject(expiringIn: seconds)
            $0.answers = [(CredentialScene.sts, .json(body, status: 400))]
        }
    }

    fileprivate static func metadata(_ token: CredentialScene.Answer, scopes: String? = nil) -> CredentialScene {
        scene {
            let path = "\(CredentialScene.metadata)/computeMetadata/v1/instance/service-accounts/default/"
            $0.answers = [("\(path)token", token)]
            if let scopes { $0.answers.append(("\(path)scopes", .metadata(scopes))) }
            $0.answers.append(("\(CredentialScene.metadata)/", .metadata("")))
        }
    }

    fileprivate static let variable = CredentialSearch.variable

    static let all: [CredentialMistake] = [
        CredentialMistake(
            name: "1 the variable names a missing file, and a metadata server exists",
            code: .credentialFileMissing,
            party: .commandLine,
            words: [variable, "/srv/app/key.json", "unset"],
            scene: scene {
                $0.environment[variable] = "key.json"
                $0.answers = [(CredentialScene.metadata, .metadata(""))]
            }
        ),
        CredentialMistake(
            name: "2a the variable holds JSON",
            code: .credentialVariableForm,
            party: .commandLine,
            words: [variable, "JSON text", "bare path"],
            scene: scene { $0.environment[variable] = #" {"type":"service_account"} "# }
        ),
        CredentialMistake(
            name: "2b the variable holds a path in quotation marks",
            code: .credentialVariableForm,
            party: .commandLine,
            words: ["quotation marks"],
            scene: scene { $0.environment[variable] = #""/etc/key.json""# }
        ),
        CredentialMistake(
            name: "3 the file is not readable",
            code: .credentialFileUnreadable,
            party: .commandLine,
            words: ["/etc/key.json", "mode 600, owner 0"],
            scene: scene {
                $0.environment[variable] = "/etc/key.json"
                $0.unreadable["/etc/key.json"] = "permission denied: mode 600, owner 0"
            }
        ),
        CredentialMistake(
            name: "4a the file is a web page",
            code: .credentialFileMalformed,
            party: .commandLine,
            words: ["web page"],
            scene: scene { $0.files[CredentialScene.adc] = "<!doctype html><html></html>" }
        ),
        CredentialMistake(
            name: "4b the file is base64",
            code: .credentialFileMalformed,
            party: .commandLine,
            words: ["base64"],
            scene: scene { $0.files[CredentialScene.adc] = Data(CredentialScene.user.utf8).base64EncodedString() }
        ),
        CredentialMistake(
            name: "4c the file is cut off",
            code: .credentialFileMalformed,
            party: .commandLine,
            words: ["ends within"],
            scene: scene { $0.files[CredentialScene.adc] = String(CredentialScene.user.dropLast(9)) }
        ),
        CredentialMistake(
            name: "4d the file is empty",
            code: .credentialFileMalformed,
            party: .commandLine,
            words: ["empty"],
            scene: scene { $0.files[CredentialScene.adc] = "\n" }
        ),
        CredentialMistake(
            name: "5 the file is an OAuth client",
            code: .credentialClientFile,
            party: .commandLine,
            words: ["OAuth client", "gcloud auth application-default login"],
            scene: scene { $0.files[CredentialScene.adc] = #"{"installed":{"client_id":"c"}}"# }
        ),
        CredentialMistake(
            name: "6a the ID of the key is in the place of the key",
            code: .credentialBadKey,
            party: .commandLine,
            words: ["ID of a key"],
            scene: scene { $0.files[CredentialScene.adc] = CredentialScene.keyFile("0123456789abcdef0123") }
        ),
        CredentialMistake(
            name: "6b the key is an EC key",
            code: .credentialBadKey,
            party: .commandLine,
            words: ["RSA"],
            scene: scene {
                $0.files[CredentialScene.adc] = CredentialScene.keyFile(
                    "-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END EC PRIVATE KEY-----\n"
                )
            }
        ),
        CredentialMistake(
            name: "7 the key was deleted",
            code: .grantSignature,
            party: .serviceAccount,
            words: [CredentialScene.email, "k1"],
            context: .trip,
            scene: refusedKey(#"{"error":"invalid_grant","error_description":"Invalid JWT Signature."}"#)
        ),
        CredentialMistake(
            name: "8a the account was deleted",
            code: .grantAccount,
            party: .serviceAccount,
            words: [CredentialScene.email],
            context: .trip,
            scene: refusedKey(#"{"error":"invalid_grant","error_description":"Invalid grant: account not found"}"#)
        ),
        CredentialMistake(
            name: "8b the account is disabled",
            code: .grantAccount,
            party: .serviceAccount,
            context: .trip,
            scene: refusedKey(#"{"error":"invalid_grant","error_description":"Robot is disabled."}"#)
        ),
        CredentialMistake(
            name: "9 the clock is two hours off",
            code: .grantClock,
            party: .clockHere,
            words: ["clock", "2"],
            context: .trip,
            scene: refusedKey(
                #"{"error":"invalid_grant","error_description":"Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim."}"#,
                date: "Thu, 01 Jan 2026 02:00:00 GMT"
            )
        ),
        CredentialMistake(
            name: "10 the scope is refused",
            code: .grantScope,
            party: .serviceAccount,
            context: .trip,
            scene: refusedKey(#"{"error":"invalid_scope","error_description":"Empty or missing scope not allowed."}"#)
        ),
        CredentialMistake(
            name: "12 the session needs a person",
            code: .grantSession,
            party: .commandLine,
            words: ["person", "gcloud auth application-default login", "Servers"],
            scene: refusedUser(
                #"{"error":"invalid_grant","error_description":"reauth related error (invalid_rapt)","error_subtype":"invalid_rapt"}"#
            )
        ),
        CredentialMistake(
            name: "12b the login was revoked",
            code: .grantRevoked,
            party: .commandLine,
            scene: refusedUser(
                #"{"error":"invalid_grant","error_description":"Token has been expired or revoked."}"#
            )
        ),
        CredentialMistake(
            name: "12c the OAuth client was deleted",
            code: .grantClient,
            party: .commandLine,
            scene: refusedUser(#"{"error":"deleted_client","error_description":"The OAuth client was deleted."}"#)
        ),
        CredentialMistake(
            name: "13 the source of an impersonation is of an unknown type",
            code: .credentialUnknownType,
            party: .commandLine,
            words: ["source_credentials", "gdch_service_account"],
            scene: scene {
                $0.files[CredentialScene.adc] = CredentialScene.impersonated.replacing(
                    "authorized_user",
                    with: "gdch_service_account"
                )
            }
        ),
        CredentialMistake(
            name: "14a the role Token Creator is missing",
            code: .iamDenied,
            party: .serviceAccount,
            words: [
                "iam.serviceAccounts.signJwt", CredentialScene.signer, "does not exist",
                "roles/iam.serviceAccountTokenCreator", "2 to 7 minutes",
            ],
            context: .trip,
            scene: refusedByIAM(
                #"{"error":{"code":403,"status":"PERMISSION_DENIED","message":"Permission 'iam.serviceAccounts.signJwt' denied on resource (or it may not exist).","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"IAM_PERMISSION_DENIED","domain":"iam.googleapis.com","metadata":{"permission":"iam.serviceAccounts.signJwt"}}]}}"#
            )
        ),
        CredentialMistake(
            name: "14b a link of the delegates is missing",
            code: .iamDelegation,
            party: .serviceAccount,
            words: ["delegates", "iam.serviceAccounts.implicitDelegation"],
            context: .trip,
            scene: refusedByIAM(
                #"{"error":{"code":403,"status":"PERMISSION_DENIED","message":"Permission 'iam.serviceAccounts.implicitDelegation' denied on resource (or it may not exist)."}}"#
            )
        ),
        CredentialMistake(
            name: "15 the API of IAM Credentials is off",
            code: .iamDisabled,
            party: .serviceConfiguration,
            words: ["iamcredentials.googleapis.com", "project 1234"],
            context: .trip,
            scene: refusedByIAM(
                #"{"error":{"code":403,"status":"PERMISSION_DENIED","message":"IAM Service Account Credentials API has not been used in project 1234 before or it is disabled.","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"SERVICE_DISABLED","domain":"googleapis.com","metadata":{"service":"iamcredentials.googleapis.com","consumer":"projects/1234"}}]}}"#
            )
        ),
        CredentialMistake(
            name: "16 the named metadata server is not up",
            code: .metadataDown,
            party: .network,
            words: ["127.0.0.1:1"],
            scene: scene { $0.environment["GCE_METADATA_HOST"] = "127.0.0.1:1" }
        ),
        CredentialMistake(
            name: "17 the machine has no service account",
            code: .metadataNoAccount,
            party: .serviceAccount,
            words: ["Attach a service account"],
            scene: metadata(.metadata("", status: 404))
        ),
        CredentialMistake(
            name: "18 the metadata server may not impersonate",
            code: .metadataForbidden,
            party: .serviceAccount,
            words: ["workloadIdentityUser"],
            scene: metadata(
                .metadata("Unable to generate access token; IAM returned 403 Forbidden: denied", status: 403)
            )
        ),
        CredentialMistake(
            name: "19 the scopes of the machine are too narrow",
            code: .metadataScopes,
            party: .serviceAccount,
            words: ["devstorage.read_only", "cloud-platform"],
            scene: metadata(
                .metadata(#"{"access_token":"ya29.narrow","expires_in":3000}"#),
                scopes: "https://www.googleapis.com/auth/devstorage.read_only\n"
            )
        ),
        CredentialMistake(
            name: "20 a laptop without credentials",
            code: .credentialsNotFound,
            party: .commandLine,
            words: [variable, CredentialScene.adc, "metadata server"],
            scene: CredentialScene()
        ),
        CredentialMistake(
            name: "20b the metadata server may not be asked",
            code: .credentialsNotFound,
            party: .commandLine,
            scene: scene { $0.environment["NO_GCE_CHECK"] = "True" }
        ),
        CredentialMistake(
            name: "21 a login page answers in place of the metadata server",
            code: .metadataForeign,
            party: .network,
            words: ["proxy", "NO_GCE_CHECK"],
            scene: scene { $0.answers = [(CredentialScene.metadata, .init(body: "<html>Welcome</html>"))] }
        ),
        CredentialMistake(
            name: "22 the host of the metadata server is no host",
            code: .metadataHost,
            party: .commandLine,
            words: ["GCE_METADATA_HOST", "evil.example"],
            scene: scene { $0.environment["GCE_METADATA_HOST"] = "evil.example/path" }
        ),
        CredentialMistake(
            name: "23a the audience of the pool is wrong",
            code: .exchangeAudience,
            party: .serviceConfiguration,
            words: [String(CredentialScene.audience.prefix(60))],
            scene: refusedExchange(
                #"{"error":"invalid_target","error_description":"The target service indicated by the \"audience\" parameters is invalid."}"#
            )
        ),
        CredentialMistake(
            name: "23b the attribute condition rejects the workload",
            code: .exchangeCondition,
            party: .serviceConfiguration,
            words: ["repo:me/app"],
            scene: refusedExchange(
                #"{"error":"unauthorized_client","error_description":"The given credential is rejected by the attribute condition."}"#
            )
        ),
        CredentialMistake(
            name: "24a the subject token is stale",
            code: .subjectStale,
            party: .tokenEndpoint,
            words: ["/var/run/token", "not Google's token"],
            scene: refusedExchange(
                #"{"error":"invalid_grant","error_description":"ID Token issued at 1767225000 is stale to sign-in."}"#
            )
        ),
        CredentialMistake(
            name: "24b the subject token has expired, and Google says less",
            code: .subjectStale,
            party: .tokenEndpoint,
            scene: refusedExchange(#"{"error":"invalid_grant"}"#, expiringIn: -60)
        ),
        CredentialMistake(
            name: "25a AWS without keys",
            code: .awsMissing,
            party: .commandLine,
            words: ["AWS_ACCESS_KEY_ID", "Fargate"],
            scene: scene {
                $0.files[CredentialScene.adc] = CredentialScene.external(
                    #"{"environment_id":"aws1","regional_cred_verification_url":"https://sts.{region}.amazonaws.com"}"#,
                    type: "urn:ietf:params:aws:token-type:aws4_request"
                )
            }
        ),
        CredentialMistake(
            name: "25b a command that the environment does not allow",
            code: .executableForbidden,
            party: .commandLine,
            words: ["GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES"],
            scene: scene {
                $0.files[CredentialScene.adc] = CredentialScene.external(#"{"executable":{"command":"/bin/token"}}"#)
                $0.output =
                    #"{"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:jwt","id_token":"x"}"#
            }
        ),
        CredentialMistake(
            name: "25c a command that fails",
            code: .executableFailed,
            party: .tokenEndpoint,
            words: ["exit status 3"],
            scene: scene {
                $0.files[CredentialScene.adc] = CredentialScene.external(#"{"executable":{"command":"/bin/token"}}"#)
                $0.environment["GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES"] = "1"
            }
        ),
        CredentialMistake(
            name: "a file that sends secrets to another machine without encryption",
            code: .credentialInsecureURL,
            party: .commandLine,
            words: ["token_uri"],
            scene: scene {
                $0.files[CredentialScene.adc] = CredentialScene.user.replacing(
                    #""client_id""#,
                    with: #""token_uri":"http://10.0.0.1/token","client_id""#
                )
            }
        ),
    ]
}
