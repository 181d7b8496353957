import { RouterContextProvider } from "react-router"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { localeContext } from "~/context/locale.server"
import { selectedLinesContext } from "~/context/selected-lines.server"
import { servicesContext } from "~/context/services.server"
import { DAY, MINUTE } from "~/domain/calendar"
import { localeOfCode, locales, localPath } from "~/domain/locales"
import { money } from "~/domain/money/money"
import { emptyChoices } from "~/domain/orders/choices"
import type { Service } from "~/domain/services/service"
import { newLineExtension, newOrder } from "~/flows/checkout/new-order.server"
import { placeOrder } from "~/flows/checkout/place-order.server"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { showReseller } from "~/flows/resellers/show-reseller.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { enEn } from "~/i18n/screen-texts/en-en"
import { limits } from "~/security/rate-limits.server"
import { buyPlan, pay, request } from "../../../tests/fixtures/purchase"
import { openResellerAccount, orderResellerPlan } from "../../../tests/fixtures/reseller-account"
import { respond } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { lineMessageView } from "./line-message.server"
import { lineListView } from "./line-view.server"
import { shouldRevalidate } from "./reseller-success"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

function contextIn(code: string) {
  const locale = localeOfCode(code)
  if (!locale) throw new Error(`No locale ${code}`)
  const context = new RouterContextProvider()
  context.set(servicesContext, shop.services)
  context.set(localeContext, locale)
  return context
}

type Account = Awaited<ReturnType<typeof openResellerAccount>>

/** Extends lines by a credit each. */
function extend({ customer, service }: Account, lines: readonly Service[]) {
  const extension = newLineExtension(shop.services, {
    key: `extend ${lines.map(({ id }) => id)}`,
    customerId: customer.id,
    resellerServiceId: service.id,
    accessScope: { reach: "account" },
    resellerCreditScope: customer,
    lineIds: lines.map(({ id }) => id),
    gateway: "offshore",
    locale: "en-en",
    address: null,
  })
  return shop.services.billing.extendLines(extension)
}

const at = (query: string) => new URL(`https://shop.test/checkout/resellers/success${query}`)

describe("the statement of credits", () => {
  const statement = async (visit: Partial<Parameters<typeof respond>[1]>) =>
    respond(shop.services, { path: "/resellers/statement.csv", ...visit })

  test("has all entries with the customers' names, and no formula", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const line = await dora.line("=HYPERLINK(1)")
    const response = await statement({ session: dora.session })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="statement.csv"',
      "cache-control": expect.stringContaining("no-store"),
    })
    const rows = (await response.text()).split("\r\n")
    expect(rows).toEqual([
      "Date (UTC),Entry,Credits,Order,Customer,Username",
      `2026-11-20 12:00,Line created,-1,${line.orderId},'=HYPERLINK(1),${line.username}`,
      `2026-11-20 12:00,Plan purchased,25,${dora.service.orderId},,`,
      "",
    ])
  })

  test("says for each customer which line a credit extended", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const [leo, mia] = [await dora.line("Leo"), await dora.line("Mia")]
    const order = await extend(dora, [leo, mia])
    const rows = (await (await statement({ session: dora.session })).text()).split("\r\n")
    expect(rows.filter((row) => row.includes("Line extended"))).toEqual([
      `2026-11-20 12:00,Line extended,-1,${order.id},Leo,${leo.username}`,
      `2026-11-20 12:00,Line extended,-1,${order.id},Mia,${mia.username}`,
    ])
  })

  test("in German separates by semicolons", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const response = await statement({ path: "/de-de/resellers/statement.csv", session: dora.session })
    expect((await response.text()).split("\r\n", 1)).toEqual([
      "Datum (UTC);Vorgang;Credits;Bestellung;Kunde;Benutzername",
    ])
  })

  test("has the signed-in reseller's own entries only", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    await dora.line("Leo")
    const ben = await openResellerAccount(shop, "ben@example.test")
    await ben.line("Mia")
    const text = await (await statement({ session: ben.session })).text()
    expect(text).toContain("Mia")
    expect(text).not.toContain("Leo")
    expect(text).not.toContain(dora.service.orderId)
  })

  test("is not found for visitors who are not signed in", async () => {
    const { service } = await openResellerAccount(shop, "dora@example.test")
    const session = { serviceIds: [service.id], orderId: service.orderId }
    expect((await statement({})).status).toBe(404)
    expect((await statement({ session })).status).toBe(404)
  })
})

