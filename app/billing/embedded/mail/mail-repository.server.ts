import type { MailRepository } from "~/billing/mail-repository"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"
import { enqueueMail } from "./enqueue-mail.server"
import { begin, settle } from "./mail-tries.server"
import { suppress, suppressionsOf } from "./suppressions.server"

/** The mail log of a database. */
export function mailRepository(ctx: DbContext): MailRepository {
  return guarded<MailRepository>(ctx, {
    enqueue: (db, mail) => inTransaction(db, (tx) => enqueueMail(tx, mail)),
    begin,
    settle,
    suppress,
    suppressionsOf,
  })
}
