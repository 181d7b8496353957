import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, MINUTE } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { confirmRequest } from "~/flows/admin/approvals/confirm-request.server"
import { recordPaymentUpdate } from "~/flows/payments/record-payment-update.server"
import {
  actOnPage,
  type ConsoleVisitor,
  enrolled,
  established,
  hiddenFieldsIn,
  keyOfOwnSession,
  OPERATOR_PASSWORD,
  tokenOf,
} from "../../../../tests/fixtures/console"
import { buy, buyPlan, pay } from "../../../../tests/fixtures/purchase"
import { choice, openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

let shop: TestShop
let marta: ConsoleVisitor
let jonas: ConsoleVisitor
beforeEach(async () => {
  const opened = await openTestShop()
  const { console } = opened.services
  if (!console) throw new Error("no console")
  shop = {
    ...opened,
    services: { ...opened.services, console: { ...console, approveAbove: money(5_00, "EUR") } },
  }
  marta = await enrolled(shop, "owner", "marta@shop.test")
  jonas = await enrolled(shop, "owner", "jonas@shop.test")
  await established(shop, marta, jonas)
})
afterEach(() => shop.billing.close())

const pageOf = (id: string) => `/admin/orders/${id}`
const text = async (response: Promise<Response>) => (await response).text()

const act = (who: ConsoleVisitor, id: string, form: Record<string, string>) =>
  actOnPage(who, pageOf(id), { form: { password: OPERATOR_PASSWORD, code: who.nextCode(), ...form } })

const ask = (who: ConsoleVisitor, id: string, amount: string) =>
  act(who, id, { action: "refund-order", reason: "charged twice", amount })
const decide = (who: ConsoleVisitor, id: string, action: "confirm-action" | "refuse-action") =>
  act(who, id, { action, reason: "checked" })
const received = async (id: string) => (await shop.billing.billing.order(id))?.received.minor
const audited = async () =>
  (await shop.billing.auditLog.page({ after: 0, limit: 200 }))
    .filter(({ subject, outcome }) => subject.startsWith("order ") && outcome !== "started")
    .map(({ action, operator, outcome }) => [action, operator, outcome])

describe("a refund above the limit", () => {
  test("waits, is on the overview and the order, and is done once another operator has confirmed it", async () => {
    const order = await buyPlan(shop)
    const asked = await ask(marta, order.id, "5.01")
    expect([asked.status, asked.headers.get("location")]).toEqual([303, `/checkout${pageOf(order.id)}?waits`])
    expect(await received(order.id)).toBe(order.total.minor)
    expect(await text(marta.request({ path: "/admin" }))).toContain("To be confirmed by a second operator")
    const own = await text(marta.request({ path: pageOf(order.id) }))
    expect(own).toContain("A refund of €5.01 waits for a second operator")
    expect(own).not.toContain('value="confirm-action"')
    expect((await decide(jonas, order.id, "confirm-action")).status).toBe(303)
    expect(await received(order.id)).toBe(order.total.minor - 5_01)
    expect(await text(marta.request({ path: "/admin" }))).not.toContain("To be confirmed")
    expect(await audited()).toEqual([
      ["refund-order", "marta@shop.test", "done"],
      ["confirm-action", "jonas@shop.test", "done"],
    ])
    const timeline = await text(marta.request({ path: pageOf(order.id) }))
    for (const it of ["Refund asked for", "Refund confirmed"]) expect(timeline).toContain(`>${it}</strong>`)
  })

  test("is not confirmed by the operator who has asked, who posts the form of another's page", async () => {
    const order = await buyPlan(shop)
    await ask(marta, order.id, "6.00")
    const page = await text(jonas.request({ path: pageOf(order.id) }))
    const { target = "" } = hiddenFieldsIn(page, "confirm-action")
    const key = hiddenFieldsIn(await text(marta.request({ path: pageOf(order.id) })), "add-note").key ?? ""
    const form = { key, target, action: "confirm-action", reason: "mine" }
    const refused = await marta.request({ path: pageOf(order.id), form })
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining("Another operator has to confirm"),
    ])
    expect(await received(order.id)).toBe(order.total.minor)
  })

  test("is refused: nothing is done, and it cannot be confirmed any more", async () => {
    const order = await buyPlan(shop)
    await ask(marta, order.id, "6.00")
    const page = await text(jonas.request({ path: pageOf(order.id) }))
    const fields = hiddenFieldsIn(page, "confirm-action")
    expect((await decide(jonas, order.id, "refuse-action")).status).toBe(303)
    const { key = "" } = hiddenFieldsIn(await text(jonas.request({ path: pageOf(order.id) })), "add-note")
    const form = { ...fields, key, action: "confirm-action", reason: "after all" }
    const late = await jonas.request({ path: pageOf(order.id), form })
    expect([late.status, await late.text()]).toEqual([422, expect.stringContaining("was decided meanwhile")])
    expect(await received(order.id)).toBe(order.total.minor)
  })

  test("expires after three days", async () => {
    const order = await buyPlan(shop)
    await ask(marta, order.id, "6.00")
    shop.wait(3 * DAY)
    jonas = await enrolled(shop, "owner", "ines@shop.test")
    const page = await text(jonas.request({ path: pageOf(order.id) }))
    expect(page).not.toContain("waits for a second operator")
    expect(await text(jonas.request({ path: "/admin" }))).not.toContain("To be confirmed")
  })

  test("cannot be split: what was refunded of the order before counts", async () => {
    const order = await buyPlan(shop)
    expect((await ask(marta, order.id, "3.00")).headers.get("location")).toContain("?done")
    expect((await ask(marta, order.id, "2.01")).headers.get("location")).toContain("?waits")
    expect(await received(order.id)).toBe(order.total.minor - 3_00)
  })

  test("cannot be split by forms that are sent at the same moment", async () => {
    const order = await buyPlan(shop)
    const path = pageOf(order.id)
    const pages = await Promise.all([1, 2, 3].map(() => text(marta.request({ path }))))
    const answers = await Promise.all(
      pages.map((page) => {
        const refund = { action: "refund-order", reason: "charged twice", amount: "3.00" }
        return marta.request({ path, form: { ...hiddenFieldsIn(page, "refund-order"), ...refund } })
      }),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422, 422])
    expect(await received(order.id)).toBe(order.total.minor - 3_00)
  })

  test("counts a refund that its gateway is paying", async () => {
    const order = await buyPlan(shop)
    const asked = { id: "r1", orderId: order.id, amount: money(3_00, "EUR"), address: null, reason: "asked" }
    const gateways = [{ id: order.gateway, isWholeOnly: false }]
    await shop.billing.refunds.begin({ ...asked, gateways, endsService: false, at: shop.services.now() })
    expect((await ask(marta, order.id, "2.01")).headers.get("location")).toContain("?waits")
  })

  test("counts what was refunded as account credit, and is given as it once it is confirmed", async () => {
    const { order } = await buy(shop, { key: "marked" })
    const { billing, operator, payments } = shop.billing
    await billing.applyOrderEvent(order.id, "paid", shop.services.now(), "operator: cash")
    shop.wait(1)
    const asCredit = (amount: string) =>
      act(marta, order.id, { action: "refund-order", reason: "asked", amount, way: "credit" })
    expect((await asCredit("3.00")).headers.get("location")).toContain("?done")
    expect((await asCredit("2.01")).headers.get("location")).toContain("?waits")
    const credit = async () => (await payments.accountCredit(order.customerId, order.total.currency)).minor
    expect(await credit()).toBe(3_00)
    expect(await text(jonas.request({ path: pageOf(order.id) }))).toContain(
      "The customer gets it as account credit.",
    )
    await decide(jonas, order.id, "confirm-action")
    expect(await credit()).toBe(5_01)
    expect((await operator.order(order.id))?.refunds).toMatchObject([
      { target: "credit" },
      { target: "credit" },
    ])
  })

  test("counts what was paid back outside the gateways once", async () => {
    const { order } = await buy(shop, { key: "marked" })
    await shop.billing.billing.applyOrderEvent(order.id, "paid", shop.services.now(), "operator: cash")
    shop.wait(1)
    const byHand = (amount: string) =>
      act(marta, order.id, { action: "refund-order", reason: "asked", amount, way: "hand" })
    expect((await byHand("3.00")).headers.get("location")).toContain("?done")
    expect((await byHand("2.00")).headers.get("location")).toContain("?done")
    expect((await byHand("0.01")).headers.get("location")).toContain("?waits")
  })

  test("is done once by two operators who confirm at the same moment", async () => {
    const order = await buyPlan(shop)
    const ines = await enrolled(shop, "owner", "ines@shop.test")
    await established(shop, marta, jonas, ines)
    await ask(marta, order.id, "6.00")
    await Promise.all([jonas, ines].map((who) => decide(who, order.id, "confirm-action")))
    expect(await received(order.id)).toBe(order.total.minor - 6_00)
  })

  test("that was confirmed and not carried out, as by a crash, is confirmed again and done once", async () => {
    const order = await buyPlan(shop)
    await ask(marta, order.id, "6.00")
    const [asked] = await shop.billing.approvals.ofOrder(order.id)
    const at = shop.services.now()
    const decision = { id: asked?.id ?? "", decision: "confirmed", operator: "jonas@shop.test", at } as const
    await shop.billing.approvals.decide(decision)
    await established(shop, jonas)
    shop.wait(DAY)
    jonas.token = tokenOf(await jonas.signIn({ code: jonas.nextCode() }))
    expect(await text(jonas.request({ path: pageOf(order.id) }))).toContain("confirm it again")
    await decide(jonas, order.id, "confirm-action")
    expect(await received(order.id)).toBe(order.total.minor - 6_00)
  })

  test("of more than was received is refused at once", async () => {
    const order = await buyPlan(shop)
    expect((await ask(marta, order.id, "999.00")).status).toBe(422)
    expect(await shop.billing.approvals.ofOrder(order.id)).toEqual([])
  })

  test.each([
    ["whose address is missing", { needsAddress: true }, "Type the address to which"],
    [
      "of a part, where the gateway pays back the whole",
      { isWholeOnly: true },
      "pays back the whole payment only",
    ],
    ["by a gateway that cannot pay back", null, "No gateway of this order can pay back"],
  ])("%s is refused at once, and waits for nobody", async (_, ability, words) => {
    const refund = () => Promise.reject(new Error("nothing was confirmed"))
    const refunds = ability && { needsAddress: false, isWholeOnly: false, ...ability, refund }
    const gateways = [...shop.services.gateways].map(([id, it]) => [id, { ...it, refunds }] as const)
    const others = { ...shop, services: { ...shop.services, gateways: new Map(gateways) } }
    const anna = await enrolled(others, "owner", "anna@shop.test")
    const order = await buyPlan(others)
    const form = { action: "refund-order", reason: "charged twice", amount: "10.00", way: "gateway" }
    const refused = await act(anna, order.id, form)
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining(words)])
    expect(await shop.billing.approvals.ofOrder(order.id)).toEqual([])
    // The audit log does not have as done what was refused.
    expect(await audited()).toEqual([])
  })
})