describe("the file of the lines", () => {
  const file = async (visit: Partial<Parameters<typeof respond>[1]>) =>
    respond(shop.services, { path: "/resellers/lines.csv", ...visit })

  test("has every line with its device, its state and its end, no formula and no password", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const [leo, zoe, mia] = [await dora.line("=1+1"), await dora.line("Zoë; bedroom"), await dora.line("")]
    const { billing, now } = shop.services
    await billing.setDeviceAddress(zoe.id, "00:1A:79:00:00:07")
    await billing.cancelLine({ lineId: mia.id, customerId: dora.customer.id, at: now() })
    const response = await file({ session: dora.session })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="lines.csv"',
      "cache-control": expect.stringContaining("no-store"),
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const [head, ...rows] = new TextDecoder().decode(bytes).split("\r\n")
    expect(head).toBe("Customer,Username,Device address (MAC),Status,Paid until (UTC)")
    expect(rows.toSorted()).toEqual(
      [
        `'=1+1,${leo.username},,active,2026-12-20 12:00`,
        `"Zoë; bedroom",${zoe.username},00:1A:79:00:00:07,active,2026-12-20 12:00`,
        `,${mia.username},,ended,`,
        "",
      ].toSorted(),
    )
    expect(rows.at(-2)).toContain("ended")
  })

  test("in German separates by semicolons", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const response = await file({ path: "/de-de/resellers/lines.csv", session: dora.session })
    expect((await response.text()).split("\r\n", 1)).toEqual([
      "Kunde;Benutzername;Geräteadresse (MAC);Status;Bezahlt bis (UTC)",
    ])
  })

  test("has neither plans of the reseller's own, nor lines of another reseller", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    await dora.line("Leo")
    const ben = await openResellerAccount(shop, "ben@example.test")
    const mia = await ben.line("Mia")
    await buyPlan(shop, { customer: ben.customer, choices: { ...choice, email: ben.customer.email } })
    const rows = (await (await file({ session: ben.session })).text()).split("\r\n")
    expect(rows.slice(1)).toEqual([expect.stringContaining(`Mia,${mia.username},`), ""])
  })

  test("is not found for visitors who are not signed in, and for customers who are no resellers", async () => {
    const { service } = await openResellerAccount(shop, "dora@example.test")
    expect((await file({})).status).toBe(404)
    expect((await file({ session: { serviceIds: [service.id], orderId: service.orderId } })).status).toBe(404)
    const { customerId: id } = await buyPlan(shop)
    const customer = { id, email: "ana@example.test", currency: "EUR" as const, reach: "account" as const }
    const proof = { how: "password" as const, at: shop.services.now() }
    const session = { customer, proof, sealedAt: shop.services.now() }
    expect((await file({ session })).status).toBe(404)
  })
})

test("the list finds a line by its device, shows it, and leads to the file of all lines", async () => {
  const dora = await openResellerAccount(shop, "dora@example.test")
  const [leo] = [await dora.line("Leo"), await dora.line("Mia")]
  await shop.services.billing.setDeviceAddress(leo.id, "00:1A:79:00:00:07")
  const access = await showReseller(shop.services, { ...dora.session, serviceId: null })
  if (!access) throw new Error("No reseller page")
  const view = await lineListView(contextIn("de-de"), at("?find=00-1a-79"), access)
  expect(view.rows.map(({ name, device }) => [name, device])).toEqual([["Leo", "00:1A:79:00:00:07"]])
  expect(view.file).toEqual({ text: "Alle Zugänge als CSV", href: "/checkout/de-de/resellers/lines.csv" })
})

test("the history of the credits names the customers, of many the first three", async () => {
  const dora = await openResellerAccount(shop, "dora@example.test")
  const lines = []
  for (const name of ["Leo", "Mia", "Zoe", "Ana"]) lines.push(await dora.line(name))
  shop.wait(DAY)
  await extend(dora, lines)
  const session = { ...dora.session, sealedAt: shop.services.now() }
  const access = await showReseller(shop.services, session)
  const named = access?.resellerCredits?.movements.map(({ cause, names }) => [cause, names])
  expect(named?.[0]).toEqual(["extension", "Leo, Mia, Zoe +1"])
  expect(named?.slice(1)).toContainEqual(["line", "Ana"])
  expect(named?.at(-1)).toEqual(["plan", null])
})

test("the page leads to the payments of the account, where receipts and invoices are", async () => {
  const { session } = await openResellerAccount(shop, "dora@example.test")
  const dataOf = async (path: string) => (await respond(shop.services, { path, session })).text()
  expect(await dataOf("/de-de/resellers/success.data")).toContain("/de-de/success?account#receipt")
  expect(await dataOf("/success.data?account")).toContain("Reseller 25")
})

