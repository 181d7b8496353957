import type { Diagnostic } from "~/billing/diagnostic"
import type { Instant } from "~/domain/calendar"
import type { Block } from "~/domain/fraud"
import type { GatewayId } from "~/domain/gateway-id"
import { backUp } from "../backup/backup.server"
import { type Restored, restore } from "../backup/restore.server"
import { exportCatalogue, importCatalogue } from "../catalogue/catalogue.server"
import type { CatalogueFile } from "../catalogue/catalogue-file"
import { type DbContext, withBillingErrors } from "../db/transaction.server"
import { block, blocks, unblock } from "../fraud/block-list.server"
import type { Blocked } from "../fraud/block-value"
import { type GatewayStats, gatewayRecord } from "../payments/gateway-stats.server"
import { type CustomerExport, exportCustomer } from "../privacy/customer-export.server"
import { eraseCustomer } from "../privacy/erasure.server"
import { type AffiliateListed, affiliates } from "./affiliates.server"
import { diagnose, diagnoseAccess } from "./diagnostics.server"
import { diagnoseJobs, discardJob, type JobListed, retryJobs, unfinishedJobs } from "./jobs.server"
import { findImbalances } from "./ledger-check.server"
import {
  listOrders,
  type OrderDetails,
  type OrderFilter,
  type OrderListItem,
  showOrder,
} from "./order-queries.server"
import { traces } from "./order-traces.server"
import { checkPayments } from "./payment-checks.server"
import { type CreditGrant, grantCredit, type ResellerListed, resellers } from "./resellers.server"

/** What the operator's command line asks beyond what checkout needs. Every call may throw a `BillingError`. */
export interface BillingAdmin {
  exportCatalogue(): Promise<CatalogueFile>
  /** Makes the catalogue exactly what the file says; promotions that stay keep how often they were used. */
  importCatalogue(file: CatalogueFile): Promise<void>
  /** The newest first; only those in a status, when one is named. */
  orders(filter: OrderFilter): Promise<readonly OrderListItem[]>
  /** Everything the books know of one order; null when there is none of that number. */
  order(id: string): Promise<OrderDetails | null>
  /** Jobs that have failed; with `number`, those of an order or the one job, also when nothing has failed yet. */
  jobs(number?: string): Promise<readonly JobListed[]>
  /** Has jobs done now, from the first try on; answers how many will be: not those that a worker is at. */
  retryJobs(ids: readonly string[], at: Instant): Promise<number>
  /** Gives a parked job up; false when it is not parked. */
  discardJob(id: string): Promise<boolean>
  /** Whether what has been paid is set up, or will be by itself: also beside external billing. */
  diagnoseJobs(): Promise<readonly Diagnostic[]>
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
  diagnose(now: Instant): Promise<readonly Diagnostic[]>
  /** Which orders look as if a check had been got round; whoever else keeps books, these are ours. */
  traces(): Promise<readonly Diagnostic[]>
  /** Whether what gateways have reported is booked, whoever keeps the orders. */
  checkPayments(now: Instant): Promise<readonly Diagnostic[]>
  /** Accounts of which a sign-up password shows not all, wherever customers are kept. */
  diagnoseAccess(): Promise<readonly Diagnostic[]>
  /** How a gateway has done lately. */
  gateway(id: GatewayId, now: Instant): Promise<GatewayStats>
  /** Gives a customer credits; answers what he holds then, null when nobody has that e-mail. */
  grantCredit(gift: CreditGrant): Promise<number | null>
  /** Hands over all that the books hold at one moment, as lines of a backup. */
  backUp(at: Instant, keep: (lines: AsyncIterable<string>) => Promise<void>): Promise<void>
  /** Makes the books what the lines of a backup say, all or nothing; `read` gives them from the start each time. */
  restore(read: () => AsyncIterable<string>, options: { replace: boolean }): Promise<Restored>
  /** What of money and credits does not come to zero, in words. */
  findImbalances(): Promise<readonly string[]>
  /** All that is kept about the customer of an e-mail; null when there is none. */
  exportCustomer(email: string): Promise<CustomerExport | null>
  /** Replaces what names the customer of an e-mail by nothing; answers how many rows of customers that were. */
  eraseCustomer(email: string, options: { force: boolean }): Promise<number>
}

export function billingAdmin(ctx: DbContext): BillingAdmin {
  return {
    exportCatalogue: () => withBillingErrors(exportCatalogue(ctx)),
    importCatalogue: (file) => withBillingErrors(importCatalogue(ctx, file)),
    orders: (filter) => withBillingErrors(listOrders(ctx, filter)),
    order: (id) => withBillingErrors(showOrder(ctx, id)),
    jobs: (number) => withBillingErrors(unfinishedJobs(ctx, number)),
    retryJobs: (ids, at) => withBillingErrors(retryJobs(ctx, ids, at)),
    discardJob: (id) => withBillingErrors(discardJob(ctx, id)),
    diagnoseJobs: () => withBillingErrors(diagnoseJobs(ctx)),
    block: (request) => withBillingErrors(block(ctx, request)),
    unblock: (blocked) => withBillingErrors(unblock(ctx, blocked)),
    blocks: () => withBillingErrors(blocks(ctx)),
    affiliates: () => withBillingErrors(affiliates(ctx)),
    resellers: () => withBillingErrors(resellers(ctx)),
    diagnose: (now) => withBillingErrors(diagnose(ctx, now)),
    traces: () => withBillingErrors(traces(ctx)),
    checkPayments: (now) => withBillingErrors(checkPayments(ctx, now)),
    diagnoseAccess: () => withBillingErrors(diagnoseAccess(ctx)),
    gateway: (id, now) => withBillingErrors(gatewayRecord(ctx, id, now)),
    grantCredit: (gift) => withBillingErrors(grantCredit(ctx, gift)),
    backUp: (at, keep) => withBillingErrors(backUp(ctx, at, keep)),
    restore: (read, options) => withBillingErrors(restore(ctx, read, options)),
    findImbalances: () => withBillingErrors(findImbalances(ctx)),
    exportCustomer: (email) => withBillingErrors(exportCustomer(ctx, email)),
    eraseCustomer: (email, options) => withBillingErrors(eraseCustomer(ctx, email, options)),
  }
}
