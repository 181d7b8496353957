import type { Config } from "~/config/environment.server"
import { type SecretSeals, sealWith } from "~/security/cookie-encryption.server"
import { operatorSecretsOf } from "./generated-secrets.server"

/** Encryption of what is stored; null for a public shop without `OPERATOR_SECRETS`. */
export function secretSealsOf(config: Config): SecretSeals | null {
  const secrets = operatorSecretsOf(config)
  if (secrets === null) return null
  return { operators: sealWith(secrets, "operators"), webhooks: sealWith(secrets, "webhooks") }
}
