import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"

const LocalSecrets = z.object({ session: z.string(), sandboxCallback: z.string() })
export type LocalSecrets = z.output<typeof LocalSecrets>

/**
 * Secrets of a shop that only this machine can reach, made up on its first start and kept beside its data, so
 * that trying things out needs no set-up and sessions outlive a restart. A public shop sets its own.
 */
export function localSecrets(dataDir: string): LocalSecrets {
  const file = join(dataDir, "local-secrets.json")
  if (existsSync(file)) return LocalSecrets.parse(JSON.parse(readFileSync(file, "utf8")))
  const secrets = {
    session: randomBytes(32).toString("base64url"),
    sandboxCallback: standardWebhooksSecret(),
  }
  mkdirSync(dataDir, { recursive: true })
  // Written under another name first: a power cut must not leave half a file behind.
  writeFileSync(`${file}.new`, JSON.stringify(secrets), { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return secrets
}

/** `whsec_` and base64 of random bytes, as Standard Webhooks writes its secrets. */
function standardWebhooksSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`
}
