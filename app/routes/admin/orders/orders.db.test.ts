import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, MINUTE } from "~/domain/calendar"
import { money, toDecimal } from "~/domain/money/money"
import { runMailQueue } from "~/flows/mail/run-mail-queue.server"
import type { Mailer } from "~/mail/mailer"
import { amountText } from "~/ui/admin/amount-text.server"
import { placed } from "../../../../tests/contracts/billing/billing-fixtures"
import {
  actOnPage,
  auditedOf,
  type ConsoleVisitor,
  enrolled,
  formSent,
  hiddenFieldsIn,
  keyOfOwnSession,
  OPERATOR_PASSWORD,
} from "../../../../tests/fixtures/console"
import { buyerIn } from "../../../../tests/fixtures/kinds-of-sale"
import { buy, buyPlan, pay } from "../../../../tests/fixtures/purchase"
import { openTestShop, type TestShop, TOTAL } from "../../../../tests/fixtures/test-shop"

let shop: TestShop
let marta: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  marta = await enrolled(shop, "owner")
})
afterEach(() => shop.billing.close())

const ORDERS = "/admin/orders"
const pageOf = (id: string) => `${ORDERS}/${id}`
const text = async (response: Promise<Response>) => (await response).text()

const act = (who: ConsoleVisitor, id: string, form: Record<string, string>) =>
  actOnPage(who, pageOf(id), { form })

describe("the list of orders", () => {
  test("finds an order by number and leads to it, and by filter", async () => {
    const { order } = await buy(shop)
    const found = await marta.request({ path: `${ORDERS}?q=${order.id.toLowerCase()}` })
    expect([found.status, found.headers.get("location")]).toEqual([303, `/checkout${pageOf(order.id)}`])
    expect(await text(marta.request({ path: `${ORDERS}?status=awaiting-payment` }))).toContain(
      `>${order.id}<`,
    )
    expect(await text(marta.request({ path: `${ORDERS}?status=expired` }))).toContain("No orders match.")
    const invalid = await text(marta.request({ path: `${ORDERS}?country=Germany&from=yesterday` }))
    expect(invalid).toContain("left out: Country, Placed from.")
    expect(invalid).toContain(`>${order.id}<`)
  })

  test("is filtered by tag, kind, currency and the days on which orders were paid", async () => {
    const paid = await buyPlan(shop)
    const { order: open } = await buy(shop, { key: "draft-2" })
    await act(marta, paid.id, { action: "add-tag", text: "VIP" })
    const today = new Date(shop.services.now()).toISOString().slice(0, 10)
    const isListed = async (query: string) => {
      const page = await text(marta.request({ path: `${ORDERS}?${query}` }))
      return [paid, open].map(({ id }) => page.includes(`>${id}<`))
    }
    expect(await isListed("tag=vip")).toEqual([true, false])
    expect(await isListed("tag=other")).toEqual([false, false])
    expect(await isListed("kind=plan")).toEqual([true, true])
    expect(await isListed("kind=renewal")).toEqual([false, false])
    expect(await isListed("currency=EUR")).toEqual([true, true])
    expect(await isListed("currency=USD")).toEqual([false, false])
    expect(await isListed(`paidFrom=${today}&paidTo=${today}`)).toEqual([true, false])
    expect(await isListed("paidTo=2020-01-01")).toEqual([false, false])
  })

  test("has pages by key, with the filter in their addresses", async () => {
    for (let index = 0; index < 26; index++) {
      await buy(shop, { key: `draft-${index}` })
      shop.wait(MINUTE)
    }
    const first = await text(marta.request({ path: `${ORDERS}?gateway=offshore` }))
    expect(first.match(/<tr>/g)).toHaveLength(1 + 25)
    const [, older = ""] = /href="([^"]+)" rel="next"/.exec(first) ?? []
    expect(older).toMatch(/^\/checkout\/admin\/orders\?gateway=offshore&amp;older=\d+-\w+$/)
    const second = await text(marta.request({ path: older.replace("/checkout", "").replace("&amp;", "&") }))
    expect(second.match(/<tr>/g)).toHaveLength(1 + 1)
    expect(second).toContain('rel="prev"')
    expect(second).not.toContain('rel="next"')
  })

  test("masks e-mails for a viewer, on the list, the order and its file", async () => {
    const { order } = await buy(shop)
    const viewer = await enrolled(shop, "viewer")
    for (const path of [ORDERS, pageOf(order.id), `${pageOf(order.id)}/timeline.csv`]) {
      expect(await text(viewer.request({ path }))).not.toContain(order.email)
    }
    expect(await text(marta.request({ path: ORDERS }))).toContain(order.email)
    expect(await text(viewer.request({ path: ORDERS }))).not.toContain("Download as CSV")
  })

  test("is not exported without a reason", async () => {
    const key = /name="key" value="([^"]+)"/.exec(await text(marta.request({ path: ORDERS })))?.[1] ?? ""
    const form = { key, reason: " ", gateway: "offshore" }
    const refused = await marta.request({ path: `${ORDERS}/export`, form })
    const page = await refused.text()
    expect([refused.status, page]).toEqual([422, expect.stringContaining("Write down why.")])
    expect(page).toContain('name="gateway" value="offshore"')
    expect(await auditedOf(shop, "export-orders")).toEqual([])
  })

  test("is exported by an owner with a reason and a fresh proof, and audited", async () => {
    const { order } = await buy(shop)
    const key = /name="key" value="([^"]+)"/.exec(await text(marta.request({ path: ORDERS })))?.[1] ?? ""
    const form = { key, reason: "tax office", status: "", gateway: "offshore" }
    shop.wait(11 * MINUTE)
    const asked = await marta.request({ path: `${ORDERS}/export`, form })
    expect([asked.status, await asked.text()]).toEqual([
      422,
      expect.stringContaining("Type your password and a code."),
    ])
    const proof = { password: OPERATOR_PASSWORD, code: marta.nextCode() }
    const file = await marta.request({ path: `${ORDERS}/export`, form: { ...form, ...proof } })
    expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    expect(await file.text()).toContain(`\r\n${order.id},`)
    expect((await auditedOf(shop, "export-orders")).at(-1)).toMatchObject({
      outcome: "done",
      reason: "tax office",
    })
    const jonas = await enrolled(shop, "support")
    const page = await text(jonas.request({ path: pageOf(order.id) }))
    const refused = await jonas.request({
      path: `${ORDERS}/export`,
      form: { key: hiddenFieldsIn(page, "add-note").key ?? "" },
    })
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining("Your role may not do this."),
    ])
  })
})

