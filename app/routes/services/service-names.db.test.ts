import { afterEach, beforeEach, expect, test } from "vitest"
import { shownField } from "~/domain/forms/renewal-fields"
import type { Order } from "~/domain/orders/order"
import { loginEnding } from "~/domain/services/credentials"
import type { Service } from "~/domain/services/service"
import { renewalLink } from "~/flows/services/renewal-link.server"
import { buyPlan, pay } from "../../../tests/fixtures/purchase"
import { sessionLeft } from "../../../tests/fixtures/session-harness"
import { respond, type Visit } from "../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"

let shop: TestShop
let first: Service
let second: Service
beforeEach(async () => {
  shop = await openTestShop()
  first = await serviceOf(await buyPlan(shop))
  second = await serviceOf(await buyPlan(shop, { key: "draft-2" }))
})
afterEach(() => shop.billing.close())

async function serviceOf({ serviceId }: Order): Promise<Service> {
  const found = await shop.services.billing.service(serviceId)
  if (!found) throw new Error("There is no service")
  return found
}

type Session = NonNullable<Visit["session"]>

const own = (): Session => ({
  serviceIds: [first.id, second.id],
  serviceId: first.id,
  sealedAt: shop.services.now(),
})

async function dataOf(path: string, session: Session): Promise<string> {
  const [before, query] = path.split("?")
  return (await respond(shop.services, { path: `${before}.data${query ? `?${query}` : ""}`, session })).text()
}

/** Sends the form of a renewal; returns its order and the session afterwards. */
async function renewed(path: string, session: Session, also: Readonly<Record<string, string>> = {}) {
  const form = {
    intent: "renew",
    key: `renewal ${path}`.replace(/\W/g, "-").slice(0, 60),
    serviceid: first.id,
    cycles: "1",
    gateway: "offshore",
    [shownField(first.id, 1)]: String(TOTAL),
    ...also,
  }
  const response = await respond(shop.services, { path, form, session })
  expect(response.status).toBe(303)
  const after = sessionLeft(shop, response)
  const order = await shop.services.billing.order(after.orderId ?? "")
  if (!order) throw new Error("There is no order")
  return { order, session: after }
}

test("two services of one plan are told apart where both are renewed, by their usernames", async () => {
  const { order, session } = await renewed("/success", own(), {
    also: second.id,
    [shownField(second.id, 1)]: String(TOTAL),
  })
  const waiting = await dataOf("/waiting", session)
  for (const { username } of [first, second]) {
    expect(waiting).toContain(`"12\u00a0months (${username})"`)
    expect(waiting).toContain(`The payment renews 12\u00a0months (${username}) until`)
  }
  await pay(shop, order)
  const page = await dataOf(`/success?receipt=${order.id}`, session)
  expect(page).toContain(`"12\u00a0months (${first.username})"`)
  expect(page).toContain(`12\u00a0months (${second.username}): until`)
})

test("who pays by the link of a message learns no username", async () => {
  const link = await renewalLink(shop.services, first.id)
  const { session } = await renewed(link ?? "", { sealedAt: shop.services.now() })
  const waiting = await dataOf("/waiting", session)
  expect(waiting).toContain("The payment renews 12\u00a0months until")
  expect(waiting).not.toContain(first.username)
})

test("a plan that is named by its duration names a renewal once", async () => {
  const { session } = await renewed("/success", own())
  const waiting = await dataOf("/waiting", session)
  expect(waiting).not.toContain("12\u00a0months · 12\u00a0months")
})

test("messages tell services apart by the end of their usernames alone", () => {
  expect(loginEnding("TV8K3QWZ7M")).toBe("…WZ7M")
})

test("after a refund the service page congratulates nobody, and its payment says what was paid back", async () => {
  const order = await buyPlan(shop, { key: "draft-3" })
  const session = { ...own(), serviceIds: [order.serviceId], serviceId: order.serviceId, orderId: order.id }
  expect(await dataOf("/success", session)).not.toContain('"Your access"')
  const refund = { key: "r", amount: order.total, reason: "asked", at: shop.services.now() }
  expect(await shop.billing.operator.recordRefund(order.id, refund)).toMatchObject({ kind: "recorded" })
  const page = await dataOf("/success", session)
  expect(page).toContain('"Your access"')
  expect(page).toContain("Refunded €98.90")
})
