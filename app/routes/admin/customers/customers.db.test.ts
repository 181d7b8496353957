import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { MINUTE } from "~/domain/calendar"
import { type CustomerAction, customerActions } from "~/domain/operators/customer-actions"
import { type OperatorRole, operatorRoles } from "~/domain/operators/operator"
import type { Order } from "~/domain/orders/order"
import { runMailQueue } from "~/flows/mail/run-mail-queue.server"
import type { Mailer, OutgoingMail } from "~/mail/mailer"
import {
  actOnPage,
  afterCheckOf,
  auditedOf,
  type ConsoleVisitor,
  enrolled,
  hiddenFieldsIn,
  keyOfOwnSession,
  OPERATOR_PASSWORD,
  refusalIn,
} from "../../../../tests/fixtures/console"
import { buy, buyPlan } from "../../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"
import { attribute, elements, readHtml, textOf } from "../../../../tests/support/html/html-tree"

let shop: TestShop
let marta: ConsoleVisitor
let order: Order
let id: string
let sent: OutgoingMail[]
const mailer: Mailer = {
  async send(mail) {
    sent.push(mail)
    return { kind: "sent", response: "250 OK" }
  },
}
beforeEach(async () => {
  sent = []
  shop = await openTestShop({ mailer })
  marta = await enrolled(shop, "owner")
  order = await buyPlan(shop, { address: "192.0.2.7" })
  id = order.customerId
})
afterEach(() => shop.billing.close())

const CUSTOMERS = "/admin/customers"
const page = () => `${CUSTOMERS}/${id}`
const text = async (response: Promise<Response>) => (await response).text()
const act = (who: ConsoleVisitor, form: Record<string, string>, to?: string) =>
  actOnPage(who, page(), { form, ...(to && { to }) })
const customer = async () => {
  const found = await shop.billing.operator.customer(id)
  if (!found) throw new Error("The customer is gone")
  return found
}

describe("all customers as a CSV file", () => {
  const exported = async (who: ConsoleVisitor, changes: Record<string, string> = {}) => {
    const form = { key: await keyOfOwnSession(who), reason: "newsletter", ...changes }
    return who.request({ path: `${CUSTOMERS}/export`, form })
  }

  test("has a line for each, and is in the audit log", async () => {
    const file = await exported(marta)
    expect(file.headers.get("content-disposition")).toBe('attachment; filename="customers.csv"')
    const [head, ...lines] = (await file.text()).trim().split("\r\n")
    expect(head).toBe("id,created,email,emailState,country,language")
    const created = new Date((await customer()).createdAt).toISOString()
    expect(lines).toEqual([`${id},${created},${(await customer()).email},unproven,MA,en-en`])
    expect((await auditedOf(shop, "export-customers")).at(-1)).toMatchObject({
      outcome: "done",
      subject: "customers",
      reason: "newsletter",
    })
  })

  test("has no cell that a spreadsheet runs", async () => {
    const at = shop.services.now()
    await shop.billing.operator.changeEmail({ customerId: id, to: "=1+1@example.test", at })
    expect(await text(exported(marta))).toContain(",'=1+1@example.test,")
  })

  test("is not handed out without a reason", async () => {
    const refused = await exported(marta, { reason: " " })
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("Write down why.")])
  })

  test("asks for the password and a code again after ten minutes", async () => {
    shop.wait(11 * MINUTE)
    const asked = await exported(marta)
    expect([asked.status, await asked.text()]).toEqual([
      422,
      expect.stringContaining("Type your password and a code."),
    ])
  })

  test("is for owners alone", async () => {
    const support = await enrolled(shop, "support")
    expect(await text(marta.request({ path: CUSTOMERS }))).toContain("Download as CSV")
    expect(await text(support.request({ path: CUSTOMERS }))).not.toContain("Download as CSV")
    const refused = await exported(support)
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining("Your role may not do this."),
    ])
  })
})

