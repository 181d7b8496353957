import type { Logger } from "pino"
import { createContext } from "react-router"
import type { AffiliateAdmin } from "~/billing/affiliate-admin"
import type { Billing } from "~/billing/billing"
import type { BrandVersions } from "~/billing/brand-versions"
import type { ShownCatalogue } from "~/billing/cached-catalogue.server"
import type { CatalogueAdmin } from "~/billing/catalogue/catalogue-admin"
import type { PromotionAdmin } from "~/billing/catalogue/promotion-admin"
import type { ConsoleOverview } from "~/billing/console-overview"
import type { CustomerAdmin } from "~/billing/customers/customer-admin"
import type { EmailChanges } from "~/billing/customers/email-changes"
import type { SessionRepository } from "~/billing/customers/session-repository"
import type { SignInRequests } from "~/billing/customers/sign-in-requests"
import type { Accounting } from "~/billing/documents/accounting"
import type { DocumentNumbers } from "~/billing/documents/document-numbers"
import type { TaxDocuments } from "~/billing/documents/tax-documents"
import type { MailAdmin } from "~/billing/mail-admin"
import type { MailRepository } from "~/billing/mail-repository"
import type { ApprovalRepository } from "~/billing/operators/approvals"
import type { AuditLog } from "~/billing/operators/audit-log"
import type { BulkRuns } from "~/billing/operators/bulk-runs"
import type { OperatorRepository } from "~/billing/operators/operators"
import type { StoredSecrets } from "~/billing/operators/stored-secrets"
import type { OrderAdmin } from "~/billing/orders/order-admin"
import type { OrderSync } from "~/billing/orders/order-sync"
import type { StepCounter, StepRepository } from "~/billing/orders/purchase-steps"
import type { PurchaseTransaction } from "~/billing/orders/purchase-transaction"
import type { Trials } from "~/billing/orders/trials"
import type { Outbox } from "~/billing/outbox"
import type { GatewayDrains } from "~/billing/payments/gateway-drains"
import type { GatewayRefundRepository } from "~/billing/payments/gateway-refunds"
import type { PaymentRepository } from "~/billing/payments/payment-repository"
import type { UnmatchedPayments } from "~/billing/payments/unmatched-payments"
import { readOnce } from "~/billing/read-once.server"
import type { ResellerAdmin } from "~/billing/reseller-admin"
import type { Dunning } from "~/billing/services/dunning"
import type { InvoiceRenewals } from "~/billing/services/invoice-renewals"
import type { PlanUpgrades } from "~/billing/services/plan-upgrades"
import type { PriceMoves } from "~/billing/services/price-moves"
import type { ServiceAdmin } from "~/billing/services/service-admin"
import type { TermPolicy } from "~/billing/services/term-policy"
import type { TaxAdmin } from "~/billing/tax-admin"
import type { WebhookRepository } from "~/billing/webhook-repository"
import type { ShopTexts } from "~/config/brand-content.server"
import type { LogoFile } from "~/config/logo-file.server"
import type { DocumentSettings } from "~/domain/accounting/tax-document"
import type { Instant } from "~/domain/calendar"
import type { ShownSetting, ShownShopFile } from "~/domain/console/shown-setting"
import type { Country } from "~/domain/customers/country"
import type { Strength } from "~/domain/customers/password-strength"
import type { Currency, Money } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { RandomInt } from "~/domain/services/credentials"
import type { Analytics } from "~/domain/shop/analytics"
import type { Brand } from "~/domain/shop/brand"
import type { Legal } from "~/domain/shop/legal"
import type { MailTexts } from "~/domain/shop/mail-texts"
import type { MethodDescriptions } from "~/domain/shop/payment-methods"
import type { SetupSteps } from "~/domain/shop/setup-steps"
import type { PlayerApp, ShopLinks } from "~/domain/shop/shop-links"
import type { BrandContent } from "~/domain/shop/shop-sections"
import type { TaxRules } from "~/domain/tax/tax"
import type { MonitoredGateway, PostCallback } from "~/gateways/gateway"
import type { CountryLookup } from "~/geo-ip/country-lookup"
import type { Mailer } from "~/mail/mailer"
import type { Provisioner } from "~/provisioning/provisioner"
import type { ApiAccess } from "~/security/api-tokens.server"
import type { Seal, SecretSeals } from "~/security/cookie-encryption.server"
import type { Signer } from "~/security/hmac.server"
import type { RateLimits } from "~/security/rate-limits.server"
import type { VatNumbers } from "~/vat-numbers/vat-numbers"
import type { WebhookSender } from "~/webhooks/webhook-sender"