describe("while the console is set up", () => {
  let fresh: TestShop
  let ada: ConsoleVisitor
  let ben: ConsoleVisitor
  beforeEach(async () => {
    fresh = await openTestShop()
    const { console } = fresh.services
    if (!console) throw new Error("no console")
    Object.assign(console, { approveAbove: money(5_00, "EUR") })
    ada = await enrolled(fresh, "owner", "ada@shop.test")
    ben = await enrolled(fresh, "owner", "ben@shop.test")
  })
  afterEach(() => fresh.billing.close())
  const receivedOf = async (id: string) => (await fresh.billing.billing.order(id))?.received.minor
  const accountOf = async ({ email }: ConsoleVisitor) => {
    const account = await fresh.billing.operators.find(email)
    if (!account) throw new Error("no account")
    return account
  }
  const cli = { operatorId: null, operator: "admin CLI" }
  const newLink = () => {
    const at = fresh.services.now()
    return { linkHash: `link ${at}`, linkUntil: at + DAY, totpSecret: "sealed", at }
  }

  test("two owners whom the admin CLI has added confirm what the other asks for", async () => {
    const order = await buyPlan(fresh)
    await ask(ada, order.id, "6.00")
    expect((await decide(ben, order.id, "confirm-action")).status).toBe(303)
    expect(await receivedOf(order.id)).toBe(order.total.minor - 6_00)
  })

  test("an owner whom another one has added in the console waits for three days", async () => {
    const { id } = await accountOf(ada)
    const by = { operatorId: id, operator: ada.email }
    await fresh.billing.operators.add({ ...newLink(), id: "ghost", email: "g@shop.test", role: "owner" }, by)
    expect(await fresh.billing.operators.find("g@shop.test")).toMatchObject({ countsAtOnce: false })
  })

  test("an owner who could sign in and gets a new link waits, however often the link is given", async () => {
    const { id } = await accountOf(ben)
    for (const _ of ["first", "second"]) await fresh.billing.operators.reset(id, newLink(), cli)
    expect((await accountOf(ben)).countsAtOnce).toBe(false)
  })

  test("an owner whose first link has expired does not wait with the next one", async () => {
    await fresh.billing.operators.add(
      { ...newLink(), id: "late", email: "late@shop.test", role: "owner" },
      cli,
    )
    fresh.wait(2 * DAY)
    await fresh.billing.operators.reset("late", newLink(), cli)
    expect(await fresh.billing.operators.find("late@shop.test")).toMatchObject({ countsAtOnce: true })
    fresh.wait(DAY)
    await fresh.billing.operators.reset("late", newLink(), cli)
    expect(await fresh.billing.operators.find("late@shop.test")).toMatchObject({ countsAtOnce: false })
  })
})

