import type { LoggedServices } from "~/context/services.server"
import { DAY, dayIn, MINUTE } from "~/domain/calendar"
import { EMAIL_CHANGES_KEPT } from "~/domain/customers/email-change"
import { STORED_FOR } from "~/domain/payments/rejected-callback"
import { claimRun } from "./claim-run.server"

/** It scans all customers, so not in every sweep. */
const FORGET_EVERY = 15 * MINUTE
const FORGOTTEN_AT_ONCE = 200
/** A month can be compared with the same month of the two years before. */
const STEPS_KEPT = 800 * DAY
/** Longer than any session lasts. Who signed in when stays in the audit log. */
const OPERATOR_SESSIONS_KEPT = 30 * DAY

/** As long as somebody may ask about an action of a year ago. What was done stays in the audit log. */
const BULK_RUNS_KEPT = 400 * DAY

/**
 * Deletes rows of ended sessions, sign-in requests, changes of e-mail, marks of free trials, rejected callbacks, operators' sessions,
 * sums of steps and bulk runs once they are old, and erases inactive customers. The mail log is cleaned with the operator's alerts, and
 * events with their publishing: in batches, since there are many.
 */
export async function deleteOldRows(services: LoggedServices): Promise<void> {
  const { now } = services
  await services.sessions.deleteEndedSessions(now())
  await services.signInRequests.deleteRequests(now() - DAY)
  await services.emailChanges?.deleteChanges(now() - EMAIL_CHANGES_KEPT)
  await services.trials?.deleteOldClaims(now())
  await services.payments.deleteRejectedCallbacks(now() - STORED_FOR)
  await services.console?.operators.deleteSessions(now() - OPERATOR_SESSIONS_KEPT)
  await services.steps.deleteStepsBefore(dayIn(services.shop.timeZone, now() - STEPS_KEPT))
  await services.bulk.deleteOld(now() - BULK_RUNS_KEPT)
  await eraseInactiveCustomers(services)
}

/** Erases customers who never bought anything after the operator's retention time. */
async function eraseInactiveCustomers(services: LoggedServices): Promise<void> {
  const { shop, billing, now, log } = services
  if (shop.retention === null) return
  if (!(await claimRun(services, { task: "retention", every: FORGET_EVERY }))) return
  const customers = await billing.eraseInactiveCustomers(now() - shop.retention, FORGOTTEN_AT_ONCE)
  if (customers > 0) log.info({ customers }, "inactive customers erased")
}