describe("the page of an order", () => {
  test("names the time until which it is to be paid while it is not", async () => {
    const { order } = await buy(shop)
    const shown = () => text(marta.request({ path: pageOf(order.id) }))
    expect(await shown()).toContain("To be paid until")
    await pay(shop, order)
    expect(await shown()).not.toContain("To be paid until")
  })

  test("is a 404 of the console for a number that no order has, and not of the checkout", async () => {
    const response = await marta.request({ path: pageOf("ABCDEFGHJK") })
    const page = await response.text()
    expect([response.status, page]).toEqual([404, expect.stringContaining("Nothing is here")])
    expect(page).toContain('href="/checkout/admin/orders"')
    expect(page).toMatch(/href="\/checkout\/admin"[^>]*>Go to the overview</)
  })

  test("leads to its customer and its service, whose status has the words of the service's page", async () => {
    const { order } = await buy(shop)
    const page = await text(marta.request({ path: pageOf(order.id) }))
    for (const path of [`/admin/customers/${order.customerId}`, `/admin/services/${order.serviceId}`]) {
      expect(page).toContain(`href="/checkout${path}"`)
      expect((await marta.request({ path })).status).toBe(200)
    }
    const service = await text(marta.request({ path: `/admin/services/${order.serviceId}` }))
    for (const shown of [page, service]) expect(shown).toContain(">Not active yet<")
  })

  test("names what was bought with its amounts, and the unused time of a former plan as such", async () => {
    const buyer = buyerIn(shop, {
      email: "ana@example.test",
      buyer: { named: null, located: "MA" },
    })
    const service = await buyer.service()
    shop.wait(10 * DAY)
    const change = await buyer.planOf(service, "3")
    const jonas = await enrolled(shop, "viewer")
    const page = await text(jonas.request({ path: pageOf(change.id) }))
    const [, lines = ""] = /What was bought<\/dt><dd[^>]*>([^<]*)</.exec(page) ?? []
    const [plan, unused] = change.lines.map(({ amount }) => amountText(amount))
    expect(lines).toBe(`12 months ${plan}, Unused time of ${service.name} ${unused}`)
    expect(unused).toMatch(/^-€/)
  })

  test("has a ledger whose balance ends at zero once all is paid, also with account credit or elsewhere", async () => {
    const openOf = async (id: string) => {
      const page = await text(marta.request({ path: pageOf(id) }))
      const [, ledger = ""] = page.split('aria-label="Ledger"')
      const table = ledger.split("</table>", 1)[0] ?? ""
      const amounts = [...table.matchAll(/data-label="Balance">([^<]+)</g)].map(([, amount]) => amount)
      return { page, last: amounts.at(-1) }
    }
    const { order } = await buy(shop)
    await pay(shop, order, order.total.minor + 500)
    const overpaid = await openOf(order.id)
    expect(overpaid.page).toContain("Account credit, paid too much")
    expect(overpaid.last).toBe("€0.00")

    const { customerId: id, total } = order
    const grant = { key: "g1", amount: total, reason: "sorry", at: shop.services.now() }
    await shop.billing.operator.grantAccountCredit(id, grant)
    const covered = await buy(shop, { key: "draft-3", customer: { id, reach: "account" } })
    const used = await openOf(covered.order.id)
    expect(used.page).toContain("Account credit, used")
    expect(used.last).toBe("€0.00")

    const marked = await buy(shop, { key: "draft-2" })
    expect((await openOf(marked.order.id)).page).toContain("No money has moved.")
    await shop.billing.billing.applyOrderEvent(
      marked.order.id,
      "paid",
      shop.services.now(),
      "operator: by bank",
    )
    const elsewhere = await openOf(marked.order.id)
    expect(elsewhere.page).toContain("Received outside the gateways")
    const { total: due } = marked.order
    expect(elsewhere.page).toMatch(new RegExp(`Received</dt><dd[^>]*>${amountText(due)}<`))
    expect(elsewhere.page).not.toContain("earlier version")
    expect(elsewhere.last).toBe("€0.00")
  })

  test("has each movement of account credit in its ledger, also what a refund has given back", async () => {
    const { customerId, id } = await buyPlan(shop, {}, TOTAL + 500)
    const { order } = await buy(shop, { key: "draft-2", orderId: id })
    await pay(shop, order, TOTAL - 500)
    const refund = async (minor: number, toCredit: boolean) => {
      shop.wait(MINUTE)
      const at = shop.services.now()
      const amount = money(minor, "EUR")
      await shop.billing.operator.recordRefund(order.id, {
        key: `r${at}`,
        amount,
        toCredit,
        reason: "asked",
        at,
      })
    }
    await refund(800, true)
    await refund(1_000, false)
    const page = await text(marta.request({ path: pageOf(order.id) }))
    // 93.90 less the 10.00 that were paid back, and less the 3.00 of it that were given as account credit.
    expect(page).toContain("only record it. €80.90 at most at once")
    const [, ledger = ""] = page.split('aria-label="Ledger"')
    const rows = [...(ledger.split("</table>", 1)[0] ?? "").matchAll(/<tr>(.*?)<\/tr>/gs)].slice(1)
    const cells = rows.map(([, row = ""]) => [...row.matchAll(/<td[^>]*>([^<]*)</g)].map(([, cell]) => cell))
    expect(cells.map(([, ...it]) => it)).toEqual([
      ["Invoice", "-€98.90", "-€98.90"],
      ["Account credit, used", "€5.00", "-€93.90"],
      [expect.stringContaining("Offshore"), "€93.90", "€0.00"],
      ["Account credit, returned", "-€5.00", "-€5.00"],
      ["Account credit, refund of an order", "-€3.00", "-€8.00"],
      [expect.stringContaining("Offshore"), "-€10.00", "-€18.00"],
    ])
    expect(page).toMatch(/Became account credit<\/dt><dd[^>]*>€3\.00</)
    expect(page).not.toContain("Account credit used</dt>")
    expect(customerId).toBe(order.customerId)
  })

  test("calls gateways by their names, on the list, the order and the overview; files keep the names of settings", async () => {
    const order = await buyPlan(shop)
    const list = await text(marta.request({ path: ORDERS }))
    expect(list).toContain("<td>Offshore</td>")
    expect(list).toContain('<option value="cryptomusgateway">Cryptomus</option>')
    const page = await text(marta.request({ path: pageOf(order.id) }))
    expect(page).toMatch(/Gateway<\/dt><dd[^>]*>Offshore</)
    expect(page).toContain("<strong>Offshore</strong> <small>Payment opened</small>")
    expect(page.replace(/<(a|form|input|option|button)[^>]*>/g, "")).not.toContain("offshore")
    const file = await text(marta.request({ path: `${pageOf(order.id)}/timeline.csv` }))
    expect(file).toContain("attempt,offshore")
  })

  test("has the amount of a refund filled in with what can be refunded, and keeps another that was typed", async () => {
    const order = await buyPlan(shop)
    const amountIn = (page: string) => /<input id="amount"[^>]* value="([^"]*)"/.exec(page)?.[1]
    expect(amountIn(await text(marta.request({ path: pageOf(order.id) })))).toBe("98.90")
    const refund = { action: "refund-order", reason: "asked", way: "hand", amount: "10" }
    expect(amountIn(await text(act(marta, order.id, { ...refund, reason: "" })))).toBe("10")
    await act(marta, order.id, refund)
    expect(amountIn(await text(marta.request({ path: pageOf(order.id) })))).toBe("88.90")
  })

  test("shows its timeline, ledger and customer, and offers its timeline as a file", async () => {
    const order = await buyPlan(shop)
    const page = await text(marta.request({ path: pageOf(order.id) }))
    for (const it of [order.email, "Ready to watch", "Payment started", "Invoice", "only record it"])
      expect(page).toContain(it)
    const file = await text(marta.request({ path: `${pageOf(order.id)}/timeline.csv` }))
    expect(file.split("\r\n")[0]).toBe("time,source,what,detail")
    for (const it of ["event,placed", "attempt,offshore", "callback,paid", "ledger,"])
      expect(file).toContain(it)
    expect((await marta.request({ path: pageOf("NONE") })).status).toBe(404)
    expect((await marta.request({ path: `${pageOf("NONE")}/timeline.csv` })).status).toBe(404)
  })

  test("says in its timeline what has happened in words, and in its file with the codes for programs", async () => {
    const { order } = await buy(shop)
    shop.gateway.reports("partially-paid", 100)
    await act(marta, order.id, { action: "poll-order" })
    const page = await text(marta.request({ path: pageOf(order.id) }))
    expect(page).toContain(">Partly paid</strong>")
    expect(page).toContain(", now partly paid, ")
    expect(page.indexOf(">Order placed<")).toBeLessThan(page.indexOf(">Payment opened<"))
    expect(await text(marta.request({ path: `${pageOf(order.id)}/timeline.csv` }))).toContain(
      "callback,partially-paid,",
    )
  })

  test("has what can be done right after the facts, for a phone, and what is long below it", async () => {
    const { id } = await buyPlan(shop)
    const page = await text(marta.request({ path: pageOf(id) }))
    const places = ["What was bought", "What you can do", ">Timeline<", ">Ledger<"].map((it) =>
      page.indexOf(it),
    )
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
  })

  test("cancels an order with a reason, which the timeline and the audit log keep", async () => {
    const { order } = await buy(shop)
    const unexplained = await act(marta, order.id, { action: "cancel-order", reason: " ", force: "on" })
    expect([unexplained.status, await unexplained.text()]).toEqual([
      422,
      expect.stringContaining("Write down why."),
    ])
    const done = await act(marta, order.id, { action: "cancel-order", reason: "duplicate", force: "on" })
    expect([done.status, done.headers.get("location")]).toEqual([
      303,
      `/checkout${pageOf(order.id)}?done=cancel-order`,
    ])
    expect(await text(marta.request({ path: `${pageOf(order.id)}?done=cancel-order` }))).toContain(
      `Order ${order.id} was cancelled.`,
    )
    expect((await shop.billing.billing.order(order.id))?.status).toBe("cancelled")
    const [started, finished] = await auditedOf(shop, "cancel-order")
    expect([started?.outcome, finished?.outcome]).toEqual(["started", "done"])
    expect(JSON.parse(finished?.after ?? "")).toMatchObject({ status: "cancelled", result: "done" })
    expect(await text(marta.request({ path: pageOf(order.id) }))).toContain("operator: duplicate")
  })

  test.each([
    ["hand", "Refund of €1.00 for order … recorded, which you have paid back yourself."],
    ["credit", "Refund of €1.00 for order …: the customer has it as account credit."],
  ])("says what was refunded and how: %s", async (way, said) => {
    const order = await buyPlan(shop)
    const form = { action: "refund-order", amount: "1,00", reason: "outage", way }
    const location = (await act(marta, order.id, form)).headers.get("location") ?? ""
    const page = await text(marta.request({ path: location.replace("/checkout", "") }))
    expect(page).toContain(said.replace("…", order.id))
  })

  test("says nothing that its address has made up", async () => {
    const { id } = await buyPlan(shop)
    const pageAt = (query: string) => text(marta.request({ path: `${pageOf(id)}?${query}` }))
    expect(await pageAt("done=sold-the-shop")).not.toContain("notice good")
    expect(await pageAt("done=refund-order&amount=everything")).not.toContain("everything")
  })

  test("a form acts once, and not on an order that has changed since its page was opened", async () => {
    const order = await buyPlan(shop)
    const page = await text(marta.request({ path: pageOf(order.id) }))
    const form = { ...hiddenFieldsIn(page, "refund-order"), reason: "asked", amount: "5.00" }
    const statuses = await Promise.all(
      [1, 2].map(async () => (await marta.request({ path: pageOf(order.id), form })).status),
    )
    expect(statuses.filter((it) => it === 303).length).toBeGreaterThan(0)
    const received = async () => (await shop.billing.billing.order(order.id))?.received.minor ?? 0
    expect(await received()).toBe(order.total.minor - 500)
    const again = await marta.request({ path: pageOf(order.id), form })
    expect(again.headers.get("location")).toBe(`/checkout${pageOf(order.id)}?sent-before`)
    const other = { ...hiddenFieldsIn(page, "resend-mail"), ...hiddenFieldsIn(page, "refund-order"), key: "" }
    const late = {
      ...other,
      key: hiddenFieldsIn(page, "add-note").key ?? "",
      reason: "asked",
      amount: "5.00",
    }
    const refused = await marta.request({ path: pageOf(order.id), form: late })
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining("This order has changed since"),
    ])
    expect(await received()).toBe(order.total.minor - 500)
  })

  test("a message that has gone out meanwhile refuses no form but the one that sends it again", async () => {
    const mailer: Mailer = { send: async () => ({ kind: "sent", response: "250 OK" }) }
    const mailing = await openTestShop({ mailer })
    const owner = await enrolled(mailing, "owner")
    const order = await buyPlan(mailing)
    const send = () =>
      runMailQueue({ ...mailing.services, mailer }, { queue: "mail", signal: new AbortController().signal })
    const resend = async (page: string) => {
      const [mail] = await mailing.billing.operator.mails({ orderId: order.id, limit: 9 })
      const form = { ...hiddenFieldsIn(page, "resend-mail"), reason: "asked", target: mail?.id ?? "" }
      return owner.request({ path: pageOf(order.id), form })
    }
    const open = () => text(owner.request({ path: pageOf(order.id) }))
    const page = await open()
    expect(page).toMatch(/<strong>Receipt<\/strong> <small>Message/)
    await send()
    const refund = { ...hiddenFieldsIn(page, "refund-order"), reason: "asked", amount: "5.00" }
    const refused = await resend(page)
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining("This order has changed since"),
    ])
    expect((await owner.request({ path: pageOf(order.id), form: refund })).status).toBe(303)
    expect((await resend(await open())).status).toBe(303)
    await mailing.billing.close()
  })

  test("refuses a refund of more than was received, and without a fresh proof, and keeps what was typed", async () => {
    const order = await buyPlan(shop)
    const refused = await act(marta, order.id, { action: "refund-order", reason: "asked", amount: "999.00" })
    const page = await refused.text()
    expect([refused.status, page]).toEqual([
      422,
      expect.stringContaining("Not as much is left to refund in this way: type at most the amount"),
    ])
    expect(page).toContain('value="999.00"')
    shop.wait(11 * MINUTE)
    const unproven = await act(marta, order.id, { action: "refund-order", reason: "asked", amount: "1.00" })
    expect([unproven.status, await unproven.text()]).toEqual([
      422,
      expect.stringContaining("Type your password"),
    ])
    expect((await shop.billing.billing.order(order.id))?.received).toEqual(money(order.total.minor, "EUR"))
  })

  test("a refused form that is corrected by the way back and sent again does nothing, and is shown again as it was corrected", async () => {
    const order = await buyPlan(shop)
    const path = pageOf(order.id)
    const form = { ...hiddenFieldsIn(await text(marta.request({ path })), "refund-order"), reason: "asked" }
    const send = (amount: string) => marta.request({ path, form: { ...form, amount } })
    expect((await send("1.0.0")).status).toBe(422)
    const again = await send("1.00")
    const page = await again.text()
    expect([again.status, page]).toEqual([
      422,
      expect.stringContaining("This form was sent before, with other values"),
    ])
    const received = async () => (await shop.billing.billing.order(order.id))?.received.minor ?? 0
    expect(await received()).toBe(order.total.minor)
    // Sent twice as it was, it leads to a page that says so, whose forms act and say nothing about the former one.
    const shown = (await send("1.0.0")).headers.get("location")?.replace("/checkout", "") ?? ""
    const after = await text(marta.request({ path: shown }))
    expect(after).toContain("This form was sent before, and each acts only once")
    expect(after).not.toContain("€1.00 for order")
    const refused = { ...hiddenFieldsIn(after, "refund-order"), reason: "asked", amount: "none" }
    expect(await text(marta.request({ path: shown, form: refused }))).not.toContain("sent before")
    // The form of the answer acts as it was corrected.
    await marta.request({ path, form: formSent(page, "refund-order") })
    expect(await received()).toBe(order.total.minor - 100)
  })

  test("an order that lacks a little is paid by waiving the rest, which the page says before and after", async () => {
    const { order } = await buy(shop)
    await pay(shop, order, order.total.minor - 40)
    const page = await text(marta.request({ path: pageOf(order.id) }))
    expect(page).toContain("€0.40 is missing, and nobody pays it any more.")
    expect(page).toContain(
      "It books €0.40 as received outside the gateways: bank transfer, cash. If nobody has received it, waive the rest instead.",
    )
    const form = { action: "waive-rest", reason: "fee of the exchange", force: "on" }
    expect((await act(marta, order.id, { ...form, reason: "" })).status).toBe(422)
    const done = await act(marta, order.id, form)
    expect([done.status, done.headers.get("location")]).toEqual([
      303,
      `/checkout${pageOf(order.id)}?done=waive-rest&amount=40+EUR`,
    ])
    const after = await text(marta.request({ path: `${pageOf(order.id)}?done=waive-rest&amount=40+EUR` }))
    expect(after).toContain(`The rest of order ${order.id} was waived: €0.40. It is paid.`)
    expect(after).toContain("<strong>The rest was waived</strong>")
    expect(after).toMatch(/Received<\/dt><dd[^>]*>€98\.50</)
    const [, ledger = ""] = after.split('aria-label="Ledger"')
    const rows = ledger.split("</table>", 1)[0] ?? ""
    expect(rows).toMatch(/>Waived<\/td><td[^>]*>€0\.40<\/td><td[^>]*>€0\.00</)
    expect((await auditedOf(shop, "waive-rest")).at(-1)).toMatchObject({
      outcome: "done",
      reason: "fee of the exchange",
    })
  })

  test("the rest of an order of which more is missing is not waived", async () => {
    const { order } = await buy(shop)
    await pay(shop, order, 50_00)
    const page = await text(marta.request({ path: pageOf(order.id) }))
    expect(page).not.toContain('value="waive-rest"')
    expect(page).not.toContain("waive the rest instead")
    const form = { ...hiddenFieldsIn(page, "mark-order-paid"), action: "waive-rest", reason: "x" }
    expect((await marta.request({ path: pageOf(order.id), form })).status).toBe(422)
    expect((await shop.billing.billing.order(order.id))?.status).toBe("partially-paid")
  })

  test("an order that was marked as paid is refunded as account credit or as money from elsewhere, once, with its sums", async () => {
    const { order } = await buy(shop)
    await act(marta, order.id, { action: "mark-order-paid", reason: "cash", force: "on" })
    const price = order.total.minor
    const open = () => text(marta.request({ path: pageOf(order.id) }))
    const page = await open()
    const all = amountText(order.total)
    expect(page).toContain(`The customer gets it as account credit: ${all} at most`)
    expect(page).toContain(`only record it. Received elsewhere: ${all}`)
    const form = { ...hiddenFieldsIn(page, "refund-order"), reason: "asked", amount: "5.00", way: "credit" }
    const twice = await Promise.all([1, 2].map(() => marta.request({ path: pageOf(order.id), form })))
    expect(twice.map(({ status }) => status)).toContain(303)
    const credit = async () =>
      (await shop.billing.payments.accountCredit(order.customerId, order.total.currency)).minor
    expect(await credit()).toBe(500)
    const left = toDecimal(money(price - 499, order.total.currency))
    const refused = await act(marta, order.id, {
      action: "refund-order",
      reason: "asked",
      amount: left,
      way: "credit",
    })
    const again = await refused.text()
    expect(refused.status).toBe(422)
    expect(again).toContain("Not as much is left to refund in this way")
    expect(again).toContain(`value="${left}"`)
    expect(again).toMatch(/type="radio" name="way" checked="" value="credit"/)
    shop.wait(1)
    await act(marta, order.id, { action: "refund-order", reason: "asked", amount: "3.00", way: "hand" })
    expect((await shop.billing.operator.order(order.id))?.refunds).toMatchObject([
      { target: "credit", amount: { minor: 500 } },
      { target: "outside", amount: { minor: 300 } },
    ])
    expect(await credit()).toBe(500)
    const [entry] = (await auditedOf(shop, "refund-order")).filter(({ outcome }) => outcome === "done")
    expect(JSON.stringify(entry)).toContain("toCredit")
  })

  test("an order that a gateway has paid can be refunded as account credit, and its ledger says so", async () => {
    const order = await buyPlan(shop)
    const page = await text(marta.request({ path: pageOf(order.id) }))
    expect(page).toContain(`The customer gets it as account credit: ${amountText(order.total)} at most`)
    const form = { action: "refund-order", reason: "asked", amount: "5.00", way: "credit" }
    expect((await act(marta, order.id, form)).status).toBe(303)
    expect((await shop.billing.billing.order(order.id))?.credited.minor).toBe(500)
    expect(await text(marta.request({ path: pageOf(order.id) }))).toContain("Became account credit")
    const left = toDecimal(money(order.total.minor - 499, order.total.currency))
    for (const way of ["credit", "hand"])
      expect((await act(marta, order.id, { ...form, way, amount: left })).status).toBe(422)
  })

  test("an order that account credit has paid is refunded as account credit alone", async () => {
    const first = await buyPlan(shop)
    await shop.billing.operator.grantAccountCredit(first.customerId, {
      key: "grant",
      amount: first.total,
      reason: "sorry",
      at: shop.services.now(),
    })
    const order = await placed(shop.billing as never, {
      customerId: first.customerId,
      accountCreditScope: "account",
      quote: { lines: first.lines, total: first.total },
      at: shop.services.now(),
    })
    expect(order.status).toBe("paid")
    const page = await text(marta.request({ path: pageOf(order.id) }))
    expect(page).toContain('<input type="hidden" name="way" value="credit"/>')
    await act(marta, order.id, { action: "refund-order", reason: "asked", amount: "1.00", way: "credit" })
    expect((await shop.billing.billing.order(order.id))?.credited.minor).toBe(100 - first.total.minor)
  })

  test("a refund says that an external billing system does not learn of it, where there is one", async () => {
    const order = await buyPlan(shop)
    const hint = "The billing system does not learn of it"
    expect(await text(marta.request({ path: pageOf(order.id) }))).not.toContain(hint)
    const mirrored = { ...shop, services: { ...shop.services, hasExternalBilling: true } }
    const ines = await enrolled(mirrored, "owner", "ines@shop.test")
    expect(await text(ines.request({ path: pageOf(order.id) }))).toContain(hint)
  })

  test("a refund can end the service", async () => {
    const order = await buyPlan(shop)
    await act(marta, order.id, { action: "refund-order", reason: "asked", amount: "5.00", endsService: "on" })
    expect((await shop.billing.billing.service(order.serviceId))?.status).toBe("Active")
    await act(marta, order.id, { action: "refund-order", reason: "asked", amount: "5.00", endService: "on" })
    expect((await shop.billing.billing.service(order.serviceId))?.status).toBe("Terminated")
  })

  test("a held order is released, or refused, once", async () => {
    const { order } = await buy(shop)
    await shop.billing.billing.fraudOrder(order.id, "many orders", shop.services.now())
    expect(await text(marta.request({ path: pageOf(order.id) }))).toContain("Release from hold")
    await act(marta, order.id, { action: "release-order", reason: "known customer" })
    expect((await shop.billing.billing.order(order.id))?.status).toBe("placed")
    const again = await act(marta, order.id, { action: "release-order", reason: "known customer", seen: "x" })
    expect(again.status).toBe(422)
  })

  test("a parked job is retried, or discarded, and a job of another order is not", async () => {
    const order = await buyPlan(shop)
    const { order: other } = await buy(shop, { key: "draft-2" })
    await shop.billing.billing.applyOrderEvent(other.id, "paid", shop.services.now())
    const claimed = await shop.billing.outbox.claim(shop.services.now(), MINUTE, 9)
    for (const job of claimed)
      await shop.billing.outbox.reschedule(job, { at: shop.services.now(), due: null, reason: "no panel" })
    const [job] = await shop.billing.operator.jobs(other.id)
    const foreign = await act(marta, order.id, { action: "discard-job", reason: "x", target: job?.id ?? "" })
    expect(foreign.status).toBe(422)
    await act(marta, other.id, { action: "discard-job", reason: "done by hand", target: job?.id ?? "" })
    expect((await shop.billing.operator.jobs(other.id))[0]?.state).toBe("discarded")
    await act(marta, other.id, { action: "retry-job", reason: "panel is back" })
    expect((await shop.billing.operator.jobs(other.id))[0]?.state).toBe("waiting")
  })

  test("a refused refund is dismissed with a reason by an owner, and one of another order is not", async () => {
    const [order, other] = [await buyPlan(shop), await buyPlan(shop, { key: "draft-2" })]
    const { refunds } = shop.billing
    const gateways = [{ id: "offshore", isWholeOnly: false }] as const
    const asked = { amount: money(500, "EUR"), reason: "asked", at: shop.services.now(), gateways }
    await refunds.begin({ ...asked, id: "r1", orderId: order.id, address: null, endsService: false })
    await refunds.refused("r1", { detail: "no funds", at: shop.services.now() })
    const dismissal = { action: "dismiss-refund", target: "r1" }
    expect((await act(marta, other.id, { ...dismissal, reason: "x" })).status).toBe(422)
    expect((await act(marta, order.id, { ...dismissal, reason: "" })).status).toBe(422)
    expect((await refunds.find("r1"))?.state).toBe("refused")
    expect(await text(marta.request({ path: pageOf(order.id) }))).toContain("€5.00, Offshore, no funds")
    expect((await act(marta, order.id, { ...dismissal, reason: "paid in the shop" })).status).toBe(303)
    expect((await refunds.find("r1"))?.state).toBe("dismissed")
  })

  test("a payment that its gateway has taken back is said plainly, leads to the service, and is settled with a reason", async () => {
    const order = await buyPlan(shop)
    const [attempt] = (await shop.billing.operator.order(order.id))?.attempts ?? []
    const paid = { eventKey: "chargeback", attemptId: attempt?.id ?? "", received: order.total } as const
    const update = { ...paid, status: "refunded", refunded: order.total, transactionId: null } as const
    await shop.billing.payments.recordPaymentUpdate("offshore", update, shop.services.now())
    expect(await text(marta.request({ path: "/admin" }))).toContain(
      `Order ${order.id} · ${amountText(order.total)}. Offshore has taken it back, and the service goes on.`,
    )
    const page = await text(marta.request({ path: pageOf(order.id) }))
    expect(page).toContain(`Offshore has taken back ${amountText(order.total)} on 2026-11-20 12:00`)
    expect(page).toMatch(
      new RegExp(
        `Suspend or end the service on its page: <a href="/checkout/admin/services/${order.serviceId}"`,
      ),
    )
    const dismissal = { action: "dismiss-chargeback" }
    expect((await act(marta, order.id, { ...dismissal, reason: "" })).status).toBe(422)
    expect((await act(marta, order.id, { ...dismissal, reason: "paid in the shop" })).status).toBe(303)
    expect(await auditedOf(shop, "dismiss-chargeback")).toMatchObject([
      { outcome: "started", reason: "paid in the shop" },
      { outcome: "done", subject: `order ${order.id}` },
    ])
    expect(await text(marta.request({ path: pageOf(order.id) }))).toContain(
      "made at the gateway. An operator has recorded that this is settled.",
    )
    expect((await act(marta, order.id, { ...dismissal, reason: "again" })).status).toBe(422)
    await shop.billing.operator.suspendService(order.serviceId, {
      owner: "operator",
      reason: "unpaid",
      at: shop.services.now(),
    })
    expect(await text(marta.request({ path: pageOf(order.id) }))).toMatch(
      /The service does not go on: <a href="[^"]+">12 months<\/a> <span class="pill [a-z]+">Suspended</,
    )
    expect(await text(marta.request({ path: "/admin" }))).not.toContain("A payment was taken back")
  })

  test("what operators and buyers typed is text: no tag of it reaches the page as markup", async () => {
    const hostile = '"><img src=x onerror=alert(1)><script>alert(1)</script>'
    const { order } = await buy(shop, { locale: "en-en" })
    await act(marta, order.id, { action: "add-note", text: `note ${hostile}` })
    await act(marta, order.id, { action: "cancel-order", reason: `reason ${hostile}`, force: "on" })
    await act(marta, order.id, {
      action: "mark-order-paid",
      reason: `=cmd|' /C calc'!A0 ${hostile}`,
      seen: "old",
    })
    for (const path of [
      pageOf(order.id),
      `${ORDERS}?q=${encodeURIComponent(hostile)}&promotion=${encodeURIComponent(hostile)}`,
    ]) {
      const page = await text(marta.request({ path }))
      expect(page).not.toMatch(/<img|<script>/i)
    }
    expect(await text(marta.request({ path: pageOf(order.id) }))).toContain("note &quot;&gt;&lt;img")
  })

  test("formulas in a note are text in the file", async () => {
    const { order } = await buy(shop)
    await act(marta, order.id, { action: "add-note", text: '=HYPERLINK("https://evil.test")' })
    expect(await text(marta.request({ path: `${pageOf(order.id)}/timeline.csv` }))).toContain(
      `note,owner@shop.test,"'=HYPERLINK(""https://evil.test"")"`,
    )
  })

  test("tags are added in one spelling and removed", async () => {
    const { order } = await buy(shop)
    await act(marta, order.id, { action: "add-tag", text: "Charge Back" })
    expect((await shop.billing.operator.order(order.id))?.tags).toEqual(["charge-back"])
    expect((await act(marta, order.id, { action: "add-tag", text: "<b>" })).status).toBe(422)
    await act(marta, order.id, { action: "remove-tag", text: "charge-back" })
    expect((await shop.billing.operator.order(order.id))?.tags).toEqual([])
  })
})

