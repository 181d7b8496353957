import type { LoggedServices } from "~/context/services.server"
import { type EmailChange, type EmailChangeStage, stageOf } from "~/domain/customers/email-change"
import { changeOfToken } from "~/security/email-change-codes.server"

/** The change that a link would stop or undo. Null: the link is forged, or its change is not stored any more. */
export async function openEmailChangeLink(
  { emailChanges, signer, now }: Pick<LoggedServices, "emailChanges" | "signer" | "now">,
  token: string,
): Promise<{ readonly change: EmailChange; readonly stage: EmailChangeStage } | null> {
  const id = changeOfToken(signer, token)
  const change = id === null ? null : ((await emailChanges?.find(id)) ?? null)
  return change && { change, stage: stageOf(change, now()) }
}

/**
 * Stops or undoes a change of e-mail by the link of the former address, in any browser. Its customer is signed out everywhere
 * and has no password any more. Idempotent.
 */
export async function revertEmailChange(
  services: LoggedServices,
  token: string,
): Promise<"reverted" | "taken" | "over"> {
  const { emailChanges, signer, now, log } = services
  const id = changeOfToken(signer, token)
  if (id === null || emailChanges === null) return "over"
  const result = await emailChanges.revert(id, now())
  services.wakeJobs()
  log.info({ changeId: id, result }, "change of email reverted")
  return result
}
