import { randomBytes } from "node:crypto"
import { existsSync, renameSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { z } from "zod"
import type { Config } from "~/config/environment.server"
import { readSettingFile } from "~/config/setting-file.server"
import { makePrivateFolder } from "./private-files.server"
import { createSandboxApiKey, newLocalMerchant, newLocalStore } from "./sandbox-accounts.server"

const LocalSecrets = z.object({
  session: z.string(),
  /** Encrypts the code secrets of operators. */
  operators: z.string(),
  sandboxCallback: z.string(),
  /** Signs payment links to the sandbox. */
  sandboxLinks: z.string(),
  /** The shop's account with the sandbox's Coinbase. */
  coinbase: z.object({ keyId: z.string(), keySecret: z.string(), hookSecret: z.string() }),
  /** The shop's store at the sandbox's BTCPay. */
  btcpay: z.object({ store: z.string(), key: z.string(), webhookSecret: z.string() }),
  /** The same with its Cryptomus. */
  cryptomus: z.object({ merchant: z.string(), paymentKey: z.string() }),
})
export type LocalSecrets = z.output<typeof LocalSecrets>

/**
 * Secrets of a loopback shop, generated at its first start and stored in the data folder, so that a trial needs no set-up
 * and sessions survive a restart. A public shop sets its own.
 */
export function localSecrets(dataDir: string): LocalSecrets {
  const file = secretsFile(dataDir)
  const stored = storedSecrets(file)
  const complete = LocalSecrets.safeParse(stored)
  if (complete.success) return complete.data
  const secrets = {
    session: randomBytes(32).toString("base64url"),
    operators: randomBytes(32).toString("base64url"),
    sandboxCallback: standardWebhooksSecret(),
    sandboxLinks: randomBytes(32).toString("base64url"),
    coinbase: createSandboxApiKey(),
    btcpay: newLocalStore(),
    cryptomus: newLocalMerchant(),
    // Keeps the secrets of an earlier version, so that sessions survive an upgrade.
    ...stored,
  }
  makePrivateFolder(dataDir)
  // Written to a temporary file first: a power failure must not leave half a file.
  writeFileSync(`${file}.new`, JSON.stringify(secrets), { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return secrets
}

/** Returns the path of the generated secrets in the data folder. */
export function secretsFile(dataDir: string): string {
  return join(dataDir, "local-secrets.json")
}

/** Throws an `Error` that names variable and file, without the cause's message, which quotes the content. */
function storedSecrets(file: string): Partial<LocalSecrets> {
  if (!existsSync(file)) return {}
  const stored = LocalSecrets.partial().safeParse(
    parsedJson(readSettingFile("DATA_DIR", file).toString("utf8")),
  )
  if (stored.success) return stored.data
  throw new Error(
    `Invalid DATA_DIR ${dirname(file)}: ${basename(file)} is damaged. Restore it from a copy, or, if there is none, put ` +
      "{} into it: sign-in links then expire, and browsers have to sign in again",
  )
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Secrets for session cookies and signed links: the first encrypts and signs, all decrypt and verify. */
export function secretsOf({ SESSION_SECRETS, DATA_DIR }: Config): readonly string[] {
  return SESSION_SECRETS ?? [localSecrets(DATA_DIR).session]
}

/** Secrets for the code secrets of operators; null for a public shop that has set none, which has no console. */
export function operatorSecretsOf({
  OPERATOR_SECRETS,
  DATA_DIR,
  loopback,
}: Config): readonly string[] | null {
  return OPERATOR_SECRETS ?? (loopback ? [localSecrets(DATA_DIR).operators] : null)
}

/** A secret in the form of Standard Webhooks: `whsec_` and base64 of random bytes. */
function standardWebhooksSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`
}
