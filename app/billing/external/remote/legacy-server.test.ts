import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { ExternalBilling } from "~/billing/external/external-billing"
import type { QuoteLine } from "~/domain/catalogue/pricing"
import { money } from "~/domain/money/money"
import {
  ana,
  externalOrder,
  externalUpsell,
  extraConnection,
  owned,
  paid,
  payment,
  plan,
  proxyProtection,
  remoteSettings,
} from "../../../../tests/fakes/legacy-billing-fixtures"
import { type OldBilling, openOldBilling } from "../../../../tests/fakes/legacy-billing-server"
import { openRemote } from "./remote.server"

let legacyBilling: OldBilling
let externalBilling: ExternalBilling
beforeEach(async () => {
  legacyBilling = await openOldBilling()
  externalBilling = openRemote({ ...remoteSettings, url: legacyBilling.url })
})
afterEach(() => legacyBilling.close())

const requests = (path: string) => legacyBilling.requests.filter((it) => it.path === path)
const linkOf = (...by: Parameters<typeof payment>) => externalBilling.payments?.link(payment(...by))

test("a buyer is identified, orders a plan, pays externally and gets a working service", async () => {
  const { customerId } = await externalBilling.identify(ana)
  const placed = await externalBilling.placeOrder(externalOrder(customerId))
  const order = owned(customerId, placed)
  expect(await linkOf(order, "offshore")).toBe(`https://pay.example.test/i/${placed.invoiceId}`)
  expect(await externalBilling.orderStatus(order)).toEqual({ state: "open", received: null })
  await expect(externalBilling.provision(paid(order))).rejects.toMatchObject({ kind: "unavailable" })

  legacyBilling.store.pay(placed.invoiceId ?? "")

  expect(await externalBilling.orderStatus(order)).toEqual({ state: "paid", received: null })
  expect(await externalBilling.provision(paid(order))).toMatchObject({
    serviceId: placed.serviceId,
    orderId: placed.orderId,
    customerId,
    productId: "3",
    kind: "plan",
    status: "Active",
    username: "TV23456789",
    password: "0123456789",
    host: "http://line.example.test",
    connections: 1,
    cycle: "monthly",
    name: "1 month",
  })
  expect(requests("/moduleCreate")).toEqual([])
})

test("customers are found by e-mail, and a lookup creates none", async () => {
  expect(await externalBilling.customerOf("ana@example.test")).toBeNull()
  const { customerId } = await externalBilling.identify(ana)
  expect(await externalBilling.identify({ ...ana, email: "ANA@example.test" })).toMatchObject({ customerId })
  expect(await externalBilling.customerOf("ana@example.test")).toMatchObject({ customerId, reach: null })
  expect(legacyBilling.store.clients.size).toBe(1)
})

test("an order is sent with spec names, two decimals, JSON maps, the customer's token and the API key", async () => {
  const { customerId } = await externalBilling.identify(ana)
  await externalBilling.plans()
  const code = { kind: "discount", code: "WELCOME", amount: money(-200, "EUR") } as const
  const lines: QuoteLine[] = [plan("3", 1250), extraConnection, proxyProtection, code]
  const quote = { lines, total: money(1800, "EUR") }
  await externalBilling.placeOrder(externalOrder(customerId, { quote, affiliateId: "77" }))
  const [order] = requests("/order")
  expect(order).toMatchObject({ method: "GET", bearer: /^token-/, key: remoteSettings.keys[0] })
  expect(order?.params).toMatchObject({
    userid: customerId,
    ip: "203.0.113.7",
    country: "ES",
    pid: "3",
    paymentmethod: "offshore",
    promocode: "WELCOME",
    affid: "77",
    amount: "18.00",
    currency: "EUR",
    email: ana.email,
    configoptions: '{"2":"7","4":"1"}',
    customfields: '{"11":"TV23456789","12":"0123456789"}',
  })
  const [auth] = requests("/auth")
  expect(auth?.params).toMatchObject({
    email: ana.email,
    country: "ES",
    clientip: "203.0.113.7",
    language: "spanish",
    currency: "EUR",
    password: /^[\w-]{24}$/,
  })
})

test("an order is sent with maps in PHP serialization when so configured", async () => {
  externalBilling = openRemote({ ...remoteSettings, url: legacyBilling.url, maps: "php" })
  const { customerId } = await externalBilling.identify(ana)
  legacyBilling.spoil("/order", "nonsense")
  await expect(externalBilling.placeOrder(externalOrder(customerId))).rejects.toMatchObject({
    kind: "unreadable",
  })
  const text = Buffer.from(requests("/order")[0]?.params.customfields ?? "", "base64").toString()
  expect(text).toBe('a:2:{i:11;s:10:"TV23456789";i:12;s:10:"0123456789";}')
})