/** Ports and settings that live as long as the process. A flow that needs at most three of them takes that part alone. */
export type Services = {
  readonly shop: ShopConfig
  /** Cached catalogue for display, possibly some seconds old. Orders are priced from `billing`. */
  readonly catalogue: ShownCatalogue
  readonly billing: Billing
  readonly payments: PaymentRepository
  readonly purchase: PurchaseTransaction
  readonly outbox: Outbox
  readonly refunds: GatewayRefundRepository
  /**
   * An external billing (`BILLING` of remote or whmcs) has the customers, prices, invoices and terms. Ports and settings that differ
   * with it say so themselves.
   */
  readonly hasExternalBilling: boolean
  /** What is paid and no order needs is credit at an external billing that takes the payments: no page promises account credit. */
  readonly isCreditExternal: boolean
  /** A customer pays in the currency of the account only, as a client of WHMCS. */
  readonly hasSingleCurrency: boolean
  /** Actions of operators on many orders, services or jobs. */
  readonly bulk: BulkRuns
  readonly priceMoves: PriceMoves
  /** Null with external billing, which reminds and suspends by itself. */
  readonly dunning: Dunning | null
  readonly mails: MailRepository
  /** Null without a mail server: no message is enqueued, and no page promises one. */
  readonly mailer: Mailer | null
  /** Keys of relays that report bounces; empty: none may. */
  readonly mailEventKeys: readonly string[]
  readonly sessions: SessionRepository
  readonly signInRequests: SignInRequests
  /** Invoices and credit notes; there are none of an external billing. */
  readonly documents: TaxDocuments
  /** Null with external billing, which has the customers: no page offers to change an e-mail. */
  readonly emailChanges: EmailChanges | null
  /** Null with external billing: no page offers a free trial. */
  readonly trials: Trials | null
  /** Counts the steps of purchases. */
  readonly stepCounter: StepCounter
  readonly steps: StepRepository
  /** Null with embedded billing. */
  readonly orderSync: OrderSync | null
  /** Null with embedded billing, and with an external one whose API has no renewal invoices. */
  readonly invoiceRenewals: InvoiceRenewals | null
  /** Null with embedded billing, and with an external one whose API cannot change plans. */
  readonly planUpgrades: PlanUpgrades | null
  /** Events for the operator's systems. */
  readonly webhooks: WebhookRepository
  /** Null for a public shop without `OPERATOR_SECRETS`: it has no endpoints. */
  readonly webhookSender: WebhookSender | null
  readonly gateways: Gateways
  /** Gateways offered for new orders, in this order; the first is the default. */
  readonly enabledGateways: readonly GatewayId[]
  /** Tolerated underpayment by gateway, in basis points of the total; 0 if not set. */
  readonly tolerance: Readonly<Partial<Record<GatewayId, number>>>
  readonly provisioner: Provisioner
  readonly countryOf: CountryLookup
  /** Numbers for tax of businesses. */
  readonly vatNumbers: VatNumbers
  readonly rateLimits: RateLimits
  /** Rates a password. Throws `PoolOverloaded` if too many ratings are queued. */
  readonly passwordStrength: (password: string, email: string) => Promise<Strength>
  readonly sessionSeal: Seal
  /** Signs sign-in links and return URLs. */
  readonly signer: Signer
  readonly now: () => Instant
  /** By how much the clock of a sandbox was moved ahead, in milliseconds; 0 outside it. */
  readonly clockAhead: () => number
  /** False: the clock was moved far ahead just now. What it would end or spend for good waits (`watchClock`). */
  readonly isClockReliable: () => boolean
  readonly randomInt: RandomInt
  /** Keys and tokens of the served API; null if the API is not served. */
  readonly apiAuth: ApiAccess | null
  /** The operator's console; null for a public shop without `OPERATOR_SECRETS`. */
  readonly console: Console | null
  /** A new unguessable id. */
  readonly newId: () => string
  /** Runs due jobs now instead of at the next interval, after one has been enqueued. */
  readonly wakeJobs: () => void
  /** Whether the database or the external billing responds. */
  readonly healthy: () => Promise<boolean>
  /** Starts to watch; the returned function tells whether a backup has replaced the database since. */
  readonly watchRestores: () => () => Promise<boolean>
}

/** The services with a logger: the request's, whose lines carry its id, or the process's in jobs. */
export type LoggedServices = Services & { readonly log: Logger }

