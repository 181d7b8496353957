import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { money } from "~/domain/money/money"
import { recordPaymentUpdate } from "~/flows/payments/record-payment-update.server"
import {
  actOnPage,
  type ConsoleVisitor,
  enrolled,
  established,
  hiddenFieldsIn,
  keyOfOwnSession,
  OPERATOR_PASSWORD,
} from "../../../../tests/fixtures/console"
import { buy, buyPlan } from "../../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

let shop: TestShop
let marta: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  marta = await enrolled(shop, "owner")
})
afterEach(() => shop.billing.close())

const text = async (response: Promise<Response>) => (await response).text()
const list = (query = "") => text(marta.request({ path: `/admin/unmatched-payments${query}` }))

/** A payment in euros whose reference this shop does not know. Returns its page. */
async function reported(attemptId = "elsewhere", minor = 20_00): Promise<string> {
  await recordPaymentUpdate(shop.services, "offshore", {
    eventKey: `paid ${attemptId}`,
    attemptId,
    status: "paid",
    received: money(minor, "EUR"),
    transactionId: `tx-${attemptId}`,
  })
  const payments = await shop.billing.unmatched.list({ isOpen: true, limit: 9 })
  return `/admin/unmatched-payments/${payments.find((it) => it.attemptId === attemptId)?.id}`
}

const returned = { action: "return-payment", reason: "wrong shop", reference: "refund 7" }
const proven = (who: ConsoleVisitor) => ({ password: OPERATOR_PASSWORD, code: who.nextCode() })

test("money that matches no order leads from the overview to its list and its page", async () => {
  expect(await list()).toContain("All payments match an order.")
  const path = await reported()
  expect(await text(marta.request({ path: "/admin" }))).toContain(
    '<a href="/checkout/admin/unmatched-payments">Money that matches no order</a>',
  )
  expect(await text(marta.request({ path: "/admin" }))).toContain("<p>€20.00. Offshore: ")
  const listed = await list()
  expect(listed).toContain(`<a href="/checkout${path}">tx-elsewhere</a>`)
  expect(listed).toContain("€20.00")
  const page = await text(marta.request({ path }))
  for (const shown of ["tx-elsewhere", "€20.00", "Offshore", "Its reference is of no payment of this shop"])
    expect(page).toContain(shown)
})

test("an owner notes that the money was returned: it leaves the overview, with an entry in the audit log", async () => {
  const path = await reported()
  const answer = await actOnPage(marta, path, { form: { ...returned, ...proven(marta) } })
  expect([answer.status, answer.headers.get("location")]).toEqual([
    303,
    `/checkout${path}?done=return-payment`,
  ])
  expect(await text(marta.request({ path: "/admin" }))).not.toContain("Money that matches no order</a>")
  expect(await list()).toContain("All payments match an order.")
  expect(await list("?state=handled")).toContain("tx-elsewhere")
  const page = await text(marta.request({ path }))
  for (const shown of ["Returned", "refund 7", "wrong shop", marta.email]) expect(page).toContain(shown)
  const [entry] = await shop.billing.auditLog.newest({
    limit: 1,
    subject: `payment ${path.split("/").at(-1)}`,
  })
  expect(entry).toMatchObject({ action: "return-payment", reason: "wrong shop", operator: marta.email })
  expect(JSON.stringify(entry)).toContain("20.00 EUR")
})

test.each([
  ["without password and code", { reference: "refund 7" }, "Type your password and a code."],
  ["without a reference", { reference: "" }, "Please give the reference of the refund."],
  ["without a reason", { reason: " " }, "Please say why."],
])("%s nothing is noted, and the form keeps what was typed", async (_, form, message) => {
  const path = await reported()
  if (!message.startsWith("Type"))
    await actOnPage(marta, path, { form: { ...returned, ...form, ...proven(marta) } })
  else shop.wait(11 * 60_000)
  const answer = await actOnPage(marta, path, { form: { ...returned, ...form } })
  expect(answer.status).toBe(422)
  const page = await answer.text()
  expect(page).toContain(message)
  if ("reference" in form && form.reference) expect(page).toContain('value="refund 7"')
  expect(await shop.billing.unmatched.list({ isOpen: true, limit: 9 })).toHaveLength(1)
})

