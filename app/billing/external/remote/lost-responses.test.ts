import { afterEach, beforeEach, expect, test } from "vitest"
import type { ExternalBilling } from "~/billing/external/external-billing"
import { money } from "~/domain/money/money"
import {
  ana,
  externalOrder,
  externalUpsell,
  owned,
  payment,
  plan,
  remoteSettings,
} from "../../../../tests/fakes/legacy-billing-fixtures"
import { type OldBilling, type OldFault, openOldBilling } from "../../../../tests/fakes/legacy-billing-server"
import { openRemote } from "./remote.server"

let legacyBilling: OldBilling
let externalBilling: ExternalBilling
let customerId: string
beforeEach(async () => {
  legacyBilling = await openOldBilling()
  externalBilling = openRemote({ ...remoteSettings, url: legacyBilling.url })
  customerId = (await externalBilling.identify(ana)).customerId
})
afterEach(() => legacyBilling.close())

const requests = (path: string) => legacyBilling.requests.filter((it) => it.path === path)
const failures: [OldFault, string][] = [
  ["lost", "unavailable"],
  ["hang", "unavailable"],
  [500, "unavailable"],
  [429, "unavailable"],
  ["html", "unreadable"],
  ["nonsense", "unreadable"],
  [302, "unreadable"],
  [400, "refused"],
  [403, "refused"],
]

test.each(failures)("placeOrder with the response %s is sent once and fails as %s", async (fault, kind) => {
  legacyBilling.spoil("/order", fault)
  await expect(externalBilling.placeOrder(externalOrder(customerId))).rejects.toMatchObject({
    name: "BillingError",
    kind,
  })
  expect(requests("/order")).toHaveLength(1)
})

/** These calls accept any JSON response. The timeout (`hang`) is slow, and tested by `placeOrder` only. */
const unread = failures.filter(([fault]) => fault !== "nonsense" && fault !== "hang")

test.each(unread)(
  "every other writing call with the response %s is sent once and fails as %s",
  async (fault, kind) => {
    const { serviceId, ...names } = await externalBilling.placeOrder(externalOrder(customerId))
    const named = { customerId, serviceId, productId: "3" }
    const order = owned(customerId, { ...names, serviceId })
    const writes: [string, () => Promise<unknown> | undefined][] = [
      ["/addInvoice", () => externalBilling.addInvoice(externalUpsell(customerId, serviceId))],
      ["/offshore", () => externalBilling.payments?.link(payment(order, "offshore"))],
      ["/restartService", () => externalBilling.restart(named)],
      ["/updateClientProduct", () => externalBilling.setNotes(named, "bedroom")],
      ["/updateMacAddress", () => externalBilling.setDeviceAddress(named, "00:1A:79:00:00:01")],
      ["/moduleTerminate", () => externalBilling.terminate(named)],
      ["/cancelOrder", () => externalBilling.cancelOrder(order)],
      ["/fraudOrder", () => externalBilling.fraudOrder(order)],
    ]
    for (const [path, act] of writes) {
      legacyBilling.spoil(path, fault)
      expect([path, await failureOf(act)]).toEqual([path, expect.objectContaining({ kind })])
      expect([path, requests(path).length]).toEqual([path, 1])
    }
  },
)

test.each([["lost"], [500], [429]] as const)("a call that only reads is retried after %s", async (fault) => {
  legacyBilling.spoil("/getProducts", fault)
  legacyBilling.spoil("/getClientProducts", fault)
  expect(await externalBilling.plans()).toHaveLength(2)
  expect(await externalBilling.services(customerId)).toEqual([])
  expect(requests("/getProducts")).toHaveLength(2)
})