describe("who has got access to the console lately", () => {
  const isNew = (who: string) => `${who} added or got a new link less than 3 days ago`
  const confirms = async (who: ConsoleVisitor, id: string) => {
    const page = await text(who.request({ path: pageOf(id) }))
    const fields = hiddenFieldsIn(page, "refuse-action")
    return who.request({ path: pageOf(id), form: { ...fields, action: "confirm-action", reason: "checked" } })
  }

  test("does not confirm what another has asked for, who may have added the account", async () => {
    const order = await buyPlan(shop)
    await ask(marta, order.id, "6.00")
    const ghost = await enrolled(shop, "owner", "ghost@shop.test")
    const page = await text(ghost.request({ path: pageOf(order.id) }))
    expect(page).toContain(isNew("You were"))
    expect(page).not.toContain('value="confirm-action"')
    const refused = await confirms(ghost, order.id)
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining(isNew("You were"))])
    expect(await received(order.id)).toBe(order.total.minor)
    expect((await decide(ghost, order.id, "refuse-action")).status).toBe(303)
  })

  test("does not get confirmed what the new account has asked for", async () => {
    const order = await buyPlan(shop)
    const ghost = await enrolled(shop, "owner", "ghost@shop.test")
    await ask(ghost, order.id, "6.00")
    expect(await text(marta.request({ path: pageOf(order.id) }))).toContain(isNew("ghost@shop.test was"))
    const refused = await confirms(marta, order.id)
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining(isNew("Who has asked was")),
    ])
    expect(await received(order.id)).toBe(order.total.minor)
  })

  test("does not confirm with an account that has got a new link", async () => {
    const order = await buyPlan(shop)
    await ask(marta, order.id, "6.00")
    const account = await shop.billing.operators.find(jonas.email)
    const by = { operatorId: null, operator: "admin CLI" }
    const at = shop.services.now()
    const access = { linkHash: "new", linkUntil: at + DAY, totpSecret: "sealed", at }
    await shop.billing.operators.reset(account?.id ?? "", access, by)
    await shop.billing.operators.setUp({
      id: account?.id ?? "",
      linkHash: "new",
      password: OPERATOR_PASSWORD,
      counter: 0,
      codeHashes: ["a"],
    })
    const [asked] = await shop.billing.approvals.ofOrder(order.id)
    const confirmer = { operatorId: account?.id ?? "", operator: jonas.email }
    const { operators, operator: orders, ...billing } = shop.billing
    const services = {
      ...shop.services,
      ...billing,
      operators,
      orders,
      customers: orders,
      hasExternalBilling: false,
    }
    const confirm = () =>
      confirmRequest({ ...services, billing: billing.billing }, asked?.id ?? "", confirmer)
    expect(await confirm()).toEqual({ kind: "confirmer-new" })
    expect(await received(order.id)).toBe(order.total.minor)
  })

  test("confirms once three days have passed", async () => {
    const ghost = await enrolled(shop, "owner", "ghost@shop.test")
    await established(shop, marta, ghost)
    const order = await buyPlan(shop)
    await ask(marta, order.id, "6.00")
    expect((await decide(ghost, order.id, "confirm-action")).status).toBe(303)
    expect(await received(order.id)).toBe(order.total.minor - 6_00)
  })
})