test("of two owners who note it at the same time one is told that it was handled", async () => {
  const path = await reported()
  const jonas = await enrolled(shop, "owner", "jonas@shop.test")
  const fields = hiddenFieldsIn(await text(jonas.request({ path })), "return-payment")
  await actOnPage(marta, path, { form: { ...returned, ...proven(marta) } })
  const late = await jonas.request({ path, form: { ...fields, ...returned, ...proven(jonas) } })
  expect([late.status, await late.text()]).toEqual([422, expect.stringContaining("It was handled meanwhile")])
})

test("a form acts once", async () => {
  const path = await reported()
  const fields = hiddenFieldsIn(await text(marta.request({ path })), "return-payment")
  const form = { ...fields, ...returned, ...proven(marta) }
  await marta.request({ path, form })
  await shop.billing.unmatched.list({ isOpen: true, limit: 9 })
  expect((await marta.request({ path, form })).headers.get("location")).toContain("?sent-before")
})

describe("assigned by an owner", () => {
  const assign = (path: string, form: Record<string, string>, who = marta) =>
    actOnPage(who, path, { form: { reason: "paid by her", ...form, ...proven(who) } })
  const toOrder = { action: "assign-payment" }
  const toCustomer = { action: "credit-payment" }

  test("to an order it pays it, closes what is open at its gateway, and is on the order's timeline", async () => {
    const { order } = await buy(shop)
    const path = await reported("elsewhere", order.total.minor)
    const answer = await assign(path, { ...toOrder, order: order.id })
    expect(answer.headers.get("location")).toBe(`/checkout${path}?done=assign-payment`)
    expect((await shop.billing.billing.order(order.id))?.status).toBe("paid")
    expect(await text(marta.request({ path: `/admin/orders/${order.id}` }))).toContain("tx-elsewhere")
    expect(await text(marta.request({ path }))).toContain(`href="/checkout/admin/orders/${order.id}"`)
    expect(await list()).toContain("All payments match an order.")
  })

  test("to a customer it is account credit", async () => {
    const { customerId, email } = await buyPlan(shop)
    const path = await reported()
    expect((await assign(path, { ...toCustomer, customer: email })).headers.get("location")).toContain(
      "?done",
    )
    expect((await shop.billing.payments.accountCredit(customerId, "EUR")).minor).toBe(20_00)
    const page = await text(marta.request({ path: `/admin/customers/${customerId}` }))
    expect(page).toContain("Payment without an order, assigned by an operator")
    expect(page).not.toContain("Granted by an operator")
  })

  test.each([
    [{ ...toOrder, order: "NONE" }, "There is no order with this number."],
    [{ ...toCustomer, customer: "nobody@example.test" }, "There is no customer with this email."],
    [{ ...toOrder, amount: "19.00" }, "It is assigned as a whole"],
  ])("%o changes nothing and says why", async (form, message) => {
    const { order } = await buy(shop)
    const path = await reported()
    const answer = await assign(path, { order: order.id, ...form })
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(message)])
    expect(await shop.billing.unmatched.list({ isOpen: true, limit: 9 })).toHaveLength(1)
  })

  test("it needs a person again once its gateway pays it back, with its page, until that is noted", async () => {
    const { order } = await buy(shop)
    const path = await reported("elsewhere", order.total.minor)
    await assign(path, { ...toOrder, order: order.id })
    await recordPaymentUpdate(shop.services, "offshore", {
      eventKey: "paid back",
      attemptId: "elsewhere",
      status: "refunded",
      received: order.total,
      refunded: order.total,
      transactionId: "tx-elsewhere",
    })
    const overview = () => text(marta.request({ path: "/admin" }))
    expect(await overview()).toContain("Assigned money was paid back</a>")
    expect(await overview()).toContain(`<a class="button" href="/checkout${path}">`)
    const page = await text(marta.request({ path }))
    expect(page).toContain(`after it was assigned to order ${order.id}`)
    expect(page).toContain(`<a href="/checkout/admin/orders/${order.id}">To the order</a>`)
    for (const action of ["assign-payment", "credit-payment", "dismiss-payment"])
      expect(page).not.toContain(`value="${action}"`)
    expect((await actOnPage(marta, path, { form: { ...returned, ...proven(marta) } })).status).toBe(303)
    expect(await overview()).not.toContain("Assigned money was paid back</a>")
  })

  test.each([
    ["an order", toOrder],
    ["a customer", toCustomer],
  ])(
    "above APPROVE_ABOVE to %s it waits for a second operator, who confirms it on that page",
    async (_, form) => {
      const { services } = shop
      if (!services.console) throw new Error("no console")
      shop = {
        ...shop,
        services: { ...services, console: { ...services.console, approveAbove: money(5_00, "EUR") } },
      }
      const ines = await enrolled(shop, "owner", "ines@shop.test")
      const jonas = await enrolled(shop, "owner", "jonas@shop.test")
      await established(shop, ines, jonas)
      const { order } = await buy(shop)
      const path = await reported("elsewhere", order.total.minor)
      const asked = await assign(path, { ...form, order: order.id, customer: order.email }, ines)
      expect(asked.headers.get("location")).toBe(`/checkout${path}?waits`)
      expect(await shop.billing.unmatched.list({ isOpen: true, limit: 9 })).toHaveLength(1)
      const target = form === toOrder ? `/admin/orders/${order.id}` : `/admin/customers/${order.customerId}`
      const page = await text(jonas.request({ path: target }))
      expect(page).toContain("waits for a second operator")
      const fields = hiddenFieldsOf(page, 'value="confirm-action"')
      const decision = { ...fields, action: "confirm-action", reason: "checked", ...proven(jonas) }
      expect((await jonas.request({ path: target, form: decision })).headers.get("location")).toContain(
        "?done",
      )
      expect(await shop.billing.unmatched.list({ isOpen: false, limit: 9 })).toMatchObject([
        { state: "assigned", handling: { operator: "ines@shop.test" } },
      ])
      expect((await shop.billing.billing.order(order.id))?.status).toBe(
        form === toOrder ? "paid" : "awaiting-payment",
      )
    },
  )
})

