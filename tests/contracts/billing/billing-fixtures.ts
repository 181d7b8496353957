import type { Billing } from "~/billing/billing"
import type { SessionRepository } from "~/billing/customers/session-repository"
import type { SignInRequests } from "~/billing/customers/sign-in-requests"
import type { BillingAdmin } from "~/billing/embedded/admin/billing-admin.server"
import type { CatalogueFile } from "~/billing/embedded/catalogue/catalogue-file"
import type { ChangedBy } from "~/billing/operators/operators"
import type { NewOrder } from "~/billing/orders/new-order"
import type { StepRepository } from "~/billing/orders/purchase-steps"
import type { Outbox } from "~/billing/outbox"
import type { Attempt, PaymentRepository } from "~/billing/payments/payment-repository"
import { DAY, type Instant } from "~/domain/calendar"
import { type Product, planOf } from "~/domain/catalogue/catalogue"
import { quote } from "~/domain/catalogue/pricing"
import type { Promotion } from "~/domain/catalogue/promotion"
import { type Money, money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { PaymentStatus, PaymentUpdate } from "~/domain/payments/payment"

/** Catalogue that a backend is seeded with before a test. */
export type CatalogueFixture = {
  readonly products: readonly Product[]
  readonly promotions: readonly Promotion[]
}

export type BillingUnderTest = {
  readonly billing: Billing
  readonly payments: PaymentRepository
  readonly outbox: Outbox
  readonly sessions: SessionRepository
  readonly signInRequests: SignInRequests
  readonly steps: StepRepository
  readonly operator: Pick<
    BillingAdmin,
    "customersOf" | "exportCustomer" | "order" | "recordRefund" | "grantAccountCredit" | "findImbalances"
  >
  /** Returns the ledger entries of money received for an order, and those that became the customer's account credit. */
  ledger(orderId: string): Promise<{ received: readonly Money[]; credit: readonly Money[] }>
  close(): Promise<void>
}

/** As the shop draws them: the billing API accepts no other characters. */
export const credentials = { username: "TVABCDEFGH", password: "0123456789" }

/** The clock of the tests: an arbitrary instant. */
export const NOON: Instant = Date.UTC(2026, 5, 15, 12)

/** The admin CLI as one who changes the account of an operator. */
export const byAdminCli: ChangedBy = { operatorId: null, operator: "admin CLI" }

const extra = { id: "5", name: "Yes", pricing: { EUR: { monthly: 250 } } }
export const plan: Product = {
  id: "7",
  kind: "plan",
  name: `Sport & "more"`,
  payType: "recurring",
  pricing: { EUR: { monthly: 2_000 }, GBP: { monthly: 1_700, annually: 9_000 } },
  options: [
    { id: "2", name: "Extra connection", choices: [extra] },
    { id: "4", name: "Proxy protection", choices: [{ ...extra, id: "9" }] },
  ],
  customFields: [{ id: "11", name: "Username" }],
}
export const longPlan: Product = {
  ...plan,
  id: "3",
  name: "12 months",
  payType: "onetime",
  pricing: { EUR: { monthly: 2_000 }, GBP: { monthly: 1_700 } },
}
export const resellerPlan: Product = { ...plan, id: "12", kind: "reseller", name: "Reseller", credits: 25 }

const half: Promotion = {
  code: "Mum's & half",
  productIds: ["7"],
  startsOn: null,
  endsOn: "2030-12-31",
  remainingUses: null,
  discount: { kind: "percentage", basisPoints: 5_000 },
}
export const promotions = {
  half,
  fixed: { ...half, code: "FIXED", discount: { kind: "fixed", amount: money(300, "EUR") } },
  five: { ...half, code: "FIVE", remainingUses: 5 },
  last: { ...half, code: "LAST", remainingUses: 1 },
  free: { ...half, code: "FREE", discount: { kind: "percentage", basisPoints: 10_000 } },
} as const satisfies Record<string, Promotion>

export const catalogueFixture: CatalogueFixture = {
  products: [plan, longPlan, resellerPlan],
  promotions: Object.values(promotions),
}

/** The catalogue as a catalogue file has it. */
export function catalogueForImport({ products, promotions }: CatalogueFixture): CatalogueFile {
  return {
    products,
    promotions: promotions.map(({ remainingUses, ...it }) => ({ ...it, maxUses: remainingUses })),
  }
}

/** Returns the input for an order of one plan at EUR 20.00, less a promotion, by a new customer. */
export async function newOrderInput(
  billing: Billing,
  changes: Partial<NewOrder> = {},
  promotion: Promotion | null = null,
): Promise<NewOrder> {
  const offered = planOf(plan, "EUR")
  if (!offered) throw new Error("The plan is not sold in EUR")
  const { currency } = changes.quote?.total ?? { currency: "EUR" }
  const visitor = { email: `o'${unique()}@example.test`, locale: "en-en", currency, country: "MA" } as const
  return {
    key: unique(),
    kind: "plan",
    accessScope: null,
    accountCreditScope: "none",
    holdReason: null,
    ...(await billing.identify({ ...visitor, address: "192.0.2.7", at: NOON })),
    quote: quote(offered, { extraConnection: false, proxyProtection: false }, promotion),
    promoCode: promotion?.code ?? null,
    cycle: "monthly",
    affiliateId: null,
    isFallbackAddress: false,
    gateway: "offshore",
    locale: "de-de",
    address: "192.0.2.7",
    browser: null,
    connections: 1,
    credentials,
    number: unique,
    at: NOON,
    deadline: NOON + DAY,
    ...changes,
  }
}

/** Places an unpaid order of EUR 20.00. */
export async function placed(
  backend: BillingUnderTest,
  changes: Partial<NewOrder> = {},
  promotion: Promotion | null = null,
): Promise<Order> {
  return backend.billing.placeOrder(await newOrderInput(backend.billing, changes, promotion))
}

/** Buys a plan whose service is provisioned. */
export async function active(backend: BillingUnderTest, changes: Partial<NewOrder> = {}): Promise<Order> {
  const order = await placed(backend, changes, promotions.free)
  await backend.billing.activateService(order.serviceId, { host: "https://tv.test" }, NOON)
  return order
}

/** Creates a payment attempt for an order and marks it as opened at the gateway. */
export async function opened({ payments }: BillingUnderTest, order: Order, minor = 2_000): Promise<Attempt> {
  const request = { orderId: order.id, gateway: order.gateway, coin: null, amount: money(minor, "EUR") }
  const attempt = await payments.findOrCreateAttempt({ ...request, id: unique(), at: NOON })
  await payments.markAttemptOpened(
    attempt.id,
    { paymentId: `p-${attempt.id}`, url: "https://pay.test/" },
    NOON,
  )
  return attempt
}

/** Returns a payment update for an attempt; `minor` is the total received so far. */
export function paymentUpdate(attempt: Attempt, status: PaymentStatus, minor: number): PaymentUpdate {
  const received = money(minor, "EUR")
  return { eventKey: unique(), attemptId: attempt.id, status, received, transactionId: `tx-${attempt.id}` }
}

/** Reads the current order. Throws if it does not exist. */
export async function orderNow({ billing }: BillingUnderTest, { id }: Order): Promise<Order> {
  const found = await billing.order(id)
  if (!found) throw new Error(`No order ${id}`)
  return found
}

export async function timelineKinds({ billing }: BillingUnderTest, { id }: Order): Promise<string[]> {
  return (await billing.timeline(id)).map(({ kind }) => kind)
}

/** Runs the same action several times concurrently. */
export function together<T>(times: number, act: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, act))
}

export function unique(): string {
  return crypto.randomUUID().replaceAll("-", "")
}
