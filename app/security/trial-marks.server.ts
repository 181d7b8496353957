import { mailboxOf, type TrialMark } from "~/domain/catalogue/trial"
import type { Signer } from "./hmac.server"

/** A mark of a person as a keyed hash, so that the database names neither mailbox nor network. Stored: it must not change. */
export function trialMark(signer: Signer, mark: TrialMark, value: string): string {
  return signer.sign(JSON.stringify(["trial", mark, value]))
}

/** The mark of an e-mail's mailbox. */
export function mailboxMark(signer: Signer, email: string): string {
  return trialMark(signer, "email", mailboxOf(email))
}