describe("the list of customers", () => {
  test("finds a customer by email, username and order, or their beginnings, and leads there", async () => {
    const service = await shop.billing.billing.service(order.serviceId)
    for (const text of ["ana@exam", "ANA@EXAMPLE.TEST", service?.username.slice(0, 6) ?? "", order.id]) {
      const found = await marta.request({ path: `${CUSTOMERS}?q=${encodeURIComponent(text)}` })
      expect([found.status, found.headers.get("location")]).toEqual([303, `/checkout${page()}`])
    }
    expect(await text(marta.request({ path: `${CUSTOMERS}?q=nobody` }))).toContain("No customers match.")
  })

  test("has pages by key, newest first", async () => {
    const visitor = { locale: "en-en", currency: "EUR", country: "MA", address: null } as const
    for (let index = 0; index < 26; index++)
      await shop.billing.billing.identify({
        ...visitor,
        email: `buyer${index}@example.test`,
        at: shop.services.now() + index * MINUTE,
      })
    const first = await text(marta.request({ path: CUSTOMERS }))
    expect(first).toContain("buyer25@")
    expect(first).not.toContain("buyer0@")
    const [, older = ""] = /href="([^"]+)" rel="next"/.exec(first) ?? []
    const second = await text(marta.request({ path: older.replace("/checkout", "") }))
    expect(second).toContain("buyer0@")
    const [, newer = ""] = /href="([^"]+)" rel="prev"/.exec(second) ?? []
    expect(await text(marta.request({ path: newer.replace("/checkout", "") }))).toContain("buyer25@")
  })
})

