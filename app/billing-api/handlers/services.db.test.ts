import { afterEach, beforeEach, expect, test } from "vitest"
import { type ApiShop, openApiShop } from "../../../tests/fixtures/api-client"

let shop: ApiShop
let ana: { userid: string; token: string }
let serviceid: string
let orderid: string
beforeEach(async () => {
  shop = await openApiShop()
  ana = await shop.customer("ana@example.test")
  const request = { pid: "1", amount: "12.00", currency: "EUR", paymentmethod: "offshore", key: "KEY1" }
  const { body } = await shop.call("order", { ...request, userid: ana.userid }, { token: ana.token })
  serviceid = String(body.serviceids)
  orderid = String(body.orderid)
})
afterEach(() => shop.close())

const change = (name: string, request: object = {}, token = ana.token) =>
  shop.call(name, { serviceid, ...request }, { token })
const look = async () =>
  (await shop.call("getClientProducts", { clientid: ana.userid, serviceid }, { token: ana.token })).body
const received = () => shop.panel.received.map(({ what }) => what)

/** Pays the order and provisions its service. */
async function works() {
  await shop.services.billing.applyOrderEvent(orderid, "paid", shop.services.now())
  await shop.call("getProducts")
}

test("getClientProducts returns a single service at the top level and as a one-element list", async () => {
  await works()
  const line = { serviceid, status: "Active", serverhostname: "https://tv.test", connections: 1, pid: "1" }
  expect(await look()).toMatchObject({ ...line, products: { product: [line] } })
})

test("a service has its extras by the ids that getProducts gives them", async () => {
  const { options } = (await shop.services.catalogue.plans()).find(({ id }) => id === "1") ?? {}
  await works()
  const ids = { configoption: options?.map(({ id }) => ({ id })) }
  expect(ids).toEqual({ configoption: [{ id: "2" }, { id: "4" }] })
  expect(await look()).toMatchObject({ configoptions: ids, products: { product: [{ configoptions: ids }] } })
})

test("a service names the end of its paid time as a day of the shop and as an instant", async () => {
  expect(await look()).toMatchObject({ nextduedate: "0000-00-00", paiduntil: "", billingcycle: "monthly" })
  await works()
  const paiduntil = expect.stringMatching(/^2026-12-20T12:00:\d\d\.\d{3}Z$/)
  expect(await look()).toMatchObject({ nextduedate: "2026-12-20", paiduntil, billingcycle: "monthly" })
})

test("a suspended service is Suspended, is not among the active ones, and is not set up again", async () => {
  await works()
  const reason = { owner: "operator", reason: "asked", at: shop.services.now() } as const
  await shop.billing.operator.suspendService(serviceid, reason)
  expect(await look()).toMatchObject({ status: "Suspended" })
  const { body } = await shop.call("getActiveProducts", { clientid: ana.userid }, { token: ana.token })
  expect(body.totalresults).toBe(0)
  expect(await change("moduleCreate")).toMatchObject({ status: 409 })
  await shop.billing.operator.terminateService(serviceid, reason)
  expect(await look()).toMatchObject({ status: "Terminated" })
  expect(await change("moduleCreate")).toMatchObject({ status: 409 })
})

test.each(["moduleCreate", "moduleTerminate", "restartService", "updateClientProduct"])(
  "%s responds 404 for another customer's service",
  async (name) => {
    const bob = await shop.customer("bob@example.test")
    expect((await change(name, {}, bob.token)).status).toBe(404)
  },
)

test("an unpaid service is not listed, and is Pending when requested by id", async () => {
  const { body } = await shop.call("getClientProducts", { clientid: ana.userid }, { token: ana.token })
  expect(body.totalresults).toBe(0)
  expect(await look()).toMatchObject({ status: "Pending", serverhostname: "" })
})

test("getActiveProducts lists active services only", async () => {
  const active = async () =>
    (await shop.call("getActiveProducts", { clientid: ana.userid }, { token: ana.token })).body.totalresults
  expect(await active()).toBe(0)
  await works()
  expect(await active()).toBe(1)
})

test("moduleCreate provisions the line of an unpaid order and is idempotent", async () => {
  expect((await change("moduleCreate")).status).toBe(200)
  expect(await look()).toMatchObject({ status: "Active" })
  expect((await change("moduleCreate")).status).toBe(200)
  expect(received()).toEqual(["create"])
})

test("moduleCreate recreates a terminated line with the given credentials", async () => {
  await works()
  expect((await change("moduleTerminate")).status).toBe(200)
  expect(await look()).toMatchObject({ status: "Cancelled", serverhostname: "" })
  expect((await change("moduleTerminate")).status).toBe(200)
  expect((await change("moduleCreate", { username: "TVNEW", password: "99" })).status).toBe(200)
  expect(await look()).toMatchObject({ status: "Active", username: "TVNEW", password: "99" })
  expect(received()).toEqual(["create", "terminate", "create"])
})

