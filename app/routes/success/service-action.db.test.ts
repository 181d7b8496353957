import { RouterContextProvider } from "react-router"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { servicesContext } from "~/context/services.server"
import { emptySession, sessionContext } from "~/context/session.server"
import { HOUR, MINUTE } from "~/domain/calendar"
import type { Service } from "~/domain/services/service"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { ProvisioningError } from "~/provisioning/provisioner"
import { limits } from "~/security/rate-limits.server"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { respond } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { handleServiceAction } from "./service-action.server"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())
// Rate limits count by the machine's clock, which stands still here: what is left of their period does not depend on how busy it is.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }))
afterEach(() => void vi.useRealTimers())

/** Submits a form of the service page as a signed-in customer whose service has this status. */
async function submit(status: Service["status"], fields: Record<string, string>) {
  const order = await buyPlan(shop, { key: "k", choices: choice })
  const bought = await shop.services.billing.service(order.serviceId)
  if (!bought) throw new Error("Service not found")
  const servicesOf = async () => [{ ...bought, status }]
  const billing = { ...shop.services.billing, servicesOf }
  const context = new RouterContextProvider()
  const email = choice.email ?? ""
  const customer = { id: bought.customerId, email, currency: "EUR" as const, reach: "account" as const }
  context.set(servicesContext, { ...shop.services, billing })
  context.set(sessionContext, { ...emptySession, customer })
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, serviceid: bought.id })) form.set(name, value)
  const request = new Request("https://shop.test/checkout/success", { method: "POST" })
  return handleServiceAction(form, { request, context })
}

const changes = [
  ["restart", { intent: "restart" }],
  ["new credentials", { intent: "recreate" }],
  ["device address", { intent: "device", deviceAddress: "00:1A:79:12:34:56" }],
] as const

for (const status of ["Pending", "Cancelled"] as const) {
  test.each(changes)(
    `%s of a service that is ${status} answers 409 and never calls the panel`,
    async (_, fields) => {
      const before = shop.panel.received.length
      const { data, init } = await submit(status, fields)
      expect(init?.status).toBe(409)
      expect(data).toMatchObject({ failed: null })
      expect(data.lastResult?.error).toBeUndefined()
      expect(shop.panel.received.slice(before).filter(({ what }) => what !== "create")).toEqual([])
    },
  )
}

test("the page after a form is that of its service, whichever another tab has chosen since", async () => {
  const [first, second] = [
    await buyPlan(shop, { key: "k1", choices: choice }),
    await buyPlan(shop, { key: "k2", choices: choice }),
  ]
  const serviceIds = [first.serviceId, second.serviceId]
  const own = { orderId: second.id, serviceIds, serviceId: second.serviceId }
  const session = { ...own, id: "two tabs", sealedAt: shop.services.now() }
  const posted = await respond(shop.services, {
    path: "/success",
    session,
    form: { intent: "notes", serviceid: first.serviceId, notes: "kitchen" },
  })
  expect(posted.headers.get("location")).toContain("done=notes")
  const cookie = posted.headers.getSetCookie().find((it) => it.startsWith("checkout="))
  const kept = cookie === undefined ? { session } : { headers: { cookie: cookie.split(";", 1)[0] ?? "" } }
  const shown = await respond(shop.services, { path: "/success.data?done=notes", ...kept })
  expect(await shown.text()).toContain("kitchen")
})

test.each<[string, Record<string, string>, object]>([
  ["restart", { intent: "restart" }, { failed: "restart" }],
  [
    "device address",
    { intent: "device", deviceAddress: "00:1A:79:12:34:56" },
    { failed: "device", lastResult: { initialValue: { deviceAddress: "00:1A:79:12:34:56" } } },
  ],
])(
  "%s beyond the limit of a service answers 429 with what was typed, and never calls the panel",
  async (_, fields, shown) => {
    await useUpPanelCalls()
    const before = shop.panel.received.length
    const { data, init } = await submit("Active", fields)
    expect([init?.status, Number(new Headers(init?.headers).get("retry-after"))]).toEqual([429, 900])
    expect(data).toMatchObject(shown)
    expect(shop.panel.received.slice(before).filter(({ what }) => what !== "create")).toEqual([])
  },
)

test("new credentials beyond the limit of a service answer 429 by the page that says when to try again", async () => {
  await useUpPanelCalls()
  await expect(submit("Active", { intent: "recreate" })).rejects.toMatchObject({
    data: { kind: "too-many", retryAfterSeconds: 900 },
    init: { status: 429 },
  })
})