describe("the page of a customer", () => {
  test("shows what they have and had, and is 404 for an unknown id", async () => {
    const shown = await text(marta.request({ path: page() }))
    const expected = [
      order.email,
      order.id,
      `/admin/services/${order.serviceId}`,
      "Offshore",
      "Receipt",
      "English",
    ]
    for (const it of expected) expect(shown).toContain(it)
    expect((await marta.request({ path: `${CUSTOMERS}/none` })).status).toBe(404)
    const form = { action: "grant-credit" }
    expect((await marta.request({ path: `${CUSTOMERS}/none`, form })).status).toBe(404)
  })

  test("masks e-mails for a viewer, and offers them nothing", async () => {
    const viewer = await enrolled(shop, "viewer")
    for (const path of [page(), CUSTOMERS]) {
      const shown = await text(viewer.request({ path }))
      expect(shown).not.toContain(order.email)
      expect(shown).not.toContain('name="action"')
    }
  })

  test("mails a sign-in link, and shows none", async () => {
    const done = await act(marta, { action: "mail-sign-in-link", reason: "lost the mail" })
    expect([done.status, done.headers.get("location")]).toEqual([
      303,
      `/checkout${page()}?done=mail-sign-in-link`,
    ])
    await runMailQueue(
      { ...shop.services, mailer },
      { queue: "sign-in-mail", signal: new AbortController().signal },
    )
    const mail = sent.find(({ text }) => text.includes("sign-in="))
    expect(mail?.to.address).toBe(order.email)
    expect(mail?.text).not.toMatch(/\b\d{3} ?\d{3}\b/)
    const link = /\?sign-in=[\w.-]+/.exec(mail?.text ?? "")?.[0] ?? "no link"
    expect(await text(marta.request({ path: page() }))).not.toContain(link)
    expect(JSON.stringify(await auditedOf(shop, "mail-sign-in-link"))).not.toContain(order.email)
  })

  test("gives account credit once, with reason and proof, and the customer can pay with it", async () => {
    const shown = await text(marta.request({ path: page() }))
    const form = {
      ...hiddenFieldsIn(shown, "grant-credit"),
      amount: "5.00",
      currency: "EUR",
      reason: "outage",
    }
    shop.wait(11 * MINUTE)
    expect((await refusalIn(marta.request({ path: page(), form })))[1]).toBe("Type your password and a code.")
    const proof = { password: OPERATOR_PASSWORD, code: marta.nextCode() }
    await marta.request({ path: page(), form: { ...form, ...proof } })
    await marta.request({ path: page(), form })
    expect((await customer()).credit).toEqual([{ minor: 500, currency: "EUR" }])
    expect(await text(marta.request({ path: page() }))).toContain("Granted by an operator")
    const usable = await shop.billing.payments.accountCredit(id, "EUR")
    expect(usable.minor).toBe(500)
    expect(await shop.billing.operator.findImbalances()).toEqual([])
  })

  test("an action says what it changes as it is now", async () => {
    const shown = await text(marta.request({ path: page() }))
    const now = (action: string) =>
      new RegExp(`value="${action}".*?<dt>Now</dt><dd>([^<]*)</dd>`, "s").exec(shown)?.[1]
    expect(now("grant-credit")).toBe("No account credit")
    expect(now("correct-email")).toContain(order.email)
    expect(now("block-customer")).toBe("Not blocked")
  })

  test.each(["5", "5.0", "5,00", "€5.00"])("gives account credit of 5.00 typed as %s", async (amount) => {
    await act(marta, { action: "grant-credit", amount, currency: "EUR", reason: "outage" })
    expect((await customer()).credit).toEqual([{ minor: 500, currency: "EUR" }])
  })

  test("a refused form has the focus on what is wrong with it, and a link to the form", async () => {
    const form = { action: "grant-credit", amount: "five", currency: "EUR", reason: "outage" } as const
    const refused = readHtml(await text(act(marta, form)))
    const [focused] = elements(refused, (it) => attribute(it, "autofocus") !== null)
    expect(focused && attribute(focused, "role")).toBe("alert")
    expect(elements(refused, (it) => attribute(it, "href") === "#open-form")).toHaveLength(1)
    const [opened] = elements(refused, (it) => attribute(it, "id") === "open-form")
    expect(opened && textOf(opened)).toContain("Grant account credit")
  })

  test.each(["1,000", "1.000", "$5.00", "0"])("asks again for an amount typed as %s", async (amount) => {
    const form = { action: "grant-credit", amount, currency: "EUR", reason: "outage" } as const
    expect((await refusalIn(act(marta, form)))[1]).toBe(
      "Type an amount such as 12.50, and thousands without a separator: 1000.",
    )
    expect((await customer()).credit).toEqual([])
  })

  test("credit that was granted pays an order, and comes back when the order is cancelled", async () => {
    const at = shop.services.now()
    const grant = { key: "grant", amount: { minor: 500, currency: "EUR" }, reason: "outage", at } as const
    expect(await shop.billing.operator.grantAccountCredit(id, grant)).toBe(true)
    expect(await shop.billing.operator.grantAccountCredit(id, grant)).toBe(false)
    const authenticated = { id, reach: "account" } as const
    const { order: next } = await buy(shop, { key: "draft-2", customer: authenticated })
    expect((await customer()).credit).toEqual([{ minor: 0, currency: "EUR" }])
    await shop.billing.billing.applyOrderEvent(next.id, "aborted", at)
    expect((await customer()).credit).toEqual([{ minor: 500, currency: "EUR" }])
    expect(await shop.billing.operator.findImbalances()).toEqual([])
  })

  test("blocks a customer or an address, which holds new orders, and removes the block", async () => {
    const buyAgain = async (key: string) => {
      const { order: again } = await buy(shop, { key })
      return (await shop.billing.billing.order(again.id))?.status
    }
    await act(marta, { action: "block-customer", target: "customer", reason: "chargebacks" })
    expect(await text(marta.request({ path: page() }))).toContain("chargebacks")
    expect(await buyAgain("draft-2")).toBe("fraud")
    await act(marta, { action: "unblock-customer", target: `customer ${id}`, reason: "paid" })
    expect(await buyAgain("draft-3")).not.toBe("fraud")
    await act(marta, { action: "block-customer", target: "192.0.2.7", reason: "chargebacks" })
    expect(await shop.billing.operator.blocks()).toMatchObject([{ kind: "address", value: "192.0.2.7" }])
    const foreign = { action: "block-customer", target: "203.0.113.9", reason: "x" }
    expect((await refusalIn(act(marta, foreign)))[0]).toBe(422)
  })

  test("names the addresses that the customer had before, in part for a viewer", async () => {
    expect(await text(marta.request({ path: page() }))).not.toContain("Addresses before")
    const proof = { password: OPERATOR_PASSWORD, code: marta.nextCode() }
    await act(marta, { action: "correct-email", email: "anna@example.test", reason: "typed wrong", ...proof })
    const shown = await text(marta.request({ path: page() }))
    expect(shown).toMatch(/Emails before<.*ana@example\.test, until /s)
    const jonas = await enrolled(shop, "viewer")
    const masked = await text(jonas.request({ path: page() }))
    expect(masked).toMatch(/Emails before<.*@example\.test, until /s)
    expect(masked).not.toContain("ana@example.test")
  })

  test("corrects an unproven address, and no proven one", async () => {
    const form = { action: "correct-email", email: "anna@example.test", reason: "typed wrong" }
    expect((await refusalIn(act(marta, { ...form, email: "anna" })))[1]).toBe("Type an email address.")
    const proof = { password: OPERATOR_PASSWORD, code: marta.nextCode() }
    await act(marta, { ...form, ...proof })
    expect((await customer()).email).toBe("anna@example.test")
    expect(JSON.stringify(await auditedOf(shop, "correct-email"))).not.toContain("@example.test")
    const shown = await text(marta.request({ path: page() }))
    const stale = { ...hiddenFieldsIn(shown, "correct-email"), email: "eve@example.test", reason: "x" }
    await shop.billing.signInRequests.create({
      id: "r1",
      email: "anna@example.test",
      locale: "en-en",
      sessionId: "s1",
      at: shop.services.now(),
    })
    await shop.billing.signInRequests.use("r1", { customerId: id, sessionId: "s1", at: shop.services.now() })
    expect((await refusalIn(marta.request({ path: page(), form: stale })))[1]).toMatch(/has changed since/)
    const fresh = { ...stale, ...hiddenFieldsIn(await text(marta.request({ path: page() })), "grant-credit") }
    const refused = await refusalIn(
      marta.request({ path: page(), form: { ...fresh, action: "correct-email" } }),
    )
    expect(refused[1]).toMatch(/does not allow this/)
  })

  test("is not corrected by the form of a page that is older than another correction", async () => {
    const old = hiddenFieldsIn(await text(marta.request({ path: page() })), "correct-email")
    const proof = { password: OPERATOR_PASSWORD, code: marta.nextCode() }
    await act(marta, { action: "correct-email", email: "anna@example.test", reason: "typed wrong", ...proof })
    const late = { ...old, email: "eve@example.test", reason: "typed wrong" }
    expect((await refusalIn(marta.request({ path: page(), form: late })))[1]).toMatch(/has changed since/)
    expect((await customer()).email).toBe("anna@example.test")
  })

  test("is corrected by one of two operators at the same moment, and the other learns of it", async () => {
    const other = await enrolled(shop, "owner", "jonas@shop.test")
    const correct = (who: ConsoleVisitor, email: string) => {
      const proof = { password: OPERATOR_PASSWORD, code: who.nextCode() }
      const form = { action: "correct-email", email, reason: "typed wrong", ...proof }
      return actOnPage(who, page(), { form })
    }
    afterCheckOf(shop, other, () => correct(marta, "anna@example.test"))
    expect(await refusalIn(correct(other, "eve@example.test"))).toEqual([
      422,
      expect.stringMatching(/has changed since/),
    ])
    expect((await customer()).email).toBe("anna@example.test")
  })

  describe("who has only ordered under an address that another customer has proven since", () => {
    const NEW = "new@example.test"
    let stray: string
    beforeEach(async () => {
      const visitor = { locale: "en-en", currency: "EUR", country: "MA", address: null } as const
      const at = shop.services.now()
      stray = (await shop.billing.billing.identify({ ...visitor, email: NEW, at })).customerId
      const change = { id: "e1", customerId: id, email: NEW, locale: "en-en", at } as const
      await shop.billing.emailChanges?.create(change)
      await shop.billing.emailChanges?.confirm("e1", { customerId: id, since: at - MINUTE, at: at + 1 })
    })
    const strayPage = () => `${CUSTOMERS}/${stray}`
    const actOnStray = (form: Record<string, string>, to?: string) => {
      const proof = { password: OPERATOR_PASSWORD, code: marta.nextCode() }
      const sent = { form: { reason: "asked by chat", ...proof, ...form }, ...(to && { to }) }
      return actOnPage(marta, strayPage(), sent)
    }

    test("is shown as without it, and is mailed no link to sign in", async () => {
      for (const path of [strayPage(), CUSTOMERS])
        expect(await text(marta.request({ path }))).toContain("Another customer&#x27;s now")
      expect(await text(marta.request({ path: page() }))).not.toContain("Another customer&#x27;s now")
      expect(await text(marta.request({ path: strayPage() }))).not.toContain('value="mail-sign-in-link"')
    })

    test("gets another address, and the one who has proven theirs keeps it and hears of nothing", async () => {
      await actOnStray({ action: "correct-email", email: "eve@example.test" })
      expect(await shop.billing.operator.customer(stray)).toMatchObject({
        email: "eve@example.test",
        hasEmail: true,
      })
      expect(await customer()).toMatchObject({ email: NEW, isProven: true, hasEmail: true })
      const mailed = await shop.billing.operator.mails({ customerId: stray, limit: 9 })
      expect(mailed).toMatchObject([{ name: "address-changed", email: "eve@example.test" }])
    })

    test("is exported and erased alone", async () => {
      const file = await actOnStray({ action: "export-customer" }, `${strayPage()}/export`)
      const exported = await file.json()
      expect(exported).toMatchObject({ orders: [] })
      expect(JSON.stringify(exported)).not.toContain(id)
      await actOnStray({ action: "erase-customer", force: "on" })
      expect(await text(marta.request({ path: strayPage() }))).toContain("Erased")
      expect(await customer()).toMatchObject({ email: NEW, isProven: true })
    })
  })

  test("exports all data as a file, and erases it, with proof", async () => {
    const proof = { password: OPERATOR_PASSWORD, code: marta.nextCode() }
    const file = await act(
      marta,
      { action: "export-customer", reason: "asked by letter", ...proof },
      `${page()}/export`,
    )
    expect(file.headers.get("content-disposition")).toBe('attachment; filename="customer.json"')
    expect(await file.json()).toMatchObject({ email: order.email, orders: [{ id: order.id }] })
    expect((await auditedOf(shop, "export-customer")).at(-1)).toMatchObject({
      outcome: "done",
      reason: "asked by letter",
    })
    const refused = await refusalIn(act(marta, { action: "erase-customer", reason: "asked by letter" }))
    expect(refused[1]).toMatch(/an active or suspended service/)
    await act(marta, { action: "erase-customer", reason: "asked by letter", force: "on" })
    const shown = await text(marta.request({ path: page() }))
    expect(shown).not.toContain(order.email)
    expect(shown).toContain("Erased")
    expect((await marta.request({ path: `${page()}/export` })).status).toBe(404)
  })

  test("shows as text what was typed by operators and buyers", async () => {
    const hostile = '"><img src=x onerror=alert(1)><script>alert(1)</script>'
    await act(marta, { action: "block-customer", target: "customer", reason: hostile })
    const shown = await text(marta.request({ path: page() }))
    expect(shown).not.toMatch(/<img|<script>/i)
    const listed = await text(marta.request({ path: `${CUSTOMERS}?q=${encodeURIComponent(hostile)}` }))
    expect(listed).not.toMatch(/<img|<script>/i)
  })
})