test("the page says of the order that a session has paid that it was refunded, once all of it was", async () => {
  const dora = await openResellerAccount(shop, "dora@example.test")
  const { id, orderId } = dora.service
  const session = { ...dora.session, orderId, serviceId: id }
  const said = async () => {
    const page = await (await respond(shop.services, { path: "/resellers/success.data", session })).text()
    return [`"Paid €109.00, order ${orderId}"`, `"Refunded €109.00, order ${orderId}"`].map((text) =>
      page.includes(text),
    )
  }
  const refund = (minor: number) =>
    shop.billing.operator.recordRefund(orderId, {
      key: `refund ${minor}`,
      amount: money(minor, "EUR"),
      reason: "asked",
      at: shop.services.now(),
      toCredit: true,
    })
  expect(await said()).toEqual([true, false])
  await refund(108_00)
  expect(await said()).toEqual([true, false])
  await refund(1_00)
  expect(await said()).toEqual([false, true])
})

/** Another plan for a reseller, which opens an account of its own. */
async function orderByBillingApi({ customer, service }: Account) {
  const first = await shop.services.billing.order(service.orderId)
  if (!first) throw new Error("The order is missing")
  return shop.services.billing.placeOrder(
    newOrder(shop.services, {
      key: "second plan",
      kind: "reseller",
      customerId: customer.id,
      accessScope: { reach: "account" },
      accountCreditScope: "none",
      holdReason: null,
      plan: { cycle: "monthly", credits: 25 },
      quote: first,
      gateway: "offshore",
      locale: "en-en",
      address: null,
      browser: null,
      affiliateId: null,
    }),
  )
}

test("the page shows the account that works, not a newer one that was ended", async () => {
  const { services, billing } = shop
  const dora = await openResellerAccount(shop, "dora@example.test")
  shop.wait(MINUTE)
  const second = await orderByBillingApi(dora)
  await services.billing.applyOrderEvent(second.id, "paid", services.now())
  await runJobs(services)
  const shown = () => showReseller(services, { ...dora.session, serviceId: null })
  expect((await shown())?.service.id).toBe(second.serviceId)
  const end = { owner: "operator", reason: "refunded", at: services.now() } as const
  await billing.operator.terminateService(second.serviceId, end)
  expect(await shown()).toMatchObject({ service: { id: dora.service.id }, ready: true })
})

test("the page of a line is headed by its customer's name and leads back to the list of lines", async () => {
  const dora = await openResellerAccount(shop, "dora@example.test")
  const [leo] = [await dora.line("Leo"), await dora.line("Mia")]
  const own = await buyPlan(shop, {
    customer: dora.customer,
    key: "own plan",
    choices: { ...choice, email: dora.customer.email },
  })
  const pageOf = async (id: string) =>
    (
      await respond(shop.services, { path: "/success.data", session: { ...dora.session, serviceId: id } })
    ).text()
  const line = await pageOf(leo.id)
  expect(line).toContain("Line: Leo")
  expect(line).toContain("/resellers/success#line")
  expect(line).not.toContain("Mia")
  const plan = await pageOf(own.serviceId)
  expect(plan).toContain("Your access")
  expect(plan).not.toContain("Back to your lines")
})

test("the page of a first plan says that the account is ready until the first line is made", async () => {
  const dora = await openResellerAccount(shop, "dora@example.test")
  const session = { ...dora.session, orderId: dora.service.orderId }
  const opens = async () => {
    const response = await respond(shop.services, { path: "/resellers/success.data", session })
    // A list of values, and objects that name keys and values by their place in it.
    const values = JSON.parse((await response.text()).split("\n")[0] ?? "") as unknown[]
    const key = `_${values.indexOf("opensAccount")}`
    const order = values.find((it) => it !== null && typeof it === "object" && key in it)
    return values[(order as Record<string, number>)[key] ?? -1]
  }
  expect(await opens()).toBe(true)
  await dora.line("Leo")
  expect(await opens()).toBe(false)
})