/** All that a service may ask of its panel within the limit's period. */
async function useUpPanelCalls(): Promise<void> {
  const { serviceId } = await buyPlan(shop, { key: "k", choices: choice })
  const calls = Array.from({ length: limits.panelCallsOfService }, () =>
    shop.services.rateLimits.panelCall(serviceId),
  )
  expect((await Promise.all(calls)).every(({ ok }) => ok)).toBe(true)
}

test.each<Record<string, string>>([
  { intent: "decline", reason: "price" },
  { intent: "undecline" },
  { intent: "balance-on" },
  { intent: "balance-off" },
  { intent: "plan-next" },
  { intent: "plan-keep" },
])(
  "a choice about a renewal beyond the limit of a service, $intent, answers 429 by the page that says when to try again",
  async (fields) => {
    const { serviceId } = await buyPlan(shop, { key: "k", choices: choice })
    for (let made = 0; made < limits.renewalChoicesOfService; made++) {
      const intent = made % 2 === 0 ? "decline" : "undecline"
      await expect(submit("Active", { intent, reason: "price" })).rejects.toMatchObject({ status: 303 })
    }
    const before = await shop.services.billing.service(serviceId)
    await expect(submit("Active", fields)).rejects.toMatchObject({
      data: { kind: "too-many", retryAfterSeconds: 900 },
      init: { status: 429 },
    })
    expect(await shop.services.billing.service(serviceId)).toEqual(before)
  },
)

test("a device that the panel has not confirmed is named on the page until it is, and no sooner called registered", async () => {
  const { serviceId, id } = await buyPlan(shop)
  const session = { orderId: id, serviceIds: [serviceId], serviceId, id: "s1", sealedAt: shop.services.now() }
  const page = async () => (await respond(shop.services, { path: "/success.data", session })).text()
  shop.panel.broken = true
  const form = { intent: "device", serviceid: serviceId, deviceAddress: "00:1A:79:12:34:56" }
  const answer = await respond(shop.services, { path: "/success", session, form })
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/checkout/success"])
  expect(await page()).toContain("your device 00:1A:79:12:34:56 to the server, which hasn’t confirmed it yet")
  shop.panel.broken = false
  shop.wait(MINUTE)
  await runJobs(shop.services)
  expect(await page()).not.toContain("hasn’t confirmed")
  expect((await shop.services.billing.service(serviceId))?.deviceAddress).toBe("00:1A:79:12:34:56")
})

test("after a day without an answer the page still says what to do about the device, and it can be registered again", async () => {
  const { serviceId, id } = await buyPlan(shop)
  const session = { orderId: id, serviceIds: [serviceId], serviceId, id: "s1", sealedAt: shop.services.now() }
  const form = { intent: "device", serviceid: serviceId, deviceAddress: "00:1A:79:12:34:56" }
  const register = () => respond(shop.services, { path: "/success", session, form })
  shop.panel.broken = true
  await register()
  for (let hour = 0; hour < 30; hour++) {
    shop.wait(HOUR)
    await runJobs(shop.services)
  }
  expect(await shop.billing.operator.jobs()).toMatchObject([{ topic: "device", state: "parked" }])
  const page = await (await respond(shop.services, { path: "/success.data", session })).text()
  expect(page).toContain("We keep asking for a day. Still not confirmed after that? Register it again.")
  shop.panel.broken = false
  await register()
  expect((await shop.services.billing.service(serviceId))?.deviceAddress).toBe("00:1A:79:12:34:56")
  expect(await shop.billing.operator.jobs()).toEqual([])
})

test("a device that the panel refuses answers 503 with what was typed", async () => {
  shop.services.provisioner.setDeviceAddress = async () => {
    throw new ProvisioningError("the panel rejected the call", { isRefusal: true })
  }
  const { data, init } = await submit("Active", { intent: "device", deviceAddress: "00:1a:79:12:34:56" })
  expect(init?.status).toBe(503)
  expect(data).toMatchObject({ failed: "device" })
})

test("a blocked device answers 422 with what was typed, without saying that it is blocked, and never reaches the panel", async () => {
  const block = { kind: "device", value: "00:1A:79:12:34:56", reason: "resold", at: 1 } as const
  await shop.billing.operator.block(block)
  const { data, init } = await submit("Active", { intent: "device", deviceAddress: "00:1a:79:12:34:56" })
  expect(init?.status).toBe(422)
  expect(data).toMatchObject({ failed: "device" })
  expect(data.lastResult?.initialValue).toMatchObject({ deviceAddress: "00:1a:79:12:34:56" })
  expect(shop.panel.received.filter(({ what }) => what === "device")).toEqual([])
})
