import type { AffiliateAdmin } from "~/billing/affiliate-admin"
import type { CustomerAdmin } from "~/billing/customers/customer-admin"
import type { Diagnostic } from "~/billing/diagnostic"
import type { Accounting } from "~/billing/documents/accounting"
import type { DocumentNumbers } from "~/billing/documents/document-numbers"
import type { MailAdmin } from "~/billing/mail-admin"
import type { OrderAdmin } from "~/billing/orders/order-admin"
import type { ResellerAdmin } from "~/billing/reseller-admin"
import type { ServiceAdmin } from "~/billing/services/service-admin"
import type { VersionMade } from "~/billing/versions"
import type { Instant } from "~/domain/calendar"
import { backUp } from "../backup/backup.server"
import { type Restored, restore } from "../backup/restore.server"
import { tryRestore } from "../backup/try-restore.server"
import { exportCatalogue, importCatalogue } from "../catalogue/catalogue.server"
import type { CatalogueFile } from "../catalogue/catalogue-file"
import { type DbContext, guarded } from "../db/transaction.server"
import { continueNumbers, numberSeries } from "../documents/document-numbers.server"
import { changeEmail } from "../email-changes/change-email.server"
import { block, blocks, unblock } from "../fraud/block-list.server"
import { grantAccountCredit } from "../ledger/customer-credit.server"
import { findImbalances } from "../ledger/ledger-check.server"
import { recordRefund } from "../payments/recorded-refund.server"
import { waiveRest } from "../payments/waived-rest.server"
import { exportCustomer } from "../privacy/customer-export.server"
import { customersOf, eraseCustomer } from "../privacy/erasure.server"
import { countPriceMove, keepPrice, movePrice, renewalGroups } from "../services/price-moves.server"
import {
  type Campaign,
  type CampaignCount,
  type CampaignRequest,
  type CampaignRun,
  type CampaignUndone,
  countCampaign,
  listCampaigns,
  mailCampaign,
  runCampaign,
  undoCampaign,
} from "../services/term-campaigns.server"
import { accountingEntries } from "./accounting-entries.server"
import { affiliate, affiliateOrders, listAffiliates } from "./affiliate-queries.server"
import { type AffiliateListed, affiliates } from "./affiliates.server"
import { customersNamed, emailsOf, listCustomers, showCustomer } from "./customer-queries.server"
import { diagnose, diagnoseAccess } from "./diagnostics.server"
import { diagnoseJobs, discardJob, failedJobs, retryJobs, unfinishedJobs } from "./jobs.server"
import {
  endSuppressions,
  listMails,
  listSuppressions,
  mailPage,
  resendMail,
  showMail,
} from "./mail-log.server"
import { addOrderNote, addOrderTag, removeOrderTag } from "./order-notes.server"
import { showOrder } from "./order-queries.server"
import { listOrders, ordersNamed } from "./order-search.server"
import { traces } from "./order-traces.server"
import { checkPayments } from "./payment-checks.server"
import { listResellers, reseller, resellerEntries, resellerLines } from "./reseller-queries.server"
import { grantResellerCredits, type ResellerListed, resellers } from "./resellers.server"
import { advanceClock, type ClockAdmin, clockAhead } from "./sandbox-clock.server"
import {
  extendService,
  recordServiceEvent,
  resumeService,
  setConnections,
  suspendService,
  terminateService,
} from "./service-changes.server"
import { listServices, showService } from "./service-queries.server"

