import type { Diagnostic } from "~/billing/diagnostic"
import type { Instant } from "~/domain/calendar"
import type { Block } from "~/domain/fraud"
import type { GatewayId } from "~/domain/gateway-id"
import type { MailSuppression } from "~/domain/mail"
import { backUp } from "../backup/backup.server"
import { type Restored, restore } from "../backup/restore.server"
import { exportCatalogue, importCatalogue } from "../catalogue/catalogue.server"
import type { CatalogueFile } from "../catalogue/catalogue-file"
import { changeEmail, type EmailChange } from "../customers/change-email.server"
import { type DbContext, guarded } from "../db/transaction.server"
import { block, blocks, unblock } from "../fraud/block-list.server"
import type { Blocked } from "../fraud/block-value"
import { type GatewayStats, gatewayRecord } from "../payments/gateway-stats.server"
import { type CustomerExport, exportCustomer } from "../privacy/customer-export.server"
import { eraseCustomer } from "../privacy/erasure.server"
import type { GivenDays } from "../services/given-days.server"
import type { NewSuspension, Resumption, Termination } from "../services/service-state.server"
import {
  type Campaign,
  type CampaignCount,
  type CampaignRequest,
  type CampaignRun,
  countCampaign,
  listCampaigns,
  runCampaign,
  undoCampaign,
} from "../services/term-campaigns.server"
import { type AffiliateListed, affiliates } from "./affiliates.server"
import { advanceClock, type ClockAdmin, clockAhead } from "./clock.server"
import { diagnose, diagnoseAccess } from "./diagnostics.server"
import { diagnoseJobs, discardJob, type JobListed, retryJobs, unfinishedJobs } from "./jobs.server"
import { findImbalances } from "./ledger-check.server"
import {
  endSuppressions,
  listMails,
  listSuppressions,
  type MailFilter,
  type MailListed,
  resendMail,
  showMail,
} from "./mail-log.server"
import {
  listOrders,
  type OrderDetails,
  type OrderFilter,
  type OrderListItem,
  showOrder,
} from "./order-queries.server"
import { traces } from "./order-traces.server"
import { checkPayments } from "./payment-checks.server"
import {
  grantResellerCredits,
  type ResellerCreditGrant,
  type ResellerListed,
  resellers,
} from "./resellers.server"
import { extendService, resumeService, suspendService, terminateService } from "./service-changes.server"
import {
  listServices,
  type ServiceDetails,
  type ServiceFilter,
  type ServiceListItem,
  showService,
} from "./service-queries.server"