test("moduleTerminate is published as the end of the service, once, and moduleCreate as another beginning", async () => {
  await works()
  for (const _ of ["first", "repeated"]) await change("moduleTerminate")
  await change("moduleCreate")
  await shop.call("getProducts")
  await shop.services.webhooks.publish(100)
  const events = (await shop.services.webhooks.eventsAfter(0, 100)).map(({ event }) => event)
  const published = events.filter(({ type }) => type.startsWith("service."))
  expect(published.map(({ type, data }) => [type, (data.service as { status: string }).status])).toEqual([
    ["service.provisioned", "Active"],
    ["service.terminated", "Cancelled"],
    ["service.provisioned", "Active"],
  ])
  const shown = await shop.billing.operator.serviceDetails(serviceid)
  expect(shown?.events.slice(1)).toMatchObject([
    { kind: "terminated", detail: { owner: "panel", reason: "billing API" } },
    { kind: "recreated" },
  ])
})

test("moduleTerminate ends a suspended service, which nothing resumes any more", async () => {
  await works()
  const at = shop.services.now()
  await shop.billing.operator.suspendService(serviceid, { owner: "non-payment", reason: null, at })
  expect((await change("moduleTerminate")).status).toBe(200)
  expect(received().filter((what) => what === "terminate")).toHaveLength(1)
  expect(await look()).toMatchObject({ status: "Cancelled" })
  const resumed = { owners: ["non-payment"], reason: null, at } as const
  expect(await shop.billing.operator.resumeService(serviceid, resumed)).toBe(false)
  expect(await shop.services.billing.service(serviceid)).toMatchObject({ suspension: null })
})

test("moduleCreate responds 409 for an order cancelled before payment", async () => {
  await shop.call("cancelOrder", { orderid }, { token: ana.token })
  const { status, body } = await change("moduleCreate")
  expect([status, body.error]).toMatchObject([409, { code: "conflict" }])
})

test("MAC address and restart reach the panel; MAC address and notes are stored", async () => {
  await works()
  expect((await change("updateMacAddress", { macAddress: "00-1a-79-aa-bb-cc", id: "mac" })).body).toEqual({
    result: "OK",
  })
  await change("updateClientProduct", { notes: "the one upstairs" })
  expect((await change("restartService")).status).toBe(200)
  expect(await look()).toMatchObject({ macaddress: "00:1A:79:AA:BB:CC", notes: "the one upstairs" })
  expect(received()).toEqual(["create", "device", "restart"])
})

test.each([
  ["restartService", {}],
  ["updateMacAddress", { macAddress: "00:1A:79:AA:BB:CC" }],
])(
  "%s responds 409 for a pending and for a terminated service and does not call the panel",
  async (name, request) => {
    const pending = await change(name, request)
    expect([pending.status, pending.body.error]).toMatchObject([
      409,
      { message: "Service is not active yet" },
    ])
    await works()
    await change("moduleTerminate")
    const ended = await change(name, request)
    expect([ended.status, ended.body.error]).toMatchObject([
      409,
      { code: "conflict", message: "Service has ended" },
    ])
    expect(received()).toEqual(["create", "terminate"])
  },
)

test("updateMacAddress responds 400 to the broadcast address", async () => {
  await works()
  expect((await change("updateMacAddress", { macAddress: "FF:FF:FF:FF:FF:FF" })).status).toBe(400)
})

test("responds 503 while the panel is unavailable and changes nothing", async () => {
  await works()
  shop.panel.broken = true
  expect((await change("restartService")).status).toBe(503)
  expect((await change("moduleTerminate")).status).toBe(503)
  expect(await look()).toMatchObject({ status: "Active" })
})

test("getResellerProducts responds 404 for a viewer's service, whose customer is no reseller", async () => {
  await works()
  expect((await change("getResellerProducts", { clientid: ana.userid })).status).toBe(404)
  const { body } = await shop.call("isReseller", { userid: ana.userid, email: "ana@example.test" })
  expect(body).toEqual({ error: "", reseller: false })
})

test("addInvoice rejects a wrong price and is idempotent per key", async () => {
  await works()
  const { body: list } = await shop.call("getProduct", { pid: "1" })
  const unit = JSON.stringify(list).match(/"monthly":"(\d+\.\d\d)","quarterly"/g)
  expect(unit).not.toBeNull()
  const more = (price: string) =>
    shop.call(
      "addInvoice",
      {
        userid: ana.userid,
        serviceId: serviceid,
        extraQuantity: 2,
        paymentmethod: "offshore",
        price,
        key: "UP1",
      },
      { token: ana.token },
    )
  const { body: refused } = await more("0.01")
  expect(refused.error).toMatchObject({ code: "price-changed" })
  const [, right = ""] = /price: (\S+) EUR/.exec(JSON.stringify(refused)) ?? []
  const [first, again] = [await more(right), await more(right)]
  expect([first.status, first.body.orderid]).toEqual([200, again.body.orderid])
})
