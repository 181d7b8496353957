import { expect, test } from "vitest"
import { meet } from "../../tests/fixtures/middleware-harness"
import { buy } from "../../tests/fixtures/purchase"
import { openTestShop } from "../../tests/fixtures/test-shop"
import { resume } from "./resume-order.server"

const page = "/checkout/de-de/waiting"

async function wayBack() {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  const token = new URL(shop.gateway.opened[0]?.returnUrl ?? "").searchParams.get("resume") ?? ""
  return { services: shop.services, order, path: `${page}?returned&resume=${token}` }
}

test("a browser with another order is asked before it is replaced: it keeps its own until its visitor says yes", async () => {
  const { services, order, path } = await wayBack()
  const session = { orderId: "MYORDER123" }
  const asked = await meet(resume, { services, path, session })
  expect(asked).toMatchObject({
    ...{ status: 200, screen: { kind: "resume", reference: order.id, total: order.total, replaces: true } },
    session: { orderId: "MYORDER123", serviceIds: [] },
  })
  expect(await meet(resume, { services, path, session, form: {} })).toMatchObject({
    ...{ status: 303, location: `${page}?returned` },
    session: { orderId: order.id, serviceIds: [order.serviceId], orderByProof: false },
  })
})

test("a browser without an order is asked too, and nothing is replaced", async () => {
  const { services, path } = await wayBack()
  expect(await meet(resume, { services, path })).toMatchObject({
    ...{ screen: { kind: "resume", replaces: false }, session: { orderId: null } },
  })
})

test("the customer himself is asked, and has it only while he is signed in when another came back first", async () => {
  const { services, order, path } = await wayBack()
  await meet(resume, { services, path, form: {} })
  expect(await meet(resume, { services, path, form: {} })).toMatchObject({
    ...{ status: 401, screen: { kind: "sign-in", reason: "used-link" }, session: { orderId: null } },
  })
  const customer = {
    id: order.customerId,
    email: "ana@example.test",
    currency: "EUR",
    reach: "account",
  } as const
  const session = { customer }
  expect(await meet(resume, { services, path, session })).toMatchObject({ screen: { kind: "resume" } })
  expect(await meet(resume, { services, path, session, form: {} })).toMatchObject({
    session: { orderId: order.id, serviceIds: [], orderByProof: true },
  })
})

test("the browser that made the order comes back without a question", async () => {
  const { services, order, path } = await wayBack()
  const session = { orderId: order.id, serviceIds: [order.serviceId] }
  expect(await meet(resume, { services, path, session })).toMatchObject({ status: 200, screen: null })
})

test("the sign-in form with a way back in its address opens no order", async () => {
  const { services, path } = await wayBack()
  const met = await meet(resume, { services, path: `${path}&signin`, form: {} })
  expect(met).toMatchObject({ status: 200, screen: null, session: { orderId: null } })
})
