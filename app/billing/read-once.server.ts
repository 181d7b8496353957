import type { Product } from "~/domain/catalogue/catalogue"
import type { Billing } from "./billing"
import type { ShownCatalogue } from "./cached-catalogue.server"
import type { MailRepository } from "./mail-repository"
import type { OrderSync } from "./orders/order-sync"
import type { PurchaseTransaction } from "./orders/purchase-transaction"
import type { PaymentRepository } from "./payments/payment-repository"
import type { Dunning } from "./services/dunning"
import type { InvoiceRenewals } from "./services/invoice-renewals"
import type { PlanUpgrades } from "./services/plan-upgrades"

type Ports = {
  readonly billing: Billing
  readonly payments: PaymentRepository
  readonly purchase: PurchaseTransaction
  readonly orderSync: OrderSync | null
  readonly invoiceRenewals: InvoiceRenewals | null
  readonly planUpgrades: PlanUpgrades | null
  readonly dunning: Dunning | null
  readonly mails: MailRepository
  readonly catalogue: ShownCatalogue
}

/** Calls that only read, and whose result depends on their arguments alone. */
const billingReads: ReadonlySet<string> = new Set([
  "businessOf",
  "countryOf",
  "customerOf",
  "gateways",
  "isReseller",
  "linesEndedEarly",
  "linesOnCredit",
  "netPaidOf",
  "nextPlan",
  "order",
  "paidOrdersOf",
  "paidOrdersOfCustomer",
  "payableTopUps",
  "planChangeOf",
  "planFacts",
  "planOrdersOf",
  "plans",
  "promotion",
  "renewalItems",
  "renewalTerms",
  "resellerCredits",
  "resellerPlans",
  "service",
  "servicesOf",
  "timeline",
] satisfies (keyof Billing)[])

const paymentReads: ReadonlySet<string> = new Set([
  "accountCredit",
  "latestAttempt",
  "openAttempts",
] satisfies (keyof PaymentRepository)[])

/**
 * Calls after which everything is read again, and before whose end nothing has changed for who reads meanwhile: the gateway is
 * asked once a claim has ended.
 */
const paymentClaims: ReadonlySet<string> = new Set(["claimPoll"] satisfies (keyof PaymentRepository)[])

const noClaims: ReadonlySet<string> = new Set()

const syncReads: ReadonlySet<string> = new Set(["isBeingPlaced"] satisfies (keyof OrderSync)[])

/** Even a look at invoices may copy what has changed in the external system. */
const invoiceReads: ReadonlySet<string> = new Set()

const upgradeReads: ReadonlySet<string> = new Set([
  "openUpgrade",
  "priceUpgrade",
] satisfies (keyof PlanUpgrades)[])

const dunningReads: ReadonlySet<string> = new Set(["endOf"] satisfies (keyof Dunning)[])

const mailReads: ReadonlySet<string> = new Set(["suppressionsOf"] satisfies (keyof MailRepository)[])

/**
 * The ports for one request: what its guards have read is not read again by its loaders and its action. Any other call,
 * which may write, forgets what was read before, and a failed read is forgotten too. Transactions read for themselves.
 */
export function readOnce(ports: Ports): Ports {
  const { billing, payments, purchase, orderSync, invoiceRenewals, planUpgrades, dunning, mails, catalogue } =
    ports
  const known = new Map<string, Promise<unknown>>()
  const readBilling = remembering(billing, billingReads, known)
  return {
    billing: readBilling,
    payments: remembering(payments, paymentReads, known, paymentClaims),
    purchase(work) {
      known.clear()
      return purchase(work).finally(() => known.clear())
    },
    orderSync: orderSync && remembering(orderSync, syncReads, known),
    invoiceRenewals: invoiceRenewals && remembering(invoiceRenewals, invoiceReads, known),
    planUpgrades: planUpgrades && remembering(planUpgrades, upgradeReads, known),
    dunning: dunning && remembering(dunning, dunningReads, known),
    mails: remembering(mails, mailReads, known),
    catalogue: shownOnce(catalogue, (list) => (known.has(`${list} []`) ? readBilling[list]() : null)),
  }
}

function remembering<P extends object>(
  port: P,
  reads: ReadonlySet<string>,
  known: Map<string, Promise<unknown>>,
  claims: ReadonlySet<string> = noClaims,
): P {
  return new Proxy(port, {
    get(target, name, receiver) {
      const call: unknown = Reflect.get(target, name, receiver)
      if (typeof call !== "function" || typeof name !== "string") return call
      const write = (...args: unknown[]) => {
        if (!claims.has(name)) known.clear()
        return Promise.resolve(call.apply(target, args)).finally(() => known.clear())
      }
      if (!reads.has(name)) return write
      return (...args: unknown[]) => {
        const key = `${name} ${JSON.stringify(args)}`
        const before = known.get(key)
        if (before) return before
        const read: Promise<unknown> = call.apply(target, args)
        known.set(key, read)
        read.catch(() => known.get(key) === read && known.delete(key))
        return read
      }
    },
  })
}

type ProductList = "plans" | "resellerPlans"

/**
 * The catalogue for display, each list read once until it has expired. A list that the request has read from billing is
 * shown instead, since it is newer; never the other way round, since orders are priced from billing.
 */
function shownOnce(
  catalogue: ShownCatalogue,
  fromBilling: (list: ProductList) => Promise<readonly Product[]> | null,
): ShownCatalogue {
  const shown = new Map<ProductList, Promise<readonly Product[]>>()

  function listed(name: ProductList): Promise<readonly Product[]> {
    const list = fromBilling(name) ?? shown.get(name) ?? catalogue[name]()
    shown.set(name, list)
    list.catch(() => shown.delete(name))
    return list
  }

  let offered: Promise<readonly string[]> | null = null

  function gateways(): Promise<readonly string[]> {
    const list = offered ?? catalogue.gateways()
    offered = list
    list.catch(() => {
      offered = null
    })
    return list
  }

  return {
    ...catalogue,
    plans: () => listed("plans"),
    resellerPlans: () => listed("resellerPlans"),
    gateways,
    expire() {
      shown.clear()
      offered = null
      catalogue.expire()
    },
  }
}