function hiddenFieldsOf(page: string, marker: string): Record<string, string> {
  const form = page.split("<form").find((it) => it.includes(marker)) ?? ""
  const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
  return Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, value]))
}

test.each(["support", "viewer"] as const)("%s sees it, and may not settle it", async (role) => {
  const path = await reported()
  const who = await enrolled(shop, role)
  const page = await text(who.request({ path }))
  expect(page).toContain("tx-elsewhere")
  expect(page).not.toContain('value="return-payment"')
  const form = { ...returned, key: await keyOfOwnSession(who), seen: "open 2000 EUR" }
  const answer = await who.request({ path, form })
  expect([answer.status, await answer.text()]).toEqual([
    422,
    expect.stringContaining("Your role may not do this."),
  ])
  expect(await shop.billing.unmatched.list({ isOpen: true, limit: 9 })).toHaveLength(1)
})

test("money that has arrived is never dismissed", async () => {
  const path = await reported()
  const fields = hiddenFieldsIn(await text(marta.request({ path })), "return-payment")
  const form = { ...fields, action: "dismiss-payment", reason: "nothing came" }
  expect((await marta.request({ path, form })).status).toBe(422)
  expect(await shop.billing.unmatched.list({ isOpen: true, limit: 9 })).toHaveLength(1)
})

test("an unknown payment is not found", async () => {
  expect((await marta.request({ path: "/admin/unmatched-payments/none" })).status).toBe(404)
})
