import type { OperatorSession } from "~/billing/operators/operators"
import type { Services } from "~/context/services.server"

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
  key: string,
): boolean {
  const [id = "", signature = ""] = key.split(".")
  return signer.verify(signedText(session, id), signature)
}

function signedText({ id }: Pick<OperatorSession, "id">, key: string): string {
  return `console-form ${id} ${key}`
}