test("an order with a lost response and an unknown invoice is cancelled and created again", async () => {
  const order = externalOrder(customerId)
  legacyBilling.spoil("/order", "lost")
  await expect(externalBilling.placeOrder(order)).rejects.toMatchObject({ kind: "unavailable" })
  expect(await externalBilling.findOrder(order)).toBeNull()
  expect(await externalBilling.findOrder(order)).toBeNull()
  const placed = await externalBilling.placeOrder(order)
  expect([...legacyBilling.store.services.values()].map(({ status }) => status)).toEqual([
    "Cancelled",
    "Pending",
  ])
  legacyBilling.store.pay(placed.invoiceId ?? "")
  expect(await externalBilling.orderStatus(owned(customerId, placed))).toMatchObject({ state: "paid" })
})

test("an order that owes nothing is found after a lost response", async () => {
  const order = externalOrder(customerId, {
    kind: "line",
    quote: { lines: [plan("3", 0)], total: money(0, "EUR") },
  })
  legacyBilling.spoil("/order", "lost")
  await expect(externalBilling.placeOrder(order)).rejects.toMatchObject({ kind: "unavailable" })
  const [service] = legacyBilling.store.services.values()
  const found = { orderId: service?.orderId, serviceId: service?.id, invoiceId: null, link: null }
  expect(await externalBilling.findOrder(order)).toEqual(found)
})

test("findOrder returns null for an order that never arrived, and ignores other customers' orders", async () => {
  const order = externalOrder(customerId)
  legacyBilling.spoil("/order", 500)
  await expect(externalBilling.placeOrder(order)).rejects.toMatchObject({ kind: "unavailable" })
  expect(await externalBilling.findOrder(order)).toBeNull()
  expect(requests("/cancelOrder")).toEqual([])
  const bob = await externalBilling.identify({ ...ana, email: "bob@example.test" })
  await externalBilling.placeOrder(externalOrder(bob.customerId))
  expect(await externalBilling.findOrder(order)).toBeNull()
  expect(legacyBilling.store.services.size).toBe(1)
})

test.each([
  ["html", "unreadable"],
  [500, "unavailable"],
] as const)(
  "an order with a lost response is not called missing while the list of services is answered with %s",
  async (fault, kind) => {
    const order = externalOrder(customerId)
    legacyBilling.spoil("/order", "lost")
    await expect(externalBilling.placeOrder(order)).rejects.toMatchObject({ kind: "unavailable" })
    legacyBilling.spoil("/getClientProducts", fault, fault, fault)
    await expect(externalBilling.findOrder(order)).rejects.toMatchObject({ kind })
  },
)

test("findOrder throws when the order with an unknown invoice cannot be cancelled", async () => {
  const order = externalOrder(customerId)
  legacyBilling.spoil("/order", "lost")
  await expect(externalBilling.placeOrder(order)).rejects.toMatchObject({ kind: "unavailable" })
  legacyBilling.spoil("/cancelOrder", 500)
  await expect(externalBilling.findOrder(order)).rejects.toMatchObject({ kind: "unavailable" })
})

test("cancelOrder, fraudOrder and terminate are idempotent, and cancelling a paid order is refused", async () => {
  const placed = await externalBilling.placeOrder(externalOrder(customerId))
  const order = owned(customerId, placed)
  await externalBilling.cancelOrder(order)
  await externalBilling.cancelOrder(order)
  await externalBilling.fraudOrder(order)
  await externalBilling.terminate({ ...order, productId: "3" })
  await externalBilling.terminate({ customerId, serviceId: "999", productId: "3" })
  expect(await externalBilling.orderStatus(order)).toMatchObject({ state: "cancelled" })
  legacyBilling.store.pay(placed.invoiceId ?? "")
  await expect(externalBilling.cancelOrder(order)).rejects.toMatchObject({ kind: "refused" })
})

test("the error of a rejected call contains the server's message", async () => {
  const failure = await externalBilling
    .restart({ customerId, serviceId: "999", productId: "3" })
    .catch((it: unknown) => it)
  expect(failure).toMatchObject({
    message: "The billing server rejected restartService: Service ID not found",
  })
})

async function failureOf(act: () => Promise<unknown> | undefined): Promise<unknown> {
  try {
    return await act()
  } catch (error) {
    return error
  }
}