test("an order above the limit is marked as paid once another operator has confirmed it", async () => {
  const { order } = await buy(shop)
  const asked = { action: "mark-order-paid", reason: "bank transfer", force: "on" }
  expect((await act(marta, order.id, asked)).headers.get("location")).toContain("?waits")
  expect((await shop.billing.billing.order(order.id))?.status).toBe("awaiting-payment")
  await decide(jonas, order.id, "confirm-action")
  expect((await shop.billing.billing.order(order.id))?.status).toBe("paid")
})

test("a rest above the limit is waived once another operator has confirmed it", async () => {
  const { order } = await buy(shop)
  await pay(shop, order, order.total.minor - 501)
  const asked = { action: "waive-rest", reason: "fee", force: "on" }
  expect((await act(marta, order.id, asked)).headers.get("location")).toContain("?waits")
  expect((await shop.billing.billing.order(order.id))?.status).toBe("partially-paid")
  expect(await text(jonas.request({ path: pageOf(order.id) }))).toContain(
    "Waiving €5.01 waits for a second operator",
  )
  await decide(jonas, order.id, "confirm-action")
  expect((await shop.billing.billing.order(order.id))?.status).toBe("paid")
})

describe("account credit above the limit", () => {
  const customerPage = (id: string) => `/admin/customers/${id}`
  const credit = async (id: string) =>
    ((await shop.billing.operator.customer(id))?.credit ?? []).map(({ minor }) => minor)

  const actOnCustomer = (who: ConsoleVisitor, id: string, form: Record<string, string>) =>
    actOnPage(who, customerPage(id), {
      form: { password: OPERATOR_PASSWORD, code: who.nextCode(), ...form },
    })
  const grant = (who: ConsoleVisitor, id: string, amount: string) =>
    actOnCustomer(who, id, { action: "grant-credit", amount, currency: "EUR", reason: "outage" })

  test("waits, is on the overview and the customer, and is granted once another operator has confirmed it", async () => {
    const { customerId } = await buyPlan(shop)
    const asked = await grant(marta, customerId, "5.01")
    expect(asked.headers.get("location")).toBe(`/checkout${customerPage(customerId)}?waits`)
    expect(await credit(customerId)).toEqual([])
    const own = await text(marta.request({ path: customerPage(customerId) }))
    expect(own).toContain("Account credit of €5.01 waits for a second operator")
    expect(own).not.toContain('value="confirm-action"')
    const overview = await text(jonas.request({ path: "/admin" }))
    expect(overview).toContain(`href="/checkout${customerPage(customerId)}"`)
    const [request] = await shop.billing.approvals.ofCustomer(customerId)
    const forged = { action: "confirm-action", target: request?.id ?? "", reason: "mine" }
    expect((await actOnCustomer(marta, customerId, forged)).status).toBe(422)
    await actOnCustomer(jonas, customerId, { action: "confirm-action", reason: "checked" })
    expect(await credit(customerId)).toEqual([501])
    expect((await shop.billing.approvals.find(request?.id ?? ""))?.result).toBe("done")
    expect(await text(jonas.request({ path: "/admin" }))).not.toContain("To be confirmed by")
    const done = (await shop.billing.auditLog.page({ after: 0, limit: 200 })).filter(
      ({ subject, outcome }) => subject === `customer ${customerId}` && outcome === "done",
    )
    expect(done.map(({ action, operator }) => [action, operator])).toEqual([
      ["grant-credit", "marta@shop.test"],
      ["confirm-action", "jonas@shop.test"],
    ])
  })

  test("is not granted when another operator refuses it", async () => {
    const { customerId } = await buyPlan(shop)
    await grant(marta, customerId, "6.00")
    const refused = await actOnCustomer(jonas, customerId, { action: "refuse-action", reason: "too much" })
    expect(refused.headers.get("location")).toContain("?done")
    expect(await credit(customerId)).toEqual([])
  })

  test("is not decided on another customer's page", async () => {
    const { customerId } = await buyPlan(shop)
    const choices = { ...choice, email: "ben@example.test" }
    const { order: other } = await buy(shop, { key: "draft-2", choices })
    await grant(marta, customerId, "6.00")
    const [request] = await shop.billing.approvals.ofCustomer(customerId)
    const path = customerPage(other.customerId)
    const key = hiddenFieldsIn(await text(jonas.request({ path })), "grant-credit").key ?? ""
    const form = { action: "confirm-action", key, target: request?.id ?? "", reason: "x" }
    expect((await jonas.request({ path, form })).status).toBe(422)
    expect(await credit(customerId)).toEqual([])
  })

  test("cannot be split within a day", async () => {
    const { customerId } = await buyPlan(shop)
    expect((await grant(marta, customerId, "3.00")).headers.get("location")).toContain("?done")
    expect((await grant(marta, customerId, "2.01")).headers.get("location")).toContain("?waits")
    expect(await credit(customerId)).toEqual([300])
  })

  test("cannot be split by forms that are sent at the same moment", async () => {
    const { customerId } = await buyPlan(shop)
    const path = customerPage(customerId)
    const pages = await Promise.all([1, 2, 3].map(() => text(marta.request({ path }))))
    const answers = await Promise.all(
      pages.map((page) => {
        const granted = { action: "grant-credit", amount: "3.00", currency: "EUR", reason: "outage" }
        return marta.request({ path, form: { ...hiddenFieldsIn(page, "grant-credit"), ...granted } })
      }),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422, 422])
    expect(await credit(customerId)).toEqual([300])
  })

  test("cannot be split by assigning payments without an order at the same moment", async () => {
    const { customerId } = await buyPlan(shop)
    for (const attemptId of ["one", "two"]) {
      const update = { eventKey: attemptId, attemptId, status: "paid", received: money(3_00, "EUR") } as const
      await recordPaymentUpdate(shop.services, "offshore", { ...update, transactionId: attemptId })
    }
    const email = (await shop.billing.operator.customer(customerId))?.email ?? ""
    const open = await shop.billing.unmatched.list({ isOpen: true, limit: 2 })
    const forms = await Promise.all(
      open.map(async ({ id }) => {
        const path = `/admin/unmatched-payments/${id}`
        return { path, page: await text(marta.request({ path })) }
      }),
    )
    const answers = await Promise.all(
      forms.map(({ path, page }) => {
        const credited = { action: "credit-payment", customer: email, reason: "theirs" }
        return marta.request({ path, form: { ...hiddenFieldsIn(page, "credit-payment"), ...credited } })
      }),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422])
    expect(await credit(customerId)).toEqual([300])
  })

  test("counts what was assigned of payments without an order, too", async () => {
    const { customerId } = await buyPlan(shop)
    const at = shop.services.now()
    await recordPaymentUpdate(shop.services, "offshore", {
      eventKey: "paid elsewhere",
      attemptId: "elsewhere",
      status: "paid",
      received: money(3_00, "EUR"),
      transactionId: "tx-9",
    })
    const [payment] = await shop.billing.unmatched.list({ isOpen: true, limit: 1 })
    const amount = money(3_00, "EUR")
    const assigning = { id: payment?.id ?? "", expected: amount, amount, to: { customerId } }
    await shop.billing.unmatched.assign({ ...assigning, operator: "x", reason: "theirs", at, tolerance: 0 })
    shop.wait(1)
    expect((await grant(marta, customerId, "2.01")).headers.get("location")).toContain("?waits")
    expect(await credit(customerId)).toEqual([300])
  })

  test("is not decided on at another customer's page", async () => {
    const { customerId } = await buyPlan(shop)
    const order = await buyPlan(shop, { key: "draft-2" })
    await grant(marta, customerId, "6.00")
    const [request] = await shop.billing.approvals.ofCustomer(customerId)
    const form = { action: "confirm-action", target: request?.id ?? "", reason: "x" }
    expect((await act(jonas, order.id, { ...form, action: "confirm-action" })).status).toBe(422)
    expect(await credit(customerId)).toEqual([])
  })
})