describe("a plan that a reseller buys again", () => {
  /** Orders the plan of 25 credits for a reseller who has an account. */
  async function ordered(dora: Account) {
    const choices = { ...emptyChoices, kind: "reseller", plan: "12", gateway: "offshore" } as const
    const { email } = dora.session.customer
    const agreedTotal = (await shop.services.billing.order(dora.service.orderId))?.total.minor ?? 0
    const placement = await placeOrder(
      shop.services,
      request({ choices: { ...choices, email }, key: "second plan", customer: dora.customer, agreedTotal }),
    )
    if (placement.kind !== "placed") throw new Error("The order was not placed")
    await openPayment(shop.services, placement.order, { gateway: "offshore", coin: null })
    const session = { ...dora.session, orderId: placement.order.id, serviceId: null }
    return { order: placement.order, session }
  }

  test.each(locales)(
    "says in $name before it is ordered that it is for the account that the reseller has, or opens another one with external billing",
    async (locale) => {
      const dora = await openResellerAccount(shop, "dora@example.test")
      const t = screenTexts(locale.code)
      const said = async (path: string, session: Partial<Account["session"]> = {}) => {
        const page = await respond(shop.services, { path: localPath(locale, path), session })
        const text = await page.text()
        return (["lines.addsToAccount", "lines.opensAccount"] as const).filter((it) => text.includes(t(it)))
      }
      const choices = { ...emptyChoices, kind: "reseller", plan: "12", gateway: "offshore" } as const
      const draft = { key: "draft", total: 109_00, currency: "EUR", credits: 25 } as const
      const review = { ...dora.session, choices: { ...choices, email: dora.session.customer.email }, draft }
      const { sealedAt } = dora.session
      const stranger = { sealedAt, choices: { ...choices, email: "new@example.test" }, draft }
      const everywhere = async () => [
        await said("/resellers.data"),
        await said("/resellers.data", dora.session),
        await said("/creatingOrder.data", review),
        await said("/creatingOrder.data", stranger),
      ]
      expect(await everywhere()).toEqual([
        ["lines.addsToAccount"],
        ["lines.addsToAccount"],
        ["lines.addsToAccount"],
        [],
      ])
      Object.assign(shop.services.shop, { terms: null })
      expect(await everywhere()).toEqual([
        ["lines.opensAccount"],
        ["lines.opensAccount"],
        ["lines.opensAccount"],
        [],
      ])
    },
  )

  test("that opens another account says so on its waiting page", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const order = await orderByBillingApi(dora)
    await openPayment(shop.services, order, { gateway: "offshore", coin: null })
    const session = { ...dora.session, orderId: order.id }
    const page = await (await respond(shop.services, { path: "/resellers/waiting.data", session })).text()
    expect(page).toContain(enEn.lines.opensAccount)
  })

  test("is not paid yet, as the account's page and the waiting page say, with the account that it is for", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const { order, session } = await ordered(dora)
    const { id, total } = order
    const shown = await showReseller(shop.services, session)
    expect(shown).toMatchObject({ service: { id: dora.service.id }, order: null })
    expect(shown?.unpaid).toMatchObject({ id, kind: "reseller-credits", left: { minor: total.minor } })
    const waiting = async (visitor: Partial<Account["session"]>) =>
      (await respond(shop.services, { path: "/resellers/waiting.data", session: visitor })).text()
    const page = await waiting(session)
    expect(page).toContain("Includes 25 credits.")
    expect(page).toContain(`For your account ${dora.service.username}.`)
    expect(page).toContain(enEn.lines.creditsAdded)
    const another = await waiting({ orderId: id, sealedAt: shop.services.now() })
    expect(another).toContain("Includes 25 credits.")
    expect(another).not.toContain(dora.service.username)
  })

  test("before one of both is paid is for the account of the other, as its waiting page says from then on", async () => {
    const [first, second] = [
      await orderResellerPlan(shop, "dora@example.test"),
      await orderResellerPlan(shop, "dora@example.test", "another form"),
    ]
    const waiting = async () => {
      const { id, email, currency } = second.customer
      const session = {
        customer: { id, email, currency, reach: "account" as const },
        proof: { how: "password" as const, at: shop.services.now() },
        sealedAt: shop.services.now(),
        orderId: second.order.id,
      }
      return (await respond(shop.services, { path: "/resellers/waiting.data", session })).text()
    }
    expect(await waiting()).not.toContain(enEn.lines.creditsAdded)
    await pay(shop, first.order)
    const account = await shop.services.billing.service(first.order.serviceId)
    const page = await waiting()
    expect(page).toContain(enEn.lines.creditsAdded)
    expect(page).toContain(`For your account ${account?.username}.`)
  })

  test.each(["edit", "abort"])(
    "and is taken back by %s leads to the plans again, and the account stays",
    async (intent) => {
      const dora = await openResellerAccount(shop, "dora@example.test")
      const { session } = await ordered(dora)
      const response = await respond(shop.services, { path: "/resellers/waiting", session, form: { intent } })
      expect(response.headers.get("location")?.split("?")[0]).toBe("/checkout/resellers")
      expect(await shop.services.billing.service(dora.service.id)).toMatchObject({ status: "Active" })
    },
  )

  test("adds its credits to the account once it is paid, and tells the panel of all", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const { order, session } = await ordered(dora)
    await pay(shop, order)
    const told = shop.panel.received.slice(-1)
    expect(told).toMatchObject([{ what: "credits 50", line: { id: dora.service.id } }])
    const shown = await showReseller(shop.services, session)
    expect(shown).toMatchObject({
      order: { id: order.id, status: "active" },
      service: dora.service,
      services: [{ id: dora.service.id }],
      unsettled: false,
      resellerCredits: { balance: 50 },
    })
    const page = await (await respond(shop.services, { path: "/resellers/success.data", session })).text()
    expect(page).toContain(`Paid €109.00 for 25 credits, order ${order.id}`)
    expect(page).toContain(enEn.lines.creditsAdded)
  })

  test("is account credit, as the page says, if the account has ended before the payment", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const { order, session } = await ordered(dora)
    const end = { owner: "operator", reason: "asked", at: shop.services.now() } as const
    await shop.billing.operator.terminateService(dora.service.id, end)
    await pay(shop, order)
    const page = await (await respond(shop.services, { path: "/resellers/success.data", session })).text()
    expect(page).toContain(
      `€109.00 for order ${order.id} is account credit now, as the account had ended by then`,
    )
    expect(page).not.toContain("for 25 credits")
    expect(page).not.toContain(enEn.lines.creditsAdded)
  })

  test("is told to a panel that did not answer as soon as it does, and never twice with another number", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const { order } = await ordered(dora)
    shop.panel.broken = true
    await pay(shop, order)
    const account = { ...dora.customer, reach: "account" as const }
    expect((await shop.services.billing.resellerCredits(account, 0)).balance).toBe(50)
    shop.panel.broken = false
    shop.wait(MINUTE)
    await runJobs(shop.services)
    await runJobs(shop.services)
    expect(shop.panel.received.map(({ what }) => what).filter((what) => what.startsWith("credits"))).toEqual([
      "credits 50",
    ])
  })
})

