import { DAY, type Instant, MINUTE } from "../calendar"
import { hasRecentProof, type Proof } from "./customer"

/** How long the code of a change of e-mail works, which went to the new address. */
export const EMAIL_CODE_PERIOD = 30 * MINUTE

/** How long the former address can undo a change. */
export const EMAIL_UNDO_PERIOD = 7 * DAY

/** How long changes are kept after the request: the former address is personal data. */
export const EMAIL_CHANGES_KEPT = 30 * DAY

/** A customer's change of e-mail. */
export type EmailChange = {
  readonly id: string
  readonly customerId: string
  readonly formerEmail: string
  readonly newEmail: string
  readonly createdAt: Instant
  /** When the code of the new address was typed; null: not yet. */
  readonly confirmedAt: Instant | null
  /** When the former address stopped or undid it; null: not. */
  readonly revertedAt: Instant | null
  /** When it was replaced, used up, stopped, undone or overtaken; null: not. */
  readonly endedAt: Instant | null
}

/**
 * What the former address can do about a change: stop an `open` one, undo one that has been `confirmed`. `reverted`: it has done so.
 * `over`: nothing any more.
 */
export type EmailChangeStage = "open" | "confirmed" | "reverted" | "over"

/** How far a change of e-mail is at a time: see `EmailChangeStage`. */
export function stageOf(change: EmailChange, at: Instant): EmailChangeStage {
  const { createdAt, confirmedAt, revertedAt, endedAt } = change
  if (revertedAt !== null) return "reverted"
  if (endedAt !== null) return "over"
  if (confirmedAt !== null) return at - confirmedAt < EMAIL_UNDO_PERIOD ? "confirmed" : "over"
  return at - createdAt < EMAIL_CODE_PERIOD ? "open" : "over"
}

/** Whether a session was signed in by mail a moment ago: its holder reads the mail of the account. */
export function hasRecentMailProof(proof: Proof | null, now: Instant): boolean {
  return proof?.how === "link" && hasRecentProof(proof, now)
}
