import type { MailRepository } from "~/billing/mail-repository"
import { type DbContext, guarded, inTransaction } from "../../db/transaction.server"
import { enqueueMail } from "../enqueue-mail.server"
import { deleteOldMails } from "./mail-retention.server"
import { mailStats } from "./mail-stats.server"
import { begin, settle } from "./mail-tries.server"
import { alertGateway, alertParkedJobs, alertUnprovisioned } from "./operator-alerts.server"
import { suppress, suppressionsOf, suppressRecipient, unsubscribe } from "./suppressions.server"

/** The mail log of a database. */
export function mailRepository(ctx: DbContext): MailRepository {
  return guarded<MailRepository>(ctx, {
    enqueue: (db, mail) => inTransaction(db, (tx) => enqueueMail(tx, mail)),
    begin,
    settle,
    suppress,
    suppressRecipient,
    unsubscribe,
    suppressionsOf,
    alertUnprovisioned: (db, paidBefore, at) => alertUnprovisioned(db, { paidBefore, at }),
    alertGateway: (db, gateway, isDown, at) => alertGateway(db, { gateway, isDown, at }),
    alertParkedJobs,
    stats: mailStats,
    deleteOld: deleteOldMails,
  })
}