describe("the message for a customer", () => {
  const messageFor = (line: Service, { code = "en-en", query = "" } = {}) =>
    lineMessageView(contextIn(code), at(`?message=${line.id}${query}`), [line])

  test("has the login details in the chosen language, with its card in the reader's", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const line = await dora.line("Leo")
    const view = messageFor(line, { code: "nl-nl", query: "&in=de-de" })
    expect(view).toMatchObject({ heading: "Bericht voor Leo", language: "de-DE" })
    expect(view?.text.split("\n")).toEqual([
      "Hallo Leo,",
      "hier sind die Zugangsdaten fürs Fernsehen:",
      "",
      `Benutzername: ${line.username}`,
      `Passwort: ${line.password}`,
      `Server: ${line.host}`,
      expect.stringMatching(/^Playlist: https:\/\/\S+$/),
      "",
      expect.stringMatching(/^Sie gelten bis 20\.\sDezember\s2026\.$/),
    ])
    expect(view?.languages.filter(({ isCurrent }) => isCurrent).map(({ text }) => text)).toEqual(["Deutsch"])
  })

  test.each(locales)("goes on after its greeting as a letter does in $name", async ({ code }) => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const line = await dora.line("Leo")
    const begins = ["login", "reminder"].map(
      (about) => messageFor(line, { query: `&about=${about}&in=${code}` })?.text.split("\n")[1]?.[0] ?? "",
    )
    const isCapital = begins.map((letter) => letter === letter.toUpperCase())
    expect(isCapital).toEqual(code === "de-de" ? [false, false] : [true, true])
  })

  test("is a reminder for a line that ends within a week, and after its end", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const line = await dora.line("")
    const current = () => messageFor(line)?.kinds.map(({ text, isCurrent }) => [text, isCurrent])
    expect(current()).toEqual([
      ["Login details", true],
      ["Reminder", false],
    ])
    shop.wait(25 * DAY)
    expect(current()).toEqual([
      ["Reminder", true],
      ["Login details", false],
    ])
    expect(messageFor(line)?.text).toMatch(/^Hi,\nYour TV access runs until 20.December/)
    shop.wait(10 * DAY)
    expect(messageFor(line)?.text).toMatch(/^Hi,\nYour TV access was paid until 20.December/)
  })

  test("needs a line of the reader that works", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const line = await dora.line("Leo")
    expect(lineMessageView(contextIn("en-en"), at(`?message=${line.id}`), [])).toBeNull()
    expect(messageFor({ ...line, status: "Terminated" })).toBeNull()
    expect(messageFor({ ...line, status: "Pending", host: null, paidUntil: null })).toBeNull()
  })
})