describe.each(["support", "viewer"] as const)("an operator whose role is %s", (role) => {
  const actions = ["poll-order", "mark-order-paid", "cancel-order", "refund-order", "add-note", "add-tag"]
  const allowed: Record<typeof role, readonly string[]> = {
    support: ["poll-order", "cancel-order", "add-note", "add-tag"],
    viewer: [],
  }

  test.each(actions)("does %s on an order only as the role may do it", async (action) => {
    const { order } = await buy(shop)
    const who = await enrolled(shop, role)
    const page = await text(who.request({ path: pageOf(order.id) }))
    expect(page.includes(`name="action" value="${action}"`)).toBe(allowed[role].includes(action))
    // The form as an owner's page has it, with a key of this operator's session from another page.
    const owners = hiddenFieldsIn(await text(marta.request({ path: pageOf(order.id) })), action)
    const key = await keyOfOwnSession(who)
    const form = {
      action,
      key,
      seen: owners.seen ?? hiddenFieldsIn(page, "cancel-order").seen ?? "",
      reason: "x",
      amount: "1.00",
      text: "x",
    }
    const { status } = await who.request({ path: pageOf(order.id), form })
    const entries = (await auditedOf(shop, action === "add-tag" ? "change-tags" : action)).map(
      ({ outcome }) => outcome,
    )
    if (allowed[role].includes(action)) expect(entries[0]).toBe("started")
    else expect([status, entries.filter((it) => it !== "failed")]).toEqual([422, []])
  })
})

test("a form of another session, or without a key, does nothing", async () => {
  const { order } = await buy(shop)
  const jonas = await enrolled(shop, "support")
  const page = await text(marta.request({ path: pageOf(order.id) }))
  for (const key of [hiddenFieldsIn(page, "cancel-order").key ?? "", "", "a.b"]) {
    const form = { ...hiddenFieldsIn(page, "cancel-order"), key, reason: "x", force: "on" }
    const refused = await jonas.request({ path: pageOf(order.id), form })
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("another session")])
  }
  expect((await shop.billing.billing.order(order.id))?.status).not.toBe("cancelled")
})
