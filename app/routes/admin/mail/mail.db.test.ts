import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { SECOND } from "~/domain/calendar"
import { firstDay } from "~/flows/admin/shop/first-day.server"
import { runMailQueue } from "~/flows/mail/run-mail-queue.server"
import type { Mailer, MailOutcome, OutgoingMail } from "~/mail/mailer"
import {
  actOnPage,
  type ConsoleVisitor,
  consoleOf,
  enrolled,
  hiddenFieldsIn,
} from "../../../../tests/fixtures/console"
import { buyPlan } from "../../../../tests/fixtures/purchase"
import { openShopOn, type ShopOnEngine } from "../../../../tests/fixtures/shop-on-engine"
import { engines } from "../../../../tests/fixtures/temporary-database"
import type { TestShop } from "../../../../tests/fixtures/test-shop"

const PATH = "/admin/mail"
const ANA = "ana@example.test"
/** One message for each purchase. */
const mail = { orders: true, reminders: false, operator: false, creditsLow: 5 }
const never = new AbortController().signal

describe.each(engines)("mail in the console on %s", (engine) => {
  let opened: ShopOnEngine
  let shop: TestShop
  let support: ConsoleVisitor
  let answer: MailOutcome
  let sent: OutgoingMail[]
  const mailer: Mailer = {
    send: async (it) => {
      sent.push(it)
      return answer
    },
  }
  beforeEach(async () => {
    opened = await openShopOn(engine, { mailer, mail })
    shop = opened.shop
    support = await enrolled(shop, "support")
    answer = { kind: "sent", response: "250 OK" }
    sent = []
  })
  afterEach(() => opened.close())

  const page = async (query = "", who = support) => (await who.request({ path: `${PATH}${query}` })).text()
  const send = () => runMailQueue({ ...shop.services, mailer }, { queue: "mail", signal: never })
  async function isMailStepDone() {
    const { overview, auditLog, catalogue } = consoleOf(shop.services)
    const unset = { publicUrl: "", testMode: true, gateways: [], support: null, hasCatalogueFile: false }
    const settings = { ...unset, hasMail: true, hasAlerts: false }
    const { steps } = await firstDay({ overview, auditLog, catalogue }, settings, shop.services.now())
    return steps.find(({ step }) => step === "mail")?.done
  }
  const rows = (text: string) => (text.match(/<tr>/g)?.length ?? 1) - 1
  const messageOf = async (query: string) => /\/admin\/mail\/([\w-]+)"/.exec(await page(query))?.[1] ?? ""

  test("a message that the mail server has not taken waits with its answer, and is found by state and address", async () => {
    answer = { kind: "try-later", cause: "server", reason: "connect ECONNREFUSED 127.0.0.1:25" }
    const { id } = await buyPlan(shop)
    await send()
    for (const query of [
      "",
      "?state=waiting",
      "?address=ana%40",
      `?address=${ANA.toUpperCase()}&state=waiting`,
    ]) {
      const listed = await page(query)
      for (const part of ["Receipt", ANA, "ECONNREFUSED"])
        expect([query, listed]).toEqual([query, expect.stringContaining(part)])
    }
    for (const query of ["?state=sent", "?state=parked", "?address=bob%40"])
      expect(rows(await page(query))).toBe(0)
    expect(await page("?address=an")).toContain("were left out: Address")
    const message = await page(`/${await messageOf("")}`)
    expect(message).toContain(`/admin/orders/${id}`)
  })

  test("support sends a message again, once for each form, with a reason in the audit log", async () => {
    await buyPlan(shop)
    await send()
    const path = `${PATH}/${await messageOf("?state=sent")}`
    const unreasoned = await actOnPage(support, path, { form: { action: "resend-mail", reason: " " } })
    expect([unreasoned.status, await unreasoned.text()]).toEqual([
      422,
      expect.stringContaining("Write down why."),
    ])
    const form = hiddenFieldsIn(await page(path.slice(PATH.length)), "resend-mail")
    const again = () => support.request({ path, form: { ...form, reason: "lost it" } })
    expect((await again()).headers.get("location")).toBe(`/checkout${path}?done=resend-mail`)
    expect((await again()).headers.get("location")).toBe(`/checkout${path}?sent-before`)
    expect(rows(await page("?state=waiting"))).toBe(1)
    await send()
    expect(await page(path.slice(PATH.length))).toContain("250 OK")
    const [entry] = await shop.billing.auditLog.newest({ limit: 1 })
    expect(entry).toMatchObject({ action: "resend-mail", reason: "lost it", outcome: "done" })
    expect(entry?.subject).toBe(`message ${path.split("/").at(-1)}`)
  })

  test("a message stays with the address that it was sent to when the customer gets another one, until it is sent again", async () => {
    const { customerId } = await buyPlan(shop)
    await send()
    const { operator } = shop.billing
    await operator.changeEmail({ customerId, to: "anna@example.test", at: shop.services.now() + 1 })
    const receipt = await messageOf("?state=sent")
    const addressOf = async () => (await operator.mail(receipt))?.email
    expect(await addressOf()).toBe(ANA)
    shop.wait(SECOND)
    await operator.resendMail(receipt, shop.services.now())
    expect(await addressOf()).toBe("anna@example.test")
    await send()
    expect(await addressOf()).toBe("anna@example.test")
    expect(sent.at(-1)?.to.address).toBe("anna@example.test")
  })

  test("the page of a customer leads to each message, from which it is sent again", async () => {
    const { customerId } = await buyPlan(shop)
    await send()
    const { operator } = shop.billing
    const [receipt] = (await operator.customer(customerId))?.mails ?? []
    const shown = await (await support.request({ path: `/admin/customers/${customerId}` })).text()
    expect(shown).toContain(`href="/checkout${PATH}/${receipt?.id}"`)
  })

  test("a viewer finds an address by all of it alone, sees it masked, and sends nothing", async () => {
    await buyPlan(shop)
    await send()
    const viewer = await enrolled(shop, "viewer")
    expect(rows(await page("?address=ana%40exam", viewer))).toBe(0)
    const found = await page(`?address=${encodeURIComponent(ANA)}`, viewer)
    expect(rows(found)).toBe(1)
    expect(found).toContain("<td>a…@example.test</td>")
    const message = await page(`/${await messageOf("")}`, viewer)
    expect([message.includes(ANA), message.includes("resend-mail")]).toEqual([false, false])
  })

  test("a mailbox that does not exist is listed as suppressed, and allowed again with a reason", async () => {
    answer = { kind: "rejected", status: "5.1.1", reason: "550 5.1.1 no such user" }
    await buyPlan(shop)
    await send()
    const path = `${PATH}/suppressed`
    const listed = await page("/suppressed")
    for (const part of [ANA, "no such user", "All mail"]) expect(listed).toContain(part)
    expect(await page("/suppressed?address=bob%40")).toContain("No address is suppressed.")
    expect(await page("/suppressed", await enrolled(shop, "viewer"))).not.toContain(ANA)
    const allow = (reason: string) =>
      actOnPage(support, path, { form: { action: "allow-address", email: ANA, reason } })
    expect((await allow(" ")).status).toBe(422)
    const form = hiddenFieldsIn(await page("/suppressed"), "allow-address")
    expect((await allow("has made it again")).headers.get("location")).toBe(
      `/checkout${path}?done=allow-address`,
    )
    expect(await page("/suppressed")).toContain("No address is suppressed.")
    const late = await support.request({ path, form: { ...form, email: ANA, reason: "me too" } })
    expect([late.status, await late.text()]).toEqual([
      422,
      expect.stringContaining("not suppressed any more"),
    ])
    const [, done] = await shop.billing.auditLog.newest({ limit: 2, subject: "suppressed address" })
    expect(done).toMatchObject({ action: "allow-address" })
  })

  test("support sends a test message, and reads what the mail server has answered to it", async () => {
    const test = (form: Record<string, string>) =>
      actOnPage(support, PATH, { form: { action: "send-test-mail", email: "me@example.test", ...form } })
    const refusals = [
      [{ email: "me", reason: "new server" }, "Type an email address."],
      [{ reason: " " }, "Write down why."],
    ] as const
    for (const [form, words] of refusals) {
      const refused = await test(form)
      expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining(words)])
    }
    expect(sent).toEqual([])
    answer = { kind: "try-later", cause: "server", reason: "535 5.7.8 Authentication failed" }
    const failed = await test({ reason: "new server" })
    const text = await failed.text()
    for (const part of ["535 5.7.8 Authentication failed", 'value="me@example.test"', "new server"])
      expect([failed.status, text]).toEqual([422, expect.stringContaining(part)])
    expect(await isMailStepDone()).toBe(false)
    answer = { kind: "sent", response: "250 OK" }
    expect((await test({ reason: "new password" })).headers.get("location")).toBe(`/checkout${PATH}?tested`)
    expect(await page("?tested")).toContain("has accepted the test message")
    expect(sent.map(({ to, subject }) => [to.address, subject])).toEqual(
      Array(2).fill(["me@example.test", "Test message"]),
    )
    expect(await isMailStepDone()).toBe(true)
    const [entry] = await shop.billing.auditLog.newest({ limit: 1 })
    expect(entry).toMatchObject({ action: "send-test-mail", subject: "mail server", outcome: "done" })
    expect(JSON.stringify(entry)).not.toContain("me@example.test")
    const viewer = await enrolled(shop, "viewer")
    expect(await page("", viewer)).not.toContain("send-test-mail")
  })

  test("has pages by key, the newest first, and keeps the filter", async () => {
    for (let index = 0; index < 51; index++) {
      await buyPlan(shop, { key: `draft-${index}` })
      if (index % 2 === 0) shop.wait(SECOND)
    }
    const first = await page("?state=waiting&address=ana")
    expect(rows(first)).toBe(50)
    expect(first).not.toContain('rel="prev"')
    const [, older = ""] = /mail([^"]+)" rel="next">/.exec(first) ?? []
    expect(older).toMatch(/^\?state=waiting&amp;address=ana&amp;older=\d+-/)
    const second = await page(older.replaceAll("&amp;", "&"))
    expect(rows(second)).toBe(1)
    const [, newer = ""] = /mail([^"]+)" rel="prev">/.exec(second) ?? []
    expect(rows(await page(newer.replaceAll("&amp;", "&")))).toBe(50)
  })

  test("a shop without a mail server says so, and offers to send nothing", async () => {
    await buyPlan(shop)
    const path = `${PATH}/${await messageOf("")}`
    const form = { ...hiddenFieldsIn(await page(path.slice(PATH.length)), "resend-mail"), reason: "lost" }
    Object.assign(shop.services, { mailer: null })
    expect(await page()).toContain("The shop sends no mail")
    expect(await page(path.slice(PATH.length))).not.toContain("resend-mail")
    expect((await support.request({ path, form })).status).toBe(422)
  })
})