describe("the list of lines", () => {
  test("says that there is none yet, and of a search that none matches", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const emptyAt = async (lines: readonly Service[]) =>
      (await lineListView(contextIn("en-en"), at("?find=eva"), { ...dora, resellerCredits: null, lines }))
        .empty
    expect(await emptyAt([])).toBe("You haven’t made a line yet.")
    expect(await emptyAt([await dora.line("Leo")])).toBe("No lines match.")
  })

  test("says the username of a line beside its name, and once of a line without a name", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const [leo, unnamed] = [await dora.line("Leo"), await dora.line("")]
    const { rows } = await lineListView(contextIn("en-en"), at(""), {
      ...dora,
      resellerCredits: null,
      lines: [leo, unnamed],
    })
    expect(rows.map(({ name, username }) => [name, username])).toEqual([
      ["Leo", leo.username],
      [unnamed.username, null],
    ])
  })

  test("is searched by name, and its links keep the search", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const lines = [await dora.line("Leo"), await dora.line("Café Central")]
    const view = await lineListView(contextIn("en-en"), at("?find=cafe&show=all"), {
      ...dora,
      resellerCredits: null,
      lines,
    })
    expect(view.rows.map(({ name, extend }) => [name, extend])).toEqual([
      ["Café Central", "Extend to 20\u00a0Jan"],
    ])
    expect(view.filters.map(({ text, count }) => [text, count])).toEqual([
      ["All", 1],
      ["Ending within 7 days", 0],
      ["Ended", 0],
    ])
    for (const { href } of view.filters) expect(new URLSearchParams(href).get("find")).toBe("cafe")
    const [row] = view.rows
    expect(row?.message?.href).toBe(`?show=all&page=1&find=cafe&message=${lines[1]?.id}&about=login#message`)
  })

  test("offers credits for what they extend: neither a cancelled line nor the reseller's own plan", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const [leo, mia] = [await dora.line("Leo"), await dora.line("Mia")]
    const own = await buyPlan(shop, {
      customer: dora.customer,
      choices: { ...choice, email: dora.customer.email },
    })
    await shop.services.billing.cancelLine({
      lineId: mia.id,
      customerId: dora.customer.id,
      at: shop.services.now(),
    })
    const lines = (await shop.services.billing.servicesOf(dora.customer)).filter(
      ({ kind }) => kind === "plan",
    )
    const { rows } = await lineListView(contextIn("en-en"), at(""), { ...dora, resellerCredits: null, lines })
    const offered = new Map(
      rows.map(({ id, select, extend, cancel }) => [id, [select, extend, cancel?.confirm]]),
    )
    expect(offered.get(leo.id)).toEqual(["Select Leo", "Extend to 20\u00a0Jan", "Cancel this line"])
    expect(offered.get(mia.id)).toEqual([null, null, undefined])
    expect(offered.get(own.serviceId)).toEqual([null, null, undefined])
  })

  test("of an account that was suspended says whom to ask, in a shop that can be asked", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const visit = { path: "/de-de/resellers/success.data", session: dora.session }
    const says = async () => (await (await respond(shop.services, visit)).text()).includes("damit Ihr Konto")
    await shop.billing.operator.suspendService(dora.service.id, { owner: "operator", reason: "abuse", at: 0 })
    expect(await says()).toBe(false)
    const { links } = shop.services.shop
    Object.assign(links, { support: "mailto:help@tv.example" })
    expect(await says()).toBe(true)
    await shop.billing.operator.resumeService(dora.service.id, {
      owners: ["operator"],
      reason: "paid",
      at: 0,
    })
    expect(await says()).toBe(false)
  })

  test("says of a line that was cancelled that it has ended, and never until when it would have been paid", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const leo = await dora.line("Leo")
    await shop.services.billing.cancelLine({
      lineId: leo.id,
      customerId: dora.customer.id,
      at: shop.services.now(),
    })
    const ends = async () => {
      const session = { ...dora.session, sealedAt: shop.services.now() }
      const access = await showReseller(shop.services, session)
      if (!access) throw new Error("no account")
      const { rows } = await lineListView(contextIn("en-en"), at(""), access)
      return rows.map(({ status, end }) => [status, end])
    }
    expect(await ends()).toEqual([["Terminated", null]])
    shop.wait(60 * DAY)
    expect(await ends()).toEqual([["Terminated", null]])
  })

  test("says until when a line was paid that has ended after its paid time", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const leo = await dora.line("Leo")
    shop.wait(60 * DAY)
    const end = { owner: "operator", reason: "unpaid", at: shop.services.now() } as const
    await shop.billing.operator.terminateService(leo.id, end)
    const line = await shop.services.billing.service(leo.id)
    const lines = line ? [line] : []
    const { rows } = await lineListView(contextIn("en-en"), at(""), { ...dora, resellerCredits: null, lines })
    expect(rows.map(({ status, end: until }) => [status, until])).toEqual([
      ["Terminated", expect.stringMatching(/^paid until 20.December/)],
    ])
  })

  test("has no plan that the reseller has bought for themselves", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    await dora.line("Leo")
    await buyPlan(shop, {
      customer: dora.customer,
      key: "own plan",
      choices: { ...choice, email: dora.session.customer.email },
    })
    const lines = (await showReseller(shop.services, dora.session))?.lines ?? []
    expect(lines.map(({ notes }) => notes)).toEqual(["Leo"])
  })

  test("says before a credit is used or bought how long a line of it runs", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const leads = async (services = shop.services) => {
      const context = contextIn("en-en")
      context.set(servicesContext, services)
      const { lead } = await lineListView(context, at(""), { ...dora, resellerCredits: null, lines: [] })
      const page = await (await respond(services, { path: "/resellers.data" })).text()
      const offered = /one credit makes one line[^"]*/.exec(page)?.[0]
      return [lead, offered].map((text) => text?.replaceAll("\u00a0", " "))
    }
    expect(await leads()).toEqual([
      "One credit makes one line for 1 month, or extends one by as long again.",
      "one credit makes one line for 1 month.",
    ])
    const catalogue = { ...shop.services.catalogue, plans: async () => [] }
    expect(await leads({ ...shop.services, catalogue })).toEqual([
      "One credit makes one line.",
      "one credit makes one line.",
    ])
  })

  test("has neither search nor filters before the first line", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const view = (lines: readonly Service[]) =>
      lineListView(contextIn("en-en"), at("?find=Mia"), { ...dora, resellerCredits: null, lines })
    expect(await view([])).toMatchObject({ hasLines: false, empty: "You haven’t made a line yet." })
    expect(await view([await dora.line("Leo")])).toMatchObject({ hasLines: true, empty: "No lines match." })
  })

  test("says of a line that is not created whether credits or lines are missing", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    for (let made = 0; made < 24; made++) await dora.line(`line ${made}`)
    const create = async (services = shop.services) => {
      const form = { serviceid: dora.service.id, key: "another-tab", notes: "Leo" }
      const answer = await respond(services, { path: "/resellers/success.data", session: dora.session, form })
      const text = await answer.text()
      return [
        answer.status,
        ["resellers.line.none", "resellers.line.refused"].filter((it) => text.includes(it)),
      ]
    }
    const billing = { ...shop.services.billing, plans: async () => [] }
    expect(await create({ ...shop.services, billing })).toEqual([422, ["resellers.line.refused"]])
    await dora.line("the last one")
    expect(await create()).toEqual([422, ["resellers.line.none"]])
  })

  test("says how many lines a credit each has extended, and which", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const lines = []
    for (const name of ["Leo", "Mia", "Zoe", "Ana"]) lines.push(await dora.line(name))
    const noticeAfter = async (key: string, extended: readonly Service[]) => {
      const form: [string, string][] = [
        ["serviceid", dora.service.id],
        ["key", key],
        ["intent", "extend-lines"],
        ...extended.map(({ id }): [string, string] => ["line", id]),
      ]
      const visit = { path: "/resellers/success?find=a", session: dora.session, form }
      const location = (await respond(shop.services, visit)).headers.get("location") ?? ""
      const access = await showReseller(shop.services, dora.session)
      if (!access) throw new Error("no account")
      return (await lineListView(contextIn("en-en"), new URL(location, "https://shop.test"), access)).notice
    }
    expect(await noticeAfter("one", lines.slice(0, 1))).toBe("Extended for one credit: Leo.")
    expect(await noticeAfter("all", lines)).toBe("4 lines extended, for one credit each: Leo, Mia, Zoe +1.")
  })

  test("is loaded again with the credits after every form that is refused, as another tab may have used them", () => {
    const loadsAfter = (actionResult: unknown) =>
      shouldRevalidate({ actionResult, defaultShouldRevalidate: false } as Parameters<
        typeof shouldRevalidate
      >[0])
    expect(loadsAfter({ lastResult: null, refusal: "Nothing has been extended." })).toBe(true)
    expect(loadsAfter({ lastResult: { status: "error" }, refusal: null })).toBe(true)
    expect(loadsAfter(undefined)).toBe(false)
  })

  test("extends no line of a blocked reseller, and says so", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const leo = await dora.line("Leo")
    const blocked = { kind: "customer", value: dora.customer.id } as const
    await shop.billing.operator.block({ ...blocked, reason: "chargebacks", at: 0 })
    const form = { serviceid: dora.service.id, key: "form-1-extend", extend: leo.id }
    const visit = { path: "/resellers/success.data", session: dora.session, form }
    const answer = await respond(shop.services, visit)
    expect([answer.status, await answer.text()]).toEqual([
      403,
      expect.stringContaining("needs a check first"),
    ])
    expect((await shop.services.billing.service(leo.id))?.paidUntil).toBe(leo.paidUntil)
  })

  test("lets lines be cancelled only so often: the panel is called for each that is made and cancelled", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const leo = await dora.line("Leo")
    for (let tries = 0; tries < limits.lineCancellationsOfReseller; tries++)
      await shop.services.rateLimits.lineCancellation(dora.customer.id)
    const visit = { path: "/resellers/success.data", session: dora.session, form: { cancel: leo.id } }
    const answer = await respond(shop.services, visit)
    expect([answer.status, answer.headers.get("retry-after"), await answer.text()]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
      expect.stringContaining("Too many attempts"),
    ])
    expect((await shop.services.billing.service(leo.id))?.status).toBe("Active")
  })

  test("keeps what was selected in a form that is refused", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const [leo, mia] = [await dora.line("Leo"), await dora.line("Mia")]
    const context = contextIn("en-en")
    context.set(selectedLinesContext, [leo.id])
    const { rows } = await lineListView(context, at(""), {
      ...dora,
      resellerCredits: null,
      lines: [leo, mia],
    })
    expect(rows.map(({ name, isSelected }) => [name, isSelected])).toEqual([
      ["Leo", true],
      ["Mia", false],
    ])
  })

  test("has a line that was just created on top, though others end sooner", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    await dora.line("Leo")
    shop.wait(DAY)
    const form = { serviceid: dora.service.id, key: "new-line", notes: "Mia" }
    const session = { ...dora.session, sealedAt: shop.services.now() }
    const posted = await respond(shop.services, { path: "/resellers/success", session, form })
    await runJobs(shop.services)
    expect(posted.status).toBe(303)
    const location = posted.headers.get("location") ?? ""
    const access = await showReseller(shop.services, session)
    if (!access) throw new Error("no account")
    const names = async (query: string) =>
      (await lineListView(contextIn("en-en"), at(query), access)).rows.map(({ name }) => name)
    expect(await names(new URL(location, "https://shop.test").search)).toEqual(["Mia", "Leo"])
    expect(await names("")).toEqual(["Leo", "Mia"])
  })

  test("extends one line by its button, and another one by the same form", async () => {
    const dora = await openResellerAccount(shop, "dora@example.test")
    const [leo, mia] = [await dora.line("Leo"), await dora.line("Mia")]
    const extend = async (form: Record<string, string>) => {
      const common = { serviceid: dora.service.id, key: "form-1-extend" }
      const { status } = await respond(shop.services, {
        path: "/resellers/success?find=a",
        session: dora.session,
        form: { ...common, ...form },
      })
      return status
    }
    const counts = async () =>
      Promise.all([leo, mia].map(async ({ id }) => (await shop.services.billing.service(id))?.term?.count))
    expect(await extend({ extend: leo.id, line: mia.id })).toBe(303)
    expect(await counts()).toEqual([2, 1])
    expect(await extend({ extend: leo.id })).toBe(303)
    expect(await counts()).toEqual([2, 1])
    expect(await extend({ extend: mia.id })).toBe(303)
    expect(await counts()).toEqual([2, 2])
  })
})

test("a reseller who cancels an order for the account reads so on its page, which the service page leads to", async () => {
  const { session } = await openResellerAccount(shop, "dora@example.test")
  const visit = (path: string) => respond(shop.services, { path, session })
  const led = await visit("/success?cancelled=unpaid")
  expect(led.headers.get("location")).toBe("/checkout/resellers/success?cancelled=unpaid")
  const page = await (await visit("/resellers/success.data?cancelled=unpaid")).text()
  expect(page).toContain(enEn.notice.cancelled.unpaid)
})
