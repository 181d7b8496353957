import type { Diagnostic } from "~/billing/diagnostic"
import type { StoredSecret, StoredSecrets } from "~/billing/operators/stored-secrets"
import type { ConsoleServices } from "~/context/services.server"
import type { SecretSeals } from "~/security/cookie-encryption.server"
import type { SentKey } from "../form-key.server"
import { type ActionOutcome, type Actor, runOperatorAction } from "../run-operator-action.server"

type Sources = { readonly storedSecrets: StoredSecrets; readonly secretSeals: SecretSeals }

export type SecretCounts = {
  /** Encrypted with the first of `OPERATOR_SECRETS`. */
  readonly current: number
  /** Encrypted with a later one, which has to stay in the list. */
  readonly outdated: number
  /** None of the list decrypts them. */
  readonly unreadable: readonly Pick<StoredSecret, "kind" | "name">[]
}

/** With which secrets the stored ones are encrypted. Changes nothing. */
export async function countSecrets({ storedSecrets, secretSeals }: Sources): Promise<SecretCounts> {
  const secrets = await storedSecrets.list()
  const renewed = secrets.map((it) => ({ ...it, by: sealOf(secretSeals, it).renew(it.sealed) }))
  const current = renewed.filter(({ by, sealed }) => by === sealed).length
  const unreadable = renewed.filter(({ by }) => by === null).map(({ kind, name }) => ({ kind, name }))
  return { current, outdated: secrets.length - current - unreadable.length, unreadable }
}

const sealOf = (seals: SecretSeals, { kind }: StoredSecret) =>
  kind === "operator" ? seals.operators : seals.webhooks

/**
 * Encrypts anew with the first of `OPERATOR_SECRETS` what is stored encrypted with a later one. Idempotent: each secret is replaced by
 * itself, so that a run which was cut off is simply repeated, and shops that have both secrets go on meanwhile. Returns how many were
 * encrypted anew, and the counts afterwards.
 */
export async function reEncryptSecrets(
  sources: Sources,
): Promise<SecretCounts & { readonly reEncrypted: number }> {
  const { storedSecrets, secretSeals } = sources
  let reEncrypted = 0
  for (const secret of await storedSecrets.list()) {
    const sealed = sealOf(secretSeals, secret).renew(secret.sealed)
    if (sealed === null || sealed === secret.sealed) continue
    if (await storedSecrets.replace(secret, sealed)) reEncrypted++
  }
  return { ...(await countSecrets(sources)), reEncrypted }
}

type Form = {
  readonly reason: string
  readonly formKey: SentKey
  readonly proof: { readonly password: string; readonly code: string }
}

/** Encrypts stored secrets anew by a form of the console, and writes the audit log. */
export function reEncryptByForm(
  services: ConsoleServices,
  actor: Actor,
  { reason, formKey, proof }: Form,
): Promise<ActionOutcome<number>> {
  const action = "re-encrypt-secrets"
  const request = { action, subject: "stored secrets", reason: reason || null, formKey, proof } as const
  return runOperatorAction(services, actor, request, async () => {
    const { reEncrypted, outdated, unreadable } = await reEncryptSecrets(services.console)
    return { after: { reEncrypted, outdated, unreadable: unreadable.length }, value: reEncrypted }
  })
}

/** What to do about a secret that nothing decrypts any more. */
export function remedyOf({ kind, name }: Pick<StoredSecret, "kind" | "name">): string {
  return kind === "operator" ? `operators reset ${name}` : `webhooks rotate-secret ${name}`
}

/** Whether an older one of `OPERATOR_SECRETS` is still needed, or one that is gone was. */
export async function diagnoseSecrets(sources: Sources): Promise<readonly Diagnostic[]> {
  const check = "stored secrets"
  const { outdated, unreadable } = await countSecrets(sources)
  const lost = unreadable.map((it) => ({
    ok: false,
    check,
    message: `no secret of OPERATOR_SECRETS decrypts it: put the former one back, or use "${remedyOf(it)}"`,
  }))
  if (outdated === 0) return lost
  const message = `${outdated} encrypted with a later one of OPERATOR_SECRETS, which has to stay: use "secrets re-encrypt"`
  return [...lost, { ok: null, check, message }]
}
