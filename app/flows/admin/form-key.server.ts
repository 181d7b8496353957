import type { OperatorSession } from "~/billing/operators/operators"
import type { Services } from "~/context/services.server"

/** The key of a form as it was sent, and what was typed in it, as a text: a form that is sent again may have other values. */
export type SentKey = { readonly key: string; readonly typed: string }

type Keys = Pick<Services, "signer" | "newId">

/** A key of a form: each acts once, and only in the session that it was made for (CSRF). */
export function newFormKey({ signer, newId }: Keys, session: Pick<OperatorSession, "id">): string {
  const id = newId()
  return `${id}.${signer.sign(signedText(session, id))}`
}

/** Whether a key was made for this session. */
export function isFormKey(
  { signer }: Pick<Keys, "signer">,
  session: Pick<OperatorSession, "id">,
  { key }: Pick<SentKey, "key">,
): boolean {
  const [id = "", signature = "", ...others] = key.split(".")
  return others.length === 0 && signer.verify(signedText(session, id), signature)
}

/** What the audit log keeps of what was typed: whether it was the same is known by it, and nothing else. */
export function typedMark({ signer }: Pick<Keys, "signer">, { key, typed }: SentKey): string {
  return signer.sign(`console-form-typed ${key} ${typed}`)
}

function signedText({ id }: Pick<OperatorSession, "id">, key: string): string {
  return `console-form ${id} ${key}`
}