/** Operations of the admin CLI that checkout does not need. Every call may throw a `BillingError`. */
export interface BillingAdmin extends ClockAdmin {
  exportCatalogue(): Promise<CatalogueFile>
  /** Replaces the catalogue with the file; promotions in both keep their use count. */
  importCatalogue(file: CatalogueFile): Promise<void>
  /** Lists orders newest first, at most `limit`, optionally only those in `status`. */
  orders(filter: OrderFilter): Promise<readonly OrderListItem[]>
  /** All stored data of one order; null for an unknown id. */
  order(id: string): Promise<OrderDetails | null>
  /** Lists failed jobs; with `number` (id of an order or a job) its unfinished jobs, also without a failure. */
  jobs(number?: string): Promise<readonly JobListed[]>
  /** Makes jobs due now and resets their tries. Returns their number; jobs claimed by a worker are skipped. */
  retryJobs(ids: readonly string[], at: Instant): Promise<number>
  /** Discards a parked job. Returns false if it is not parked. */
  discardJob(id: string): Promise<boolean>
  /** Checks that paid orders are provisioned or have a pending job; works with external billing, too. */
  diagnoseJobs(): Promise<readonly Diagnostic[]>
  /** Lists the mail log, newest first. */
  mails(filter: MailFilter): Promise<readonly MailListed[]>
  /** One message of the log; null for an unknown id. */
  mail(id: string): Promise<MailListed | null>
  /** Sends a message again, whatever became of it. False for an unknown id. */
  resendMail(id: string, at: Instant): Promise<boolean>
  suppressions(): Promise<readonly MailSuppression[]>
  /** Ends every suppression of an address. Returns their number. */
  endSuppressions(email: string): Promise<number>
  /** Blocks an address, a network or a country; blocking it again replaces reason and time. */
  block(block: Block): Promise<void>
  /** Removes a block. Returns false if there was none. */
  unblock(blocked: Blocked): Promise<boolean>
  blocks(): Promise<readonly Block[]>
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
  /** Services by the end of their paid time, the next to end first; those without an end last. */
  services(filter: ServiceFilter): Promise<readonly ServiceListItem[]>
  /** A service with its timeline, by its number or that of its order; null if there is none. */
  serviceDetails(number: string): Promise<ServiceDetails | null>
  /**
   * Suspends an active service; one that is suspended for non-payment gets the new owner. False if nothing has changed.
   */
  suspendService(id: string, suspension: NewSuspension): Promise<boolean>
  /** Ends a suspension by one of the owners. False if nothing has changed. */
  resumeService(id: string, resumption: Resumption): Promise<boolean>
  /** Ends an active or suspended service. False if nothing has changed. */
  terminateService(id: string, termination: Termination): Promise<boolean>
  /** Adds days to the paid time of a service. Returns its new end; null if it has none, or is not running. */
  extendService(id: string, given: GivenDays): Promise<Instant | null>
  /** How many services a campaign would extend, and whether it has begun. */
  countCampaign(request: CampaignRequest): Promise<CampaignCount>
  /** Extends services in batches, each once: a repeated request goes on with its campaign. */
  runCampaign(request: CampaignRequest, at: Instant): Promise<CampaignRun>
  /** Takes the days of a campaign back. Returns the number of services; null if there is no such campaign. */
  undoCampaign(id: string, at: Instant): Promise<number | null>
  campaigns(): Promise<readonly Campaign[]>
  /** Recent statistics of a gateway. */
  gateway(id: GatewayId, now: Instant): Promise<GatewayStats>
  /** Grants reseller credits to a customer. Returns the new balance, null for an unknown email. */
  grantResellerCredits(grant: ResellerCreditGrant): Promise<number | null>
  /** Passes a snapshot of the database to `write` as lines of a backup. */
  backUp(at: Instant, write: (lines: AsyncIterable<string>) => Promise<void>): Promise<void>
  /** Replaces the database with a backup in one transaction; each `read` call must return the lines from the start. */
  restore(read: () => AsyncIterable<string>, options: { replace: boolean }): Promise<Restored>
  /** Finds invoices, account credit and reseller credits that differ from their ledgers; one message each. */
  findImbalances(): Promise<readonly string[]>
  /** Exports all stored data of a customer; null for an unknown email. */
  exportCustomer(email: string): Promise<CustomerExport | null>
  /**
   * Gives a customer another e-mail. Sessions and sign-in links of the former one end; the new one is unproven until
   * somebody signs in by it. Both addresses get a message. False for an unknown e-mail; throws `BillingError` "refused" if
   * another customer has the new one.
   */
  changeEmail(change: EmailChange): Promise<boolean>
  /** Erases the personal data of a customer. Returns the number of client rows erased. */
  eraseCustomer(email: string, options: { force: boolean }): Promise<number>
}

export function billingAdmin(ctx: DbContext): BillingAdmin {
  return guarded<BillingAdmin>(ctx, {
    exportCatalogue,
    importCatalogue,
    orders: listOrders,
    order: showOrder,
    jobs: unfinishedJobs,
    retryJobs,
    discardJob,
    diagnoseJobs,
    mails: listMails,
    mail: showMail,
    resendMail,
    suppressions: listSuppressions,
    endSuppressions,
    block,
    unblock,
    blocks,
    affiliates,
    resellers,
    diagnose,
    traces,
    checkPayments,
    diagnoseAccess,
    services: listServices,
    serviceDetails: showService,
    countCampaign,
    runCampaign,
    undoCampaign,
    campaigns: listCampaigns,
    suspendService,
    resumeService,
    terminateService,
    extendService,
    gateway: gatewayRecord,
    grantResellerCredits,
    backUp,
    restore,
    findImbalances,
    clockAhead,
    advanceClock,
    exportCustomer,
    changeEmail,
    eraseCustomer,
  })
}