describe("viewing as the customer", () => {
  const start = (who: ConsoleVisitor, reason = "cannot find the playlist") =>
    act(who, { action: "view-as-customer", reason }, `${page()}/view`)
  const addressIn = (response: Response) => (response.headers.get("location") ?? "").replace("/checkout", "")

  test("shows the service page with a banner, read-only, and covers login details", async () => {
    const service = await shop.billing.billing.service(order.serviceId)
    const address = addressIn(await start(marta))
    const shown = await text(marta.request({ path: address }))
    expect(shown).toContain(`You see the shop as ${order.email} does`)
    expect(shown).toContain("Download playlist")
    for (const it of [service?.password ?? "", "m3u8?", "<script"]) expect(shown).not.toContain(it)
    expect(shown).toContain('<fieldset class="as-customer-page" disabled')
    const inside = shown.slice(shown.indexOf("<fieldset"))
    expect(inside).not.toMatch(/ (href|action|formaction)=/)
    expect((await auditedOf(shop, "view-as-customer")).at(-1)).toMatchObject({
      outcome: "done",
      reason: "cannot find the playlist",
    })
  })

  test("needs a reason, ends after 15 minutes, and is of one session and one customer", async () => {
    expect((await refusalIn(start(marta, " ")))[1]).toBe("Write down why.")
    const address = addressIn(await start(marta))
    const jonas = await enrolled(shop, "support")
    expect((await jonas.request({ path: address })).status).toBe(403)
    const query = address.slice(address.indexOf("?"))
    expect((await marta.request({ path: `${page()}/view` })).status).toBe(403)
    expect((await marta.request({ path: `${CUSTOMERS}/none/view${query}` })).status).toBe(404)
    shop.wait(14 * MINUTE)
    expect((await marta.request({ path: address })).status).toBe(200)
    shop.wait(2 * MINUTE)
    const over = await marta.request({ path: address })
    expect([over.status, await over.text()]).toEqual([403, expect.stringContaining("This view has ended")])
  })

  test("reads no cookie of the checkout, and sets none", async () => {
    const shown = await marta.request({ path: addressIn(await start(marta)) })
    expect(shown.headers.getSetCookie().filter((it) => it.startsWith("checkout="))).toEqual([])
  })
})