/** What the console has besides the other services. */
export type Console = {
  readonly operators: OperatorRepository
  readonly auditLog: AuditLog
  readonly approvals: ApprovalRepository
  readonly overview: ConsoleOverview
  readonly unmatched: UnmatchedPayments
  readonly drains: GatewayDrains
  readonly postCallback: PostCallback
  /** Null with external billing, which has the promotions. */
  readonly promotions: PromotionAdmin | null
  /** Null with external billing, which has the products. */
  readonly catalogue: CatalogueAdmin | null
  /** Null with external billing, which taxes. */
  readonly tax: TaxAdmin | null
  readonly brand: ConsoleBrand
  readonly orders: OrderAdmin
  readonly mail: MailAdmin
  /** Larger amounts wait for a second operator (`APPROVE_ABOVE`); null: none do. */
  readonly approveAbove: Money | null
  readonly customers: CustomerAdmin
  readonly services: ServiceAdmin
  /** Every setting with its source, secrets masked. */
  readonly settings: () => readonly ShownSetting[]
  /** Every value of the shop file, and what a restart would change. */
  readonly shopFile: () => ShownShopFile
  /** Places of fields of the shop file that nothing reads, as of the start. */
  readonly unknownShopFields: readonly string[]
  readonly resellers: ResellerAdmin
  readonly affiliates: AffiliateAdmin
  readonly accounting: Accounting
  readonly documentNumbers: DocumentNumbers
  /** Encrypts the operators' code secrets. */
  readonly seal: Seal
  readonly storedSecrets: StoredSecrets
  readonly secretSeals: SecretSeals
  /** A session ends this many milliseconds after its last use, and after sign-in. */
  readonly idle: number
  readonly longest: number
  /** The machine's clock, which measures how long a search takes: nobody moves it ahead, as that of a sandbox. */
  readonly machineNow: () => Instant
  /** Whether the console can be opened from an address (`ADMIN_ALLOW`). */
  readonly isAllowed: (address: string | null) => boolean
}

/** Brand and texts as the console sets them. */
export type ConsoleBrand = {
  readonly versions: BrandVersions
  /** The shop's brand and texts with content of the console in place of the shop file's sections. */
  readonly shopWith: (content: BrandContent) => ShopTexts
  /** The same as the console would set it: all sections. */
  readonly contentWith: (content: BrandContent) => BrandContent
  /** Puts the last version in force on this instance at once; others do it by themselves. */
  readonly refresh: () => Promise<void>
}

/** Services of a request to the console. */
export type ConsoleServices = LoggedServices & { readonly console: Console }

/** The operator's settings. Brand, logo, links, apps, setup, legal, documents, methods and mail change while the shop runs. */
export type ShopConfig = {
  /** Number of the console's version of brand and texts that holds; 0: the shop file's. */
  readonly brandVersion: number
  readonly brand: Brand
  readonly logo: LogoFile | null
  /** Public origin: scheme, host and port, without a trailing slash. */
  readonly publicUrl: string
  readonly currency: Currency
  readonly timeZone: string
  /** Rules for the terms of services; null: an external billing system has its own. */
  readonly terms: TermPolicy | null
  readonly defaultPlan: string | null
  /** Preselected reseller plan; null: the second one (specification, Catalogue). */
  readonly defaultResellerPlan: string | null
  /** The same for customers without a reseller plan; null: no difference. */
  readonly newResellerPlan: string | null
  /** Country of new customers whose own is unknown (specification, Countries). */
  readonly defaultCountry: Country
  /** Recorded on an order whose client IP address is unknown (specification, Countries). */
  readonly fallbackAddress: string
  /** Time in milliseconds after which inactive customers are erased; null: never. */
  readonly retention: number | null
  readonly fraudCheck: boolean
  /** An unsigned e-mail in a link signs in, as in the spec. The operator has accepted the risk. */
  readonly trustEmailLinks: boolean
  /** Address that messages come from; null if the shop sends none. */
  readonly mailSender: string | null
  /** Buyers get mail about their orders. */
  readonly mailsOrders: boolean
  readonly links: ShopLinks
  readonly apps: readonly PlayerApp[]
  /** The operator's steps to set up a device. */
  readonly setup: SetupSteps
  /** The operator's words for payment methods. */
  readonly methods: MethodDescriptions
  readonly legal: Legal
  /** How invoices are numbered, and who sells; without a name the seller of `legal`. */
  readonly documents: DocumentSettings
  /** How sales are taxed now, as operators can change it at any time; null: they are not, or an external billing taxes them. */
  readonly tax: TaxRules | null
  /** The operator's own words in messages. */
  readonly mail: MailTexts
  /** Gets the operator's alerts; null: they are not mailed. */
  readonly operatorEmail: string | null
  readonly testMode: boolean
  /** Analytics script; null if none. */
  readonly analytics: Analytics | null
}

/** All gateways in use, including drained ones. */
export type Gateways = ReadonlyMap<GatewayId, MonitoredGateway>

/** The services of a request (`servicesOf`). No default value: reading it before the server has set it throws. */
export const servicesContext = createContext<LoggedServices>()

/** The services for one request: its logger, and ports that read nothing twice. */
export function servicesOf(services: Services, log: Logger): LoggedServices {
  return { ...services, ...readOnce(services), log }
}
