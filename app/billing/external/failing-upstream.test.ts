import { describe, expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import { planOf } from "~/domain/catalogue/catalogue"
import {
  ana,
  externalOrder,
  externalUpsell,
  owned,
  payment,
  paid as remotePaid,
  remoteSettings,
} from "../../../tests/fakes/legacy-billing-fixtures"
import { openOldBilling } from "../../../tests/fakes/legacy-billing-server"
import {
  ANOTHER_CUSTOMER,
  openRecordedUpstream,
  type UpstreamFault,
  type UpstreamRequest,
  upstreamFaults,
} from "../../../tests/fixtures/recorded-upstream"
import {
  euros,
  NOON,
  orderRequestAt,
  paidAt,
  paymentOf,
  settingsFor,
  upsellFor,
  visitor,
  type WhmcsShop,
  whmcsShop,
} from "../../../tests/fixtures/whmcs-shop"
import type { ExternalBilling } from "./external-billing"
import { openRemote } from "./remote/remote.server"
import { openWhmcs } from "./whmcs/whmcs.server"

/** The port of the discard service, on which nothing listens. */
const NOWHERE = "http://127.0.0.1:9"

/** A call of the port, which fails as a table says in each of its requests and with each fault. */
type Act = (billing: ExternalBilling) => Promise<unknown>

/** A system with what the call is about, as it was before the call. */
type Prepared = {
  readonly url: string
  /** Requests of what comes before the call. */
  readonly before: ReadonlySet<string>
  readonly act: Act
  open(url: string, timeoutMs: number): ExternalBilling
  close(): Promise<void>
}

type Outcome = { readonly kind: BillingError["kind"] | "done"; readonly sent: number }

type Cell = { readonly request: UpstreamRequest; readonly fault: UpstreamFault }

/** An answer for another customer fails or is not used. */
const FOR_ANOTHER = "answer for another customer"

/** What a fault does to a call: nothing is done, and only a request that reads is sent again, and that not to a busy system. */
function expectedOf(fault: Exclude<UpstreamFault, typeof FOR_ANOTHER>, writes: boolean): Outcome {
  const again = writes ? 1 : 2
  const outcomes: Record<typeof fault, Outcome> = {
    "connection reset": { kind: "unavailable", sent: again },
    "reset amid the answer": { kind: "unavailable", sent: again },
    "no answer in time": { kind: "unavailable", sent: 1 },
    "half an answer in time": { kind: "unavailable", sent: 1 },
    "500 with HTML": { kind: "unavailable", sent: again },
    "502 with HTML": { kind: "unavailable", sent: again },
    "429 with Retry-After": { kind: "unavailable", sent: 1 },
    "200 with HTML": { kind: "unreadable", sent: 1 },
    "200 with half of its JSON": { kind: "unreadable", sent: 1 },
    "JSON of another call": { kind: "unreadable", sent: 1 },
    "unknown error": { kind: "refused", sent: 1 },
  }
  return outcomes[fault]
}

/** The failure of a call; null: it has succeeded. */
async function failureOf(act: Promise<unknown>): Promise<BillingError | null> {
  try {
    await act
    return null
  } catch (error) {
    if (error instanceof BillingError) return error
    throw error
  }
}

/** After these a call may go on there. */
const unanswered: ReadonlySet<UpstreamFault> = new Set([
  "connection reset",
  "reset amid the answer",
  "no answer in time",
  "half an answer in time",
])

/** What else a failure tells: how long a busy system wants to be left alone, and that a call which writes may go on there. */
function tells(
  { fault, writes }: { fault: UpstreamFault; writes: boolean },
  failure: BillingError | null,
): boolean {
  if (failure === null) return true
  const { retryAfterSeconds, mayStillRun } = failure
  if (fault === "429 with Retry-After") return retryAfterSeconds === 120
  return mayStillRun === (writes && unanswered.has(fault))
}

/** The cells of a call that are not as `expectedOf` says, in words. */
async function exceptionsOf(prepared: Prepared, writing: ReadonlySet<string>): Promise<readonly string[]> {
  const upstream = await openRecordedUpstream(prepared.url)
  try {
    await prepared.act(prepared.open(upstream.url, 20_000))
    const cells = upstream
      .requests()
      .filter(({ name }) => !prepared.before.has(name))
      .flatMap((request) => upstreamFaults.map((fault) => ({ request, fault })))
      .filter(({ request, fault }) => request.namesCustomer || fault !== FOR_ANOTHER)
    // Those without an answer wait together, once the machine is not busy with the others.
    const isWaiting = ({ fault }: Cell) => / in time$/.test(fault)
    const found: (readonly string[])[] = [await exceptionIfRefused()]
    for (const cell of cells.filter((it) => !isWaiting(it))) found.push(await exceptionIn(cell))
    found.push(...(await Promise.all(cells.filter(isWaiting).map(exceptionIn))))
    return [...new Set(found.flat())].toSorted()
  } finally {
    await upstream.close()
    await prepared.close()
  }

  /** Nothing listens there: no request has arrived. */
  async function exceptionIfRefused(): Promise<readonly string[]> {
    const failure = await failureOf(prepared.act(prepared.open(NOWHERE, 20_000)))
    const isExpected = failure?.kind === "unavailable" && !failure.mayStillRun
    return isExpected ? [] : [`connection refused: ${failure?.kind ?? "done"}`]
  }

  async function exceptionIn({ request, fault }: Cell): Promise<readonly string[]> {
    const run = upstream.run(request, fault)
    const timeoutMs = / in time$/.test(fault) ? 3_000 : 20_000
    const act = prepared.act(prepared.open(run.url, timeoutMs))
    if (fault === FOR_ANOTHER) return exceptionIfTaken(request, act)
    const failure = await failureOf(act)
    const writes = writing.has(request.name)
    const found: Outcome = { kind: failure?.kind ?? "done", sent: run.sent() }
    const isExpected = isSameOutcome(found, expectedOf(fault, writes))
    if (isExpected && tells({ fault, writes }, failure)) return []
    return [`${request.name}, ${fault}: ${found.kind}, sent ${found.sent}`]
  }
}

function isSameOutcome(one: Outcome, other: Outcome): boolean {
  return one.kind === other.kind && one.sent === other.sent
}

async function exceptionIfTaken(
  { name }: UpstreamRequest,
  act: Promise<unknown>,
): Promise<readonly string[]> {
  const result = await act.catch((error: unknown) => {
    if (error instanceof BillingError) return null
    throw error
  })
  return JSON.stringify(result ?? null).includes(ANOTHER_CUSTOMER) ? [`${name}, ${FOR_ANOTHER}: taken`] : []
}

describe("a call to WHMCS", () => {
  const writing = new Set(
    [
      "AcceptOrder AddClient AddInvoicePayment AddOrder AddTransaction CancelOrder CreateInvoice FraudOrder",
      "ModuleChangePackage ModuleCreate ModuleTerminate PendingOrder UpdateClientProduct UpdateInvoice",
      "UpgradeProduct ValidateLogin aff.php",
    ].flatMap((names) => names.split(" ")),
  )
  const PASSWORD = "correct horse battery staple"
  const EXPENSIVE = { productId: "3", cycle: "annually", gateway: "offshore" } as const

  async function sold(shop: WhmcsShop, pid = "1") {
    const paid = await paidAt(shop, { pid })
    await shop.office.provision(paid)
    return paid
  }

  async function upsell(shop: WhmcsShop) {
    const paid = await sold(shop, "3")
    const product = (await shop.office.plans()).find(({ id }) => id === "3")
    if (!product || !planOf(product, "EUR")) throw new Error("No plan")
    return upsellFor(paid, product)
  }

  async function upgrade(shop: WhmcsShop) {
    const { customerId, serviceId } = await sold(shop)
    return { customerId, serviceId, ...EXPENSIVE, orderId: "UUUUUUUUUU", total: euros(7_900), at: NOON }
  }

  async function invoiced(shop: WhmcsShop) {
    const paid = await sold(shop, "3")
    shop.whmcs.staff.invoice(paid.serviceId)
    const [invoice] = (await shop.office.invoices?.unpaidRenewals(paid.customerId)) ?? []
    if (!invoice) throw new Error("No renewal invoice")
    const { balance: total, invoiceId } = invoice
    return { ...paid, invoiceId, total, number: "RRRRRRRRRR", payments: [paymentOf(total, "tx-2")] }
  }

  const calls: Readonly<Record<string, (shop: WhmcsShop) => Promise<Act> | Act>> = {
    plans: () => (billing) => billing.plans(),
    resellerPlans: () => (billing) => billing.resellerPlans(),
    gateways: () => (billing) => billing.gateways(),
    promotion: () => (billing) => billing.promotion("WELCOME10"),
    "identify of a new customer": () => (billing) => billing.identify(visitor),
    async "identify of a known customer"({ office }) {
      await office.identify(visitor)
      return (billing) => billing.identify(visitor)
    },
    async customerOf({ office }) {
      await office.identify(visitor)
      return (billing) => billing.customerOf(visitor.email)
    },
    async signIn({ office }) {
      await office.resellerAuth({ ...visitor, password: PASSWORD, existing: false })
      return (billing) => billing.signIn({ email: visitor.email, password: PASSWORD })
    },
    "resellerAuth of a new customer": () => (billing) =>
      billing.resellerAuth({ ...visitor, password: PASSWORD, existing: false }),
    async isReseller(shop) {
      const { customerId } = await sold(shop, "11")
      return (billing) => billing.isReseller({ customerId, email: visitor.email })
    },
    async placeOrder(shop) {
      const order = await orderRequestAt(shop, { extras: { extraConnection: true } })
      return (billing) => billing.placeOrder(order)
    },
    async findOrder(shop) {
      const order = await orderRequestAt(shop)
      await shop.office.placeOrder(order)
      return (billing) => billing.findOrder(order)
    },
    async orderStatus(shop) {
      const order = await paidAt(shop)
      return (billing) => billing.orderStatus(order)
    },
    async cancelOrder(shop) {
      const order = await paidAt(shop)
      return (billing) => billing.cancelOrder(order)
    },
    async fraudOrder(shop) {
      const order = await paidAt(shop)
      return (billing) => billing.fraudOrder(order)
    },
    async provision(shop) {
      const order = await paidAt(shop)
      return (billing) => billing.provision(order)
    },
    async addInvoice(shop) {
      const more = await upsell(shop)
      return (billing) => billing.addInvoice(more)
    },
    async findInvoice(shop) {
      const more = await upsell(shop)
      await shop.office.addInvoice(more)
      return (billing) => billing.findInvoice(more)
    },
    async services(shop) {
      const { customerId } = await sold(shop)
      return (billing) => billing.services(customerId)
    },
    async service(shop) {
      const owner = await sold(shop)
      return (billing) => billing.service(owner)
    },
    async ownerOf(shop) {
      const { serviceId } = await sold(shop)
      return async (billing) => billing.ownerOf?.(serviceId)
    },
    async terminate(shop) {
      const service = await sold(shop)
      return (billing) => billing.terminate(service)
    },
    async restart(shop) {
      const service = await sold(shop)
      return (billing) => billing.restart(service)
    },
    async setDeviceAddress(shop) {
      const service = await sold(shop)
      return (billing) => billing.setDeviceAddress(service, "00:1A:79:00:00:01" as never)
    },
    async setNotes(shop) {
      const service = await sold(shop)
      return (billing) => billing.setNotes(service, "the one upstairs")
    },
    async unpaidRenewals(shop) {
      const { customerId } = await invoiced(shop)
      return async (billing) => billing.invoices?.unpaidRenewals(customerId)
    },
    async payInvoice(shop) {
      const invoice = await invoiced(shop)
      return async (billing) => billing.invoices?.payInvoice(invoice, async () => {})
    },
    async priceUpgrade(shop) {
      const target = await upgrade(shop)
      return async (billing) => billing.upgrades?.priceUpgrade(target)
    },
    async placeUpgrade(shop) {
      const change = await upgrade(shop)
      return async (billing) => billing.upgrades?.placeUpgrade(change)
    },
    async findUpgrade(shop) {
      const change = await upgrade(shop)
      await shop.office.upgrades?.placeUpgrade(change)
      return async (billing) => billing.upgrades?.findUpgrade(change)
    },
  }

  async function prepared(call: (shop: WhmcsShop) => Promise<Act> | Act): Promise<Prepared> {
    const shop = await whmcsShop()
    return {
      url: shop.whmcs.url,
      before: new Set(),
      act: await call(shop),
      open: (url, timeoutMs) => openWhmcs({ ...settingsFor(shop.whmcs), url, timeoutMs, retryDelaysMs: [1] }),
      close: () => shop.whmcs.close(),
    }
  }

  /** All that WHMCS says of a change is that it has succeeded. */
  const succeeded = (...names: string[]) => names.map((name) => `${name}, JSON of another call: done, sent 1`)
  /** The client exists, whether or not it can be read now. */
  const unread = upstreamFaults.flatMap((fault) => {
    if (fault === FOR_ANOTHER) return []
    const isRepeated = expectedOf(fault, false).sent === 2
    return `GetClientsDetails, ${fault}: done, sent ${isRepeated ? 2 : 1}`
  })

  const exceptions: Readonly<Record<string, readonly string[]>> = {
    "identify of a new customer": unread,
    "resellerAuth of a new customer": unread,
    cancelOrder: succeeded("CancelOrder"),
    fraudOrder: succeeded("FraudOrder"),
    // An order that is not accepted is tried again once its line works, and then left to the next try of the job.
    provision: [
      ...succeeded("AcceptOrder", "AddInvoicePayment", "UpdateClientProduct"),
      "AcceptOrder, unknown error: done, sent 2",
    ],
    // A price that is not clear is charged.
    addInvoice: [
      ...succeeded("UpdateInvoice", "UpgradeProduct (price)"),
      "UpgradeProduct (price), unknown error: done, sent 1",
    ],
    terminate: succeeded("ModuleTerminate"),
    restart: succeeded("ModuleCreate", "ModuleTerminate", "UpdateClientProduct"),
    setDeviceAddress: succeeded("ModuleChangePackage", "UpdateClientProduct"),
    setNotes: succeeded("UpdateClientProduct"),
    payInvoice: succeeded("AddInvoicePayment"),
    placeUpgrade: succeeded("UpdateInvoice"),
  }

  test.each(Object.entries(calls))(
    "%s that fails does nothing, and says how it has failed",
    async (name, call) => {
      expect(await exceptionsOf(await prepared(call), writing)).toEqual((exceptions[name] ?? []).toSorted())
    },
  )
})

describe("a call to a billing server", () => {
  const writing = new Set(
    [
      "auth resellerAuth new_click order addInvoice cancelOrder fraudOrder offshore moduleCreate",
      "moduleTerminate restartService updateClientProduct updateMacAddress setPassword endSignUpPassword",
    ].flatMap((names) => names.split(" ")),
  )
  const account = { ...ana, password: "correct horse battery staple" }

  const identifying = new Set(["auth", "authMiddleware"])
  const isAboutIdentity = (name: string) => /^(identify|customerOf|signIn|resellerAuth)/.test(name)

  type OldShop = { readonly billing: ExternalBilling; pay(invoiceId: string | null): void }

  /** The customer is identified first, so that the adapter has a token. */
  const as =
    (act: Act): Act =>
    async (billing) => {
      await billing.identify(ana)
      return act(billing)
    }

  async function ordered({ billing }: OldShop) {
    const { customerId } = await billing.identify(ana)
    return owned(customerId, await billing.placeOrder(externalOrder(customerId)))
  }

  async function sold(shop: OldShop) {
    const order = await ordered(shop)
    shop.pay(order.invoiceId)
    return { ...order, productId: "3" }
  }

  type Call = (shop: OldShop) => Promise<Act> | Act

  const calls: Readonly<Record<string, Call>> = {
    plans: () => (billing) => billing.plans(),
    resellerPlans: () => (billing) => billing.resellerPlans(),
    gateways: () => (billing) => billing.gateways(),
    promotion: () => (billing) => billing.promotion("WELCOME10"),
    identify: () => (billing) => billing.identify(ana),
    async customerOf({ billing }) {
      await billing.identify(ana)
      return (again) => again.customerOf(ana.email)
    },
    async signIn({ billing }) {
      await billing.resellerAuth({ ...account, existing: false })
      return (again) => again.signIn(account)
    },
    "resellerAuth of a new customer": () => (billing) =>
      billing.resellerAuth({ ...account, existing: false }),
    passesFraudCheck: () => async (billing) => billing.passesFraudCheck?.("192.0.2.7"),
    recordClick: () => (billing) => billing.recordClick({ affiliateId: "7", referer: null }),
    async placeOrder({ billing }) {
      const { customerId } = await billing.identify(ana)
      return as((again) => again.placeOrder(externalOrder(customerId)))
    },
    async findOrder({ billing }) {
      const { customerId } = await billing.identify(ana)
      await billing.placeOrder(externalOrder(customerId))
      return as((again) => again.findOrder(externalOrder(customerId)))
    },
    async findInvoice(shop) {
      const { customerId, serviceId } = await sold(shop)
      const more = externalUpsell(customerId, serviceId)
      return as((billing) => billing.findInvoice(more))
    },
    async isReseller({ billing }) {
      const { customerId } = await billing.identify(ana)
      return as((again) => again.isReseller({ customerId, email: ana.email }))
    },
    async setPassword({ billing }) {
      const { customerId } = await billing.identify(ana)
      return as(async (again) => again.passwords?.setPassword({ customerId, reach: "account" }, "a new one"))
    },
    async endSignUpPassword({ billing }) {
      const { customerId } = await billing.identify(ana)
      return as(async (again) => again.passwords?.endSignUpPassword(customerId))
    },
    async link(shop) {
      const order = await ordered(shop)
      return as(async (billing) => billing.payments?.link(payment(order, "offshore")))
    },
    async orderStatus(shop) {
      const order = await ordered(shop)
      return as((billing) => billing.orderStatus(order))
    },
    async cancelOrder(shop) {
      const order = await ordered(shop)
      return as((billing) => billing.cancelOrder(order))
    },
    async fraudOrder(shop) {
      const order = await ordered(shop)
      return as((billing) => billing.fraudOrder(order))
    },
    async provision(shop) {
      const order = await sold(shop)
      return as((billing) => billing.provision(remotePaid(order)))
    },
    async addInvoice(shop) {
      const { customerId, serviceId } = await sold(shop)
      return as((billing) => billing.addInvoice(externalUpsell(customerId, serviceId)))
    },
    async services(shop) {
      const { customerId } = await sold(shop)
      return as((billing) => billing.services(customerId))
    },
    async service(shop) {
      const owner = await sold(shop)
      return as((billing) => billing.service(owner))
    },
    async terminate(shop) {
      const service = await sold(shop)
      return as((billing) => billing.terminate(service))
    },
    async restart(shop) {
      const service = await sold(shop)
      return as((billing) => billing.restart(service))
    },
    async setDeviceAddress(shop) {
      const service = await sold(shop)
      return as((billing) => billing.setDeviceAddress(service, "00:1A:79:00:00:01" as never))
    },
    async setNotes(shop) {
      const service = await sold(shop)
      return as((billing) => billing.setNotes(service, "the one upstairs"))
    },
  }

  async function prepared(name: string, call: Call): Promise<Prepared> {
    const old = await openOldBilling()
    const open = (url: string, timeoutMs: number) => openRemote({ ...remoteSettings, url, timeoutMs })
    const pay = (invoiceId: string | null) => old.store.pay(invoiceId ?? "")
    return {
      url: old.url,
      before: isAboutIdentity(name) ? new Set() : identifying,
      act: await call({ billing: open(old.url, 20_000), pay }),
      open,
      close: () => old.close(),
    }
  }

  /** The specification names no form of an error: each of these may be how a server says no. */
  const no = (...names: string[]) => names.map((name) => `${name}, unknown error: done, sent 1`)
  /** The answer itself says who the customer is. A newer server's names the e-mail, too, which is compared. */
  const believed = (name: string) => [`${name}, ${FOR_ANOTHER}: taken`]
  /** The specification names no answer to these calls. */
  const unnamed = (...names: string[]) => names.map((name) => `${name}, JSON of another call: done, sent 1`)
  /** A call beyond the specification, which an older server rejects in any way. */
  const withoutCall = (name: string) => [
    `${name}, 200 with HTML: done, sent 1`,
    `${name}, 200 with half of its JSON: done, sent 1`,
    ...unnamed(name),
    ...no(name),
  ]
  const catalogue = no("getProducts", "getResellersProducts")

  const exceptions: Readonly<Record<string, readonly string[]>> = {
    // The customer is looked up by the e-mail then.
    identify: [...unnamed("auth"), ...no("auth"), ...believed("authMiddleware")],
    customerOf: [...no("authMiddleware"), ...believed("authMiddleware")],
    signIn: [...no("resellerAuth"), ...believed("resellerAuth")],
    "resellerAuth of a new customer": [...no("authMiddleware", "resellerAuth"), ...believed("resellerAuth")],
    recordClick: unnamed("new_click"),
    placeOrder: no("getProduct"),
    // No promotion with this code.
    promotion: unnamed("getPromotion"),
    // An older server finds the order by the username of its line.
    findOrder: [
      ...withoutCall("invoice"),
      ...unnamed("cancelOrder", "getClientProducts"),
      ...no("getClientProducts"),
    ],
    findInvoice: withoutCall("invoice"),
    isReseller: no("isReseller"),
    setPassword: [...unnamed("setPassword"), ...no("setPassword")],
    endSignUpPassword: withoutCall("endSignUpPassword"),
    // An older server has no such call: the service tells the status of its order.
    orderStatus: [...withoutCall("invoice"), ...no("getClientProducts")],
    // It has ended there, as the next question says.
    cancelOrder: [...unnamed("cancelOrder"), ...no("cancelOrder")],
    fraudOrder: [...unnamed("fraudOrder"), ...no("fraudOrder")],
    terminate: [...unnamed("moduleTerminate"), ...no("moduleTerminate")],
    provision: catalogue,
    addInvoice: catalogue,
    // A server that has no list without an id is asked for the active ones.
    services: [...withoutCall("getClientProducts"), ...catalogue],
    service: [...no("getClientProducts"), ...catalogue],
    restart: unnamed("restartService"),
    setDeviceAddress: unnamed("updateMacAddress"),
    setNotes: unnamed("updateClientProduct"),
  }

  test.each(Object.entries(calls))(
    "%s that fails does nothing, and says how it has failed",
    async (name, call) => {
      expect(await exceptionsOf(await prepared(name, call), writing)).toEqual(
        (exceptions[name] ?? []).toSorted(),
      )
    },
  )
})