describe("each role and each action on a customer", () => {
  const helpers: readonly CustomerAction[] = [
    "mail-sign-in-link",
    "view-as-customer",
    "correct-email",
    "unblock-customer",
    "block-customer",
  ]
  const allowed: Record<OperatorRole, readonly CustomerAction[]> = {
    owner: customerActions,
    support: helpers,
    viewer: [],
  }
  const targets: Partial<Record<CustomerAction, string>> = {
    "export-customer": "/export",
    "view-as-customer": "/view",
  }
  const table = operatorRoles.flatMap((role) => customerActions.map((action) => [role, action] as const))

  test.each(table)("%s, %s", async (role, action) => {
    const at = shop.services.now()
    await shop.billing.operator.block({ kind: "customer", value: id, reason: null, at })
    const who = role === "owner" ? marta : await enrolled(shop, role)
    const may = allowed[role].includes(action)
    expect((await text(who.request({ path: page() }))).includes(`name="action" value="${action}"`)).toBe(may)
    // The form as an owner's page has it, with a key of this operator's session from another page.
    const { seen = "" } = hiddenFieldsIn(await text(marta.request({ path: page() })), action)
    const key = await keyOfOwnSession(who)
    const form = {
      action,
      key,
      seen,
      reason: "x",
      amount: "1.00",
      email: "anna@example.test",
      target: action === "unblock-customer" ? `customer ${id}` : "customer",
      force: "on",
    }
    const before = await customer()
    const { status } = await who.request({ path: `${page()}${targets[action] ?? ""}`, form })
    const outcomes = (await auditedOf(shop, action)).map(({ outcome }) => outcome)
    if (may) expect(outcomes).toEqual(["started", "done"])
    else {
      expect([status, outcomes]).toEqual([422, ["failed"]])
      expect(await customer()).toEqual(before)
    }
  })
})