test.each(["support", "viewer"] as const)("a request is not confirmed or refused by %s", async (role) => {
  const order = await buyPlan(shop)
  await ask(marta, order.id, "6.00")
  const who = await enrolled(shop, role)
  const page = await text(who.request({ path: pageOf(order.id) }))
  expect(page).toContain("A refund of €6.00 waits")
  expect(page).not.toContain('value="confirm-action"')
  const [asked] = await shop.billing.approvals.ofOrder(order.id)
  for (const action of ["confirm-action", "refuse-action"]) {
    const key = await keyOfOwnSession(who)
    const form = { action, key, target: asked?.id ?? "", reason: "x" }
    expect((await who.request({ path: pageOf(order.id), form })).status).toBe(422)
  }
  expect(await received(order.id)).toBe(order.total.minor)
  expect((await shop.billing.approvals.ofOrder(order.id))[0]?.decision).toBeNull()
})

test("a request of another order is not decided on an order's page", async () => {
  const order = await buyPlan(shop)
  const { order: other } = await buy(shop, { key: "draft-2" })
  await ask(marta, order.id, "6.00")
  const [asked] = await shop.billing.approvals.ofOrder(order.id)
  shop.wait(MINUTE)
  const key = hiddenFieldsIn(await text(jonas.request({ path: pageOf(other.id) })), "add-note").key ?? ""
  const form = { action: "confirm-action", key, target: asked?.id ?? "", reason: "x" }
  expect((await jonas.request({ path: pageOf(other.id), form })).status).toBe(422)
  expect(await received(order.id)).toBe(order.total.minor)
})
