import { expect, test } from "vitest"
import { meet } from "../../tests/fixtures/middleware-harness"
import { buy } from "../../tests/fixtures/purchase"
import { openTestShop } from "../../tests/fixtures/test-shop"
import { resume } from "./resume-order.server"

const page = "/checkout/de-de/waiting"

async function returnPath() {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  const token = new URL(shop.gateway.opened[0]?.returnUrl ?? "").searchParams.get("resume") ?? ""
  return { services: shop.services, order, path: `${page}?returned&resume=${token}` }
}

test("a browser with another order asks for confirmation and keeps its order until then", async () => {
  const { services, order, path } = await returnPath()
  const session = { orderId: "MYORDER123" }
  const resumed = await meet(resume, { services, path, session })
  expect(resumed).toMatchObject({
    status: 200,
    screen: { kind: "resume", reference: order.id, total: order.total, replaces: true },
    session: { orderId: "MYORDER123", serviceIds: [] },
  })
  expect(await meet(resume, { services, path, session, form: {} })).toMatchObject({
    status: 303,
    location: `${page}?returned`,
    session: { orderId: order.id, serviceIds: [order.serviceId], orderByProof: false },
  })
})

test("a browser without an order asks for confirmation too", async () => {
  const { services, path } = await returnPath()
  expect(await meet(resume, { services, path })).toMatchObject({
    screen: { kind: "resume", replaces: false },
    session: { orderId: null },
  })
})

test("the order's customer confirms, and after another browser did so resumes the order only while signed in", async () => {
  const { services, order, path } = await returnPath()
  await meet(resume, { services, path, form: {} })
  expect(await meet(resume, { services, path, form: {} })).toMatchObject({
    status: 401,
    screen: { kind: "sign-in", reason: "used-link" },
    session: { orderId: null },
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

test("the browser that placed the order returns without confirmation", async () => {
  const { services, order, path } = await returnPath()
  const session = { orderId: order.id, serviceIds: [order.serviceId] }
  expect(await meet(resume, { services, path, session })).toMatchObject({ status: 200, screen: null })
})

test("the sign-in form with a resume token in its URL resumes no order", async () => {
  const { services, path } = await returnPath()
  const met = await meet(resume, { services, path: `${path}&signin`, form: {} })
  expect(met).toMatchObject({ status: 200, screen: null, session: { orderId: null } })
})
