import { expect, test } from "vitest"
import { SECOND } from "~/domain/calendar"
import { localeOfIso } from "~/domain/locales"
import { deDe as deTexts } from "~/i18n/screen-texts/de-de"
import { moneyText } from "~/ui/layout/format"
import { meet } from "../../../tests/fixtures/middleware-harness"
import { buy, pay } from "../../../tests/fixtures/purchase"
import { openTestShop } from "../../../tests/fixtures/test-shop"
import { resume } from "./resume-order.server"

const deDe = localeOfIso("de-DE")
const page = "/checkout/de-de/waiting"

async function returnPath() {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  const token = new URL(shop.gateway.opened[0]?.returnUrl ?? "").searchParams.get("resume") ?? ""
  return { shop, services: shop.services, order, path: `${page}?returned&resume=${token}` }
}

test("a browser with another order asks for confirmation and keeps its order until then", async () => {
  const { services, order, path } = await returnPath()
  const session = { orderId: "MYORDER123" }
  const resumed = await meet(resume, { services, path, session })
  expect(resumed).toMatchObject({
    status: 200,
    screen: {
      kind: "resume",
      returned: { heading: deTexts.returned.heading },
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

test("a phone that comes back before the payment is seen reads that it appears where the order was placed", async () => {
  const { services, path } = await returnPath()
  expect(await meet(resume, { services, path })).toMatchObject({
    status: 200,
    screen: { isPaid: false, returned: { lead: `${deTexts.returned.lead} ${deTexts.returned.justPaid}` } },
  })
})

test("a phone that has paid reads thanks and where the order goes on, without a warning not to pay", async () => {
  const { shop, services, order, path } = await returnPath()
  await pay(shop, order)
  const met = await meet(resume, { services, path })
  expect(met).toMatchObject({
    status: 200,
    screen: {
      isPaid: true,
      returned: { heading: deTexts.link.paid, lead: deTexts.returned.paid },
      reference: order.id,
      facts: deTexts.returned.openHere,
    },
    session: { orderId: null, serviceIds: [] },
  })
  expect(await meet(resume, { services, path, form: {} })).toMatchObject({ session: { orderId: order.id } })
})

test("a phone whose payment is seen reads that it is being confirmed; its visit asks the gateway", async () => {
  const { shop, services, path } = await returnPath()
  shop.gateway.reports("processing", 0)
  shop.wait(5 * SECOND)
  expect(await meet(resume, { services, path })).toMatchObject({
    status: 200,
    screen: { isPaid: true, returned: { lead: deTexts.returned.seen } },
  })
})

test("once another browser has used the link, a phone that has paid reads so, nothing of the order, and signs in", async () => {
  const { shop, services, order, path } = await returnPath()
  await meet(resume, { services, path, session: { orderId: order.id, serviceIds: [order.serviceId] } })
  const unpaid = await meet(resume, { services, path })
  expect(unpaid).toMatchObject({ status: 401, screen: { reason: "used-link", returned: null } })
  await pay(shop, order)
  const met = await meet(resume, { services, path })
  expect(met).toMatchObject({
    status: 401,
    screen: {
      kind: "sign-in",
      reason: "used-link",
      email: "",
      returned: {
        heading: deTexts.link.paid,
        lead: `${deTexts.returned.paid} ${deTexts.returned.signIn}`,
      },
    },
  })
  expect(JSON.stringify(met.screen)).not.toContain(order.id)
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