test("a reseller plan is ordered as a list, and its service has the kind reseller", async () => {
  const { customerId } = await externalBilling.identify(ana)
  const plan = {
    kind: "plan",
    productId: "21",
    name: "Reseller 10",
    amount: { minor: 5000, currency: "EUR" },
  }
  const quote = { lines: [plan], total: { minor: 5000, currency: "EUR" } } as never
  const placed = await externalBilling.placeOrder(externalOrder(customerId, { kind: "reseller", quote }))
  expect(requests("/order")[0]?.params).toMatchObject({ "pid[]": "21", amount: "50.00" })
  expect(await externalBilling.isReseller({ customerId, email: ana.email })).toBe(true)
  expect(await externalBilling.service({ customerId, serviceId: placed.serviceId })).toMatchObject({
    kind: "reseller",
  })
})

test("an upsell counts as paid once the service has the connections, also after a restart", async () => {
  const { customerId } = await externalBilling.identify(ana)
  const { invoiceId, serviceId } = await externalBilling.placeOrder(externalOrder(customerId))
  legacyBilling.store.pay(invoiceId ?? "")
  const placed = await externalBilling.addInvoice(externalUpsell(customerId, serviceId))
  expect(requests("/addInvoice")[0]?.params).toMatchObject({ extraQuantity: "2", price: "10.00", serviceId })
  const more = owned(customerId, placed, "upsell")
  const wanted = paid(more, { connections: 3 })
  expect(await linkOf(more, "coinbase")).toBe(`https://coins.example.test/i/${placed.invoiceId}`)
  await expect(externalBilling.provision(wanted)).rejects.toMatchObject({ kind: "unavailable" })
  await externalBilling.cancelOrder(more)
  expect(requests("/cancelOrder")).toEqual([])

  legacyBilling.store.pay(placed.invoiceId ?? "")
  const restarted = openRemote({ ...remoteSettings, url: legacyBilling.url, emailOf: async () => ana.email })

  expect(await restarted.orderStatus(more)).toEqual({ state: "paid", received: null })
  expect(await restarted.provision(wanted)).toMatchObject({ connections: 3 })
})

test("an order without external payments is provisioned by moduleCreate, which is sent once", async () => {
  const { customerId } = await externalBilling.identify(ana)
  const order = owned(customerId, await externalBilling.placeOrder(externalOrder(customerId)))
  legacyBilling.spoil("/moduleCreate", 503)
  await expect(externalBilling.provision(paid(order, { payments: [] }))).rejects.toMatchObject({
    kind: "unavailable",
  })
  await expect(externalBilling.provision(paid(order, { payments: [] }))).rejects.toMatchObject({
    kind: "unavailable",
  })
  expect(requests("/moduleCreate")).toHaveLength(1)
})

test("provision recreates a terminated line only when recreation is requested", async () => {
  const { customerId } = await externalBilling.identify(ana)
  const placed = await externalBilling.placeOrder(externalOrder(customerId))
  const order = owned(customerId, placed)
  legacyBilling.store.pay(placed.invoiceId ?? "")
  await externalBilling.terminate({ ...order, productId: "3" })
  await expect(externalBilling.provision(paid(order))).rejects.toMatchObject({ kind: "refused" })
  expect(await externalBilling.provision(paid(order, { isRecreation: true }))).toMatchObject({
    status: "Active",
  })
})

describe("services of products that are no longer sold", () => {
  const retired = { clientId: "7", orderId: "9", password: "1", notes: "", mac: "", extra: 0 }
  const addService = (id: string, pid: string, status: string) =>
    legacyBilling.store.services.set(id, { ...retired, id, pid, status, username: `TV${id}` })

  test("the server is asked once for each product, about a service that is active", async () => {
    legacyBilling.store.clients.set("7", { id: "7", email: "ana@example.test", password: "secret" })
    externalBilling = openRemote({
      ...remoteSettings,
      url: legacyBilling.url,
      emailOf: async () => ana.email,
    })
    addService("50", "31", "Terminated")
    addService("51", "31", "Active")
    addService("52", "31", "Active")
    addService("53", "32", "Terminated")
    addService("54", "32", "Terminated")
    legacyBilling.store.retiredResellerProducts.add("31")

    const services = await externalBilling.services("7")

    expect(services.map(({ serviceId, productId, kind }) => [serviceId, productId, kind])).toEqual([
      ["50", "31", "reseller"],
      ["51", "31", "reseller"],
      ["52", "31", "reseller"],
      ["53", "32", "plan"],
      ["54", "32", "plan"],
    ])
    expect(requests("/getResellerProducts").map(({ params }) => params.serviceid)).toEqual(["51", "53"])
  })
})