/** Operations of the admin CLI that checkout does not need. Every call may throw a `BillingError`. */
export interface BillingAdmin
  extends ClockAdmin,
    OrderAdmin,
    CustomerAdmin,
    ServiceAdmin,
    MailAdmin,
    DocumentNumbers,
    ResellerAdmin,
    AffiliateAdmin,
    Accounting {
  exportCatalogue(): Promise<CatalogueFile>
  /**
   * Replaces the catalogue with the file; promotions in both keep their use count. Writes a version of its products if `made`
   * says who and why.
   */
  importCatalogue(file: CatalogueFile, made?: VersionMade): Promise<void>
  /** Checks that paid orders are provisioned or have a pending job; works with external billing, too. */
  diagnoseJobs(): Promise<readonly Diagnostic[]>
  /**
   * Ids of the customers with an e-mail: who has it, and who had it before it became another's. With external billing an
   * e-mail may have passed from one customer to another several times.
   */
  customersOf(email: string): Promise<readonly string[]>
  /** Lists all affiliates with their clicks and orders, in numeric order of their ids. */
  affiliates(): Promise<readonly AffiliateListed[]>
  /** Lists customers with a reseller plan and their reseller credits. */
  resellers(): Promise<readonly ResellerListed[]>
  /** Checks database, catalogue, balances, clock and sign-up passwords of embedded billing. */
  diagnose(now: Instant): Promise<readonly Diagnostic[]>
  /** Finds stored orders that bypassed a check in earlier versions; works with external billing, too. */
  traces(): Promise<readonly Diagnostic[]>
  /** Checks that reported payment updates were applied; works with external billing, too. */
  checkPayments(now: Instant): Promise<readonly Diagnostic[]>
  /** Finds accounts whose sign-up password does not cover all their orders; works with external billing, too. */
  diagnoseAccess(): Promise<readonly Diagnostic[]>
  /** How many services a campaign would extend, and whether it has begun. */
  countCampaign(request: CampaignRequest): Promise<CampaignCount>
  /** Extends services in batches, each once: a repeated request goes on with its campaign. */
  runCampaign(request: CampaignRequest, at: Instant): Promise<CampaignRun>
  /** Enqueues a message for each service with the days of a campaign, each once. Returns the number of services. */
  mailCampaign(id: string, at: Instant): Promise<number>
  /** Takes the days of a campaign back. Null if there is no such campaign. */
  undoCampaign(id: string, at: Instant): Promise<CampaignUndone | null>
  campaigns(): Promise<readonly Campaign[]>
  /** Passes a snapshot of the database to `write` as lines of a backup. */
  backUp(at: Instant, write: (lines: AsyncIterable<string>) => Promise<void>): Promise<void>
  /** Replaces the database with a backup in one transaction; each `read` call must return the lines from the start. */
  restore(read: () => AsyncIterable<string>, options: { replace: boolean }): Promise<Restored>
  /** Restores a backup into a temporary database, which is deleted: throws if it cannot be restored. */
  tryRestore(read: () => AsyncIterable<string>): Promise<Restored>
  /** Finds invoices, account credit and reseller credits that differ from their ledgers; one message each. */
  findImbalances(): Promise<readonly string[]>
}

export function billingAdmin(ctx: DbContext): BillingAdmin {
  return guarded<BillingAdmin>(ctx, {
    accountingEntries,
    numberSeries,
    continueNumbers,
    exportCatalogue,
    importCatalogue,
    orders: listOrders,
    ordersNamed,
    order: showOrder,
    addOrderNote,
    addOrderTag,
    removeOrderTag,
    recordRefund,
    jobs: unfinishedJobs,
    failedJobs,
    retryJobs,
    discardJob,
    diagnoseJobs,
    mails: listMails,
    mail: showMail,
    mailPage,
    resendMail,
    suppressions: listSuppressions,
    endSuppressions,
    customers: listCustomers,
    customersNamed,
    emailsOf,
    customer: showCustomer,
    grantAccountCredit,
    block,
    unblock,
    blocks,
    affiliates,
    resellers,
    listAffiliates,
    affiliate,
    affiliateOrders,
    listResellers,
    reseller,
    resellerEntries,
    resellerLines,
    diagnose,
    traces,
    checkPayments,
    diagnoseAccess,
    services: listServices,
    serviceDetails: showService,
    countCampaign,
    runCampaign,
    mailCampaign,
    undoCampaign,
    campaigns: listCampaigns,
    countPriceMove,
    movePrice,
    keepPrice,
    renewalGroups,
    suspendService,
    resumeService,
    terminateService,
    waiveRest,
    extendService,
    setConnections,
    recordServiceEvent,
    grantResellerCredits,
    backUp,
    restore,
    tryRestore,
    findImbalances,
    clockAhead,
    advanceClock,
    customersOf,
    exportCustomer,
    changeEmail,
    eraseCustomer,
  })
}
