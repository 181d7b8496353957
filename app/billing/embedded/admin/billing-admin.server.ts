import type { Finding } from "~/billing/diagnostic"
import type { Instant } from "~/domain/calendar"
import type { Block } from "~/domain/fraud"
import type { GatewayId } from "~/domain/gateway-id"
import { backUp } from "../backup/backup.server"
import { type Restored, restore } from "../backup/restore.server"
import { exportCatalogue, importCatalogue } from "../catalogue/catalogue.server"
import type { CatalogueFile } from "../catalogue/catalogue-file"
import { type Books, told } from "../db/transaction.server"
import { block, blocks, unblock } from "../fraud/block-list.server"
import type { Blocked } from "../fraud/block-value"
import { type GatewayRecord, gatewayRecord } from "../payments/gateway-stats.server"
import { type CustomerCopy, copyOfCustomer } from "../privacy/customer-export.server"
import { eraseCustomer } from "../privacy/erasure.server"
import { type AffiliateListed, affiliates } from "./affiliates.server"
import { examine, examineAccess } from "./diagnostics.server"
import { discardJob, examineJobs, type JobListed, retryJobs, unfinishedJobs } from "./jobs.server"
import { unbalanced } from "./ledger-check.server"
import {
  listOrders,
  type OrderFilter,
  type OrderListed,
  type OrderShown,
  showOrder,
} from "./order-queries.server"
import { traces } from "./order-traces.server"
import { checkPayments } from "./payment-checks.server"
import { type Gift, giveCredit, type ResellerListed, resellers } from "./resellers.server"

/** What the operator's command line asks beyond what checkout needs. Every call may throw a `BillingError`. */
export interface Operator {
  exportCatalogue(): Promise<CatalogueFile>
  /** Makes the catalogue exactly what the file says; promotions that stay keep how often they were used. */
  importCatalogue(file: CatalogueFile): Promise<void>
  /** The newest first; only those in a status, when one is named. */
  orders(filter: OrderFilter): Promise<readonly OrderListed[]>
  /** Everything the books know of one order; null when there is none of that number. */
  order(id: string): Promise<OrderShown | null>
  /** Jobs that have failed; with `number`, those of an order or the one job, also when nothing has failed yet. */
  jobs(number?: string): Promise<readonly JobListed[]>
  /** Has jobs done now, from the first try on; answers how many will be: not those that a worker is at. */
  retryJobs(ids: readonly string[], at: Instant): Promise<number>
  /** Gives a parked job up; false when it is not parked. */
  discardJob(id: string): Promise<boolean>
  /** Whether what has been paid is set up, or will be by itself: also beside external billing. */
  examineJobs(): Promise<readonly Finding[]>
  /** Shuts out an address, a network or a country; again with the newer reason. */
  block(block: Block): Promise<void>
  /** Lets somebody in again; false when he was not shut out. */
  unblock(blocked: Blocked): Promise<boolean>
  blocks(): Promise<readonly Block[]>
  /** What every affiliate has brought, by his number. */
  affiliates(): Promise<readonly AffiliateListed[]>
  /** Everybody who has bought a reseller plan, with his credits. */
  resellers(): Promise<readonly ResellerListed[]>
  /** Whether the books are fit to sell by. */
  examine(now: Instant): Promise<readonly Finding[]>
  /** Which orders look as if a check had been got round; whoever else keeps books, these are ours. */
  traces(): Promise<readonly Finding[]>
  /** Whether what gateways have reported is booked, whoever keeps the orders. */
  checkPayments(now: Instant): Promise<readonly Finding[]>
  /** Accounts of which a sign-up password shows not all, wherever customers are kept. */
  examineAccess(): Promise<readonly Finding[]>
  /** How a gateway has done lately. */
  gateway(id: GatewayId, now: Instant): Promise<GatewayRecord>
  /** Gives a customer credits; answers what he holds then, null when nobody has that e-mail. */
  giveCredit(gift: Gift): Promise<number | null>
  /** Hands over all that the books hold at one moment, as lines of a backup. */
  backUp(at: Instant, keep: (lines: AsyncIterable<string>) => Promise<void>): Promise<void>
  /** Makes the books what the lines of a backup say, all or nothing; `read` gives them from the start each time. */
  restore(read: () => AsyncIterable<string>, wish: { replace: boolean }): Promise<Restored>
  /** What of money and credits does not come to zero, in words. */
  unbalanced(): Promise<readonly string[]>
  /** All that is kept about the customer of an e-mail; null when there is none. */
  copyOfCustomer(email: string): Promise<CustomerCopy | null>
  /** Replaces what names the customer of an e-mail by nothing; answers how many rows of customers that were. */
  eraseCustomer(email: string, wish: { force: boolean }): Promise<number>
}

export function operatorOf(books: Books): Operator {
  return {
    exportCatalogue: () => told(exportCatalogue(books)),
    importCatalogue: (file) => told(importCatalogue(books, file)),
    orders: (filter) => told(listOrders(books, filter)),
    order: (id) => told(showOrder(books, id)),
    jobs: (number) => told(unfinishedJobs(books, number)),
    retryJobs: (ids, at) => told(retryJobs(books, ids, at)),
    discardJob: (id) => told(discardJob(books, id)),
    examineJobs: () => told(examineJobs(books)),
    block: (wish) => told(block(books, wish)),
    unblock: (blocked) => told(unblock(books, blocked)),
    blocks: () => told(blocks(books)),
    affiliates: () => told(affiliates(books)),
    resellers: () => told(resellers(books)),
    examine: (now) => told(examine(books, now)),
    traces: () => told(traces(books)),
    checkPayments: (now) => told(checkPayments(books, now)),
    examineAccess: () => told(examineAccess(books)),
    gateway: (id, now) => told(gatewayRecord(books, id, now)),
    giveCredit: (gift) => told(giveCredit(books, gift)),
    backUp: (at, keep) => told(backUp(books, at, keep)),
    restore: (read, wish) => told(restore(books, read, wish)),
    unbalanced: () => told(unbalanced(books)),
    copyOfCustomer: (email) => told(copyOfCustomer(books, email)),
    eraseCustomer: (email, wish) => told(eraseCustomer(books, email, wish)),
  }
}
