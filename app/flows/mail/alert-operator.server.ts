import type { LoggedServices } from "~/context/services.server"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import { MAIL_SENT_WITHIN, PROVISIONED_WITHIN } from "~/domain/operators/alert-periods"
import { claimRun } from "~/flows/jobs/claim-run.server"
import { deleteInBatches } from "~/flows/jobs/delete-in-batches.server"
import { watchGateways } from "~/flows/payments/watch-gateways.server"

/** If the instance that watches dies, another takes over after this time. */
const LEASE = 1 * MINUTE
const REPEAT_AFTER = 15 * MINUTE
const CLEAN_EVERY = 1 * HOUR

type AlertServices = Pick<
  LoggedServices,
  "mails" | "outbox" | "gateways" | "newId" | "now" | "isClockReliable" | "log"
>

/**
 * Watches what the operator has to know, one instance at a time: orders that are paid and not provisioned, gateways that
 * are down, messages that nobody accepts; and deletes old messages from the log. Returns the function to call repeatedly.
 */
export function operatorAlerts(services: AlertServices, holder: string): () => Promise<void> {
  const alertGateways = watchGateways(services, (...report) => services.mails.alertGateway(...report))
  return async () => {
    const { mails, outbox, now } = services
    if (!(await outbox.lease("alerts", holder, now(), LEASE))) return
    await mails.alertUnprovisioned(now() - PROVISIONED_WITHIN, now())
    await mails.alertParkedJobs(now())
    await alertGateways()
    await logSilence(services)
    await deleteOldMails(services)
  }
}

/** That mail as a whole has not gone out for a quarter of an hour; null while it does. */
async function silenceOf({ mails, now }: Pick<AlertServices, "mails" | "now">): Promise<string | null> {
  const at = now()
  const { silentSince } = await mails.stats(at, at - DAY)
  if (silentSince === null || at - silentSince < MAIL_SENT_WITHIN) return null
  return `messages wait and none was accepted for ${Math.floor((at - silentSince) / MINUTE)} minutes`
}

async function logSilence(services: AlertServices): Promise<void> {
  const reason = await silenceOf(services)
  if (reason === null) return
  if (await claimRun(services, { task: "mail silence", every: REPEAT_AFTER }))
    services.log.error({ reason }, "mail not going out")
}

async function deleteOldMails(services: AlertServices): Promise<void> {
  const { mails, now, isClockReliable, log } = services
  if (!isClockReliable()) return
  if (!(await claimRun(services, { task: "mail retention", every: CLEAN_EVERY }))) return
  const deleted = await deleteInBatches(() => mails.deleteOld(now()))
  if (deleted > 0) log.info({ mails: deleted }, "old mail log entries deleted")
}
