import { expect, test } from "vitest"
import { localeOfIso } from "~/domain/locales"
import { deDe as deTexts } from "~/i18n/screen-texts/de-de"
import { moneyText } from "~/ui/layout/format"
import { meet } from "../../../tests/fixtures/middleware-harness"
import { buy } from "../../../tests/fixtures/purchase"
import { openTestShop } from "../../../tests/fixtures/test-shop"
import { resume } from "./resume-order.server"

const deDe = localeOfIso("de-DE")
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
    screen: {
      kind: "resume",
      reference: order.id,
      total: moneyText(order.total, deDe),
      facts: expect.stringContaining(deTexts.buying.replaces),
    },
    session: { orderId: "MYORDER123", serviceIds: [] },
  })
  expect(await meet(resume, { services, path, session, form: {} })).toMatchObject({
    status: 303,
    location: `${page}?returned`,
    session: { orderId: order.id, serviceIds: [order.serviceId], orderByProof: false },
  })
})

test("the question says what the order leads to: its end, and that it does not renew", async () => {
  const { services, path } = await returnPath()
  const { screen } = await meet(resume, { services, path })
  expect(screen).toMatchObject({
    facts: expect.stringMatching(
      /^Läuft bis: .*, wenn Sie heute bezahlen\nEs verlängert sich nicht von selbst\.\n\nÖffnen/,
    ),
  })
})

test("a browser without an order asks for confirmation too", async () => {
  const { services, path } = await returnPath()
  expect(await meet(resume, { services, path })).toMatchObject({
    screen: { kind: "resume", facts: expect.not.stringContaining(deTexts.buying.replaces) },
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
