import { describe, expect, test } from "vitest"
import { documentTexts } from "~/documents/texts"
import { DAY } from "~/domain/calendar"
import { type LocaleCode, locales } from "~/domain/locales"
import { money } from "~/domain/money/money"
import { gatewayIds } from "~/domain/payments/gateway-id"
import { noLaw } from "~/domain/shop/country-law"
import { classOf, isForOperator, type MessageName, messageNames } from "~/domain/shop/mail"
import { loadCatalogue } from "~/i18n/i18n"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { dayText } from "~/ui/layout/format"
import { attribute, type Element, elements, readHtml, textOf } from "../../../tests/support/html/html-tree"
import type { MessageContent, MessageSetting, OrderInMail } from "../message"
import { messageSetting, type ShopInMail } from "../message-setting"
import { exampleContent } from "./example-content"
import { renderMessage } from "./render-message.server"
import { writingFor } from "./writing"

const NOW = Date.UTC(2026, 10, 22, 15, 44)
const LINK = "https://tv.example/checkout/success?order=7BQ697JNZK&a=b"
const SUPPORT = "https://tv.example/help"
const UNSUBSCRIBE = "https://tv.example/checkout/api/mail/unsubscribe?mail=1"

const shop: ShopInMail = {
  brand: { name: "Nordlicht TV", colours: { light: "#405db1", dark: "#8ea6f0" } },
  publicUrl: "https://tv.example",
  timeZone: "Europe/Berlin",
  links: { support: SUPPORT },
  mail: { seller: "Northlight Media Ltd, 12 Harbour Road, Valletta, Malta", messages: {} },
}

function settingOf(name: MessageName, locale: LocaleCode = "en-en", ofShop = shop): MessageSetting {
  const unsubscribeUrl = classOf(name) === "reminder" ? UNSUBSCRIBE : null
  return messageSetting(ofShop, { name, locale, now: NOW, unsubscribeUrl })
}

const example = (name: MessageName) => exampleContent(name, LINK, NOW)

function rendered(name: MessageName, locale: LocaleCode = "en-en") {
  return renderMessage(example(name), settingOf(name, locale))
}

/** Each message is read once: there are more than two hundred, and many tests of each. */
const trees = new Map<string, ReturnType<typeof readHtml>>()

function withTag(html: string, tag: string) {
  const tree = trees.get(html) ?? readHtml(html)
  trees.set(html, tree)
  return elements(tree, ({ tagName }) => tagName === tag)
}

/** A text whose dates and amounts can be compared: as it is read. */
const spaced = (text: string) => text.replaceAll("\u00a0", " ")

/** What a reader sees of a message's HTML. */
const visible = (html: string) => withTag(html, "main").map(textOf).join(" ")

/** Every message in every language. */
const all = messageNames.flatMap((name) => locales.map(({ code, iso }) => [name, code, iso] as const))

describe.each(all)("%s in %s", (name, code, iso) => {
  const { subject, html, text } = rendered(name, code)

  test("has a subject of one line and at most 78 characters, which is the title", () => {
    expect(subject).toMatch(/^\S[^\r\n]{0,76}\S$/)
    const [title] = withTag(html, "title").flatMap(({ childNodes }) => childNodes)
    expect(title).toMatchObject({ value: subject })
  })

  test("is a document in the language of its recipient, for the operator in English", () => {
    expect(html).toMatch(/^<!doctype html><html /i)
    expect(html.match(/<!doctype/gi)).toHaveLength(1)
    const [root] = withTag(html, "html")
    expect(root && [attribute(root, "lang"), attribute(root, "dir")]).toEqual([
      isForOperator(name) ? "en" : iso,
      "ltr",
    ])
  })

  test("has one heading of the first level, and one button: the link of its content", () => {
    expect(withTag(html, "h1")).toHaveLength(1)
    const buttons = withTag(html, "a").filter((it) => attribute(it, "class") === "button")
    expect(buttons.map((it) => attribute(it, "href"))).toEqual(linksOf(name))
    for (const link of linksOf(name)) expect(text).toContain(link)
  })

  test("loads nothing and has no form", () => {
    for (const tag of ["img", "script", "link", "iframe", "form", "svg", "video"])
      expect(withTag(html, tag)).toEqual([])
    expect(html).not.toMatch(/url\(|@import|@font-face|\bbackground="/)
  })

  test("has the same links and amounts in HTML and text", () => {
    const hrefs = withTag(html, "a").map((it) => attribute(it, "href") ?? "")
    expect(hrefs.filter((it) => !text.includes(it))).toEqual([])
    expect(amountsIn(text)).toEqual(amountsIn(visible(html)))
  })

  test("says every sentence of the HTML in the text too", () => {
    const plain = text.replace(/\s+/g, " ")
    const sentences = ["h1", "h2", "p", "th", "td", "pre"]
      .flatMap((tag) => withTag(html, tag))
      .filter((it) => elements(it, () => true).length === 0)
      .flatMap((it) => textOf(it).split(/(?<=[.:?]) /))
    expect(sentences.length).toBeGreaterThan(3)
    expect(sentences.filter((it) => !plain.includes(it))).toEqual([])
  })

  test("says every line of the text in the HTML too", () => {
    const shown = joined(visible(html))
    const lines = text
      .replace(/https?:\S+/g, "")
      .split("\n")
      .map(joined)
      .filter((line) => /[^-\s]/.test(line))
    expect(lines.length).toBeGreaterThan(4)
    expect(lines.filter((line) => !shown.includes(line))).toEqual([])
  })

  test("has neither gaps nor keys in its texts", () => {
    for (const form of [subject, visible(html), text]) {
      expect(form).not.toMatch(/undefined|null|NaN|\[object|{{|}}/)
      expect(form).not.toMatch(/\b(receipt|order|closing|footer|sign-in|credits-low)\.[a-z]/)
    }
  })

  test("has a dark scheme, and works without it", () => {
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>')
    expect(html).toContain("@media (prefers-color-scheme: dark)")
    const coloured = withTag(html, "p").concat(withTag(html, "h1"), withTag(html, "th"))
    expect(coloured.filter((it) => !/color:#|margin/.test(attribute(it, "style") ?? ""))).toEqual([])
  })
})

test.each(locales)("no subject to a customer is cut on a day with a long name, in $name", ({ code }) => {
  const september = Date.UTC(2027, 8, 21, 15, 44)
  const names = messageNames.filter((name) => !isForOperator(name))
  const subjects = names.map(
    (name) => renderMessage(exampleContent(name, LINK, september), settingOf(name, code)).subject,
  )
  expect(subjects.filter((subject) => subject.endsWith("…"))).toEqual([])
})

test("a text names the address of support as a person writes it, and a page as it is", () => {
  const textWith = (support: string) =>
    renderMessage(example("receipt"), settingOf("receipt", "en-en", { ...shop, links: { support } })).text
  expect(textWith("mailto:help@tv.example?subject=Hello")).toContain("Contact support: help@tv.example\n")
  expect(textWith("https://tv.example/help")).toContain("Contact support: https://tv.example/help\n")
})

test.each(["receipt", "payment-received", "new-reseller", "partly-paid", "order-expired"] as const)(
  "%s has its receipt as a table with a header cell for each row",
  (name) => {
    const rows = withTag(rendered(name).html, "th")
    expect(rows.length).toBeGreaterThan(1)
    expect(new Set(rows.map((it) => attribute(it, "scope")))).toEqual(new Set(["row"]))
    const layout = withTag(rendered(name).html, "table").filter((it) => attribute(it, "role") === null)
    expect(layout).toHaveLength(1)
  },
)

test("an expired order asks for its number only where there is a contact", () => {
  const textFor = (support: string | null) =>
    renderMessage(
      example("order-expired"),
      settingOf("order-expired", "en-en", { ...shop, links: { support } }),
    ).text
  expect(textFor(SUPPORT)).toContain("Tell us the order number")
  expect(textFor(null)).not.toContain("Tell us")
  expect(textFor(null)).toContain("isn’t lost")
})

const order = (change: Partial<OrderInMail> = {}): OrderInMail => {
  const content = example("receipt")
  if (content.name !== "receipt") throw new Error(content.name)
  return { ...content.order, ...change }
}

describe("what a customer typed", () => {
  const hostile = `<script>alert("1")</script>'&`

  test("is escaped in the HTML and literal in the text", () => {
    const lines = [
      { kind: "plan" as const, productId: "1", name: hostile, amount: money(100, "EUR") },
      { kind: "discount" as const, code: hostile, amount: money(-10, "EUR") },
    ]
    const content: MessageContent = { name: "receipt", url: LINK, order: order({ lines }) }
    const { html, text } = renderMessage(content, settingOf("receipt"))
    expect(html).not.toContain("<script>")
    expect(withTag(html, "th").map(textOf)).toEqual([hostile, `Code ${hostile}`, "Total paid"])
    expect(text).toContain(`${hostile}: €1.00`)
  })

  test("cannot leave a link's attribute", () => {
    const content: MessageContent = { name: "receipt", url: `${LINK}"onclick="x`, order: order() }
    const [link] = withTag(renderMessage(content, settingOf("receipt")).html, "a")
    expect(link?.attrs.map(({ name }) => name)).toEqual(["class", "href", "style"])
  })

  test("cannot widen the column of a phone: its long words are broken", () => {
    const name = "a-name-".repeat(20).replaceAll("-", "_")
    const lines = [{ kind: "plan" as const, productId: "1", name, amount: money(100, "EUR") }]
    const contents: MessageContent[] = [
      { name: "receipt", url: LINK, order: order({ lines }) },
      { name: "order-unpaid", url: LINK, order: order({ lines }) },
      { name: "days-given", url: LINK, product: name, ending: null, days: 1, paidUntil: NOW },
    ]
    const ofShop = { ...shop, brand: { ...shop.brand, name }, mail: { ...shop.mail, seller: name } }
    for (const content of contents) {
      const { html } = renderMessage(content, settingOf(content.name, "en-en", ofShop))
      // The rule is inherited: of the elements around a word, the innermost block has it.
      const holders = ["h1", "p", "th", "td"]
        .flatMap((tag) => withTag(html, tag))
        .filter((it) => textOf(it).includes(name) && withinBlocks(it) === 0)
      expect(holders.length).toBeGreaterThan(2)
      const styles = holders.map((it) => attribute(it, "style"))
      expect(styles.filter((style) => !style?.includes("word-break:break-word"))).toEqual([])
    }
  })

  test("cannot end the line of a subject", () => {
    const name = `A\r\nBcc: b@example.com\u2028${"x".repeat(90)}`
    const { subject } = renderMessage(
      example("sign-in"),
      settingOf("sign-in", "en-en", { ...shop, brand: { ...shop.brand, name } }),
    )
    expect(subject).toMatch(/^Sign in to A Bcc: b@example\.com x+…$/)
    expect(subject).toHaveLength(78)
  })
})

describe("the operator's own words", () => {
  const mail = {
    seller: null,
    messages: { receipt: { "en-en": { subject: "It’s showtime", paragraph: "Enjoy <b>watching</b>." } } },
  }
  const render = (locale: LocaleCode) =>
    renderMessage(example("receipt"), settingOf("receipt", locale, { ...shop, mail }))

  test("replace subject and last paragraph, and keep heading and facts", () => {
    const { subject, html, text } = render("en-en")
    expect(subject).toBe("It’s showtime")
    expect(withTag(html, "h1").map(textOf)).toEqual(["Your access is ready"])
    expect(visible(html)).toContain("Enjoy <b>watching</b>. Contact support")
    expect(text).toContain(`Enjoy <b>watching</b>.\nContact support: ${SUPPORT}`)
    expect(text).not.toContain("Questions?")
    expect(text).toContain("€98.90")
  })

  test("apply to their language; British English falls back to English", () => {
    expect(render("en-gb").subject).toBe("It’s showtime")
    expect(render("de-de").subject).toBe("Ihr Zugang ist bereit")
  })

  test("without a link to support there is no question after the message", () => {
    const { text } = renderMessage(
      example("receipt"),
      settingOf("receipt", "en-en", { ...shop, links: { support: null } }),
    )
    expect(text).not.toContain("Questions?")
  })

  test("without a contact of the operator no message says to get in touch", () => {
    const alone = { ...shop, links: { support: null } }
    const taken = { name: "address-code", code: null, codeMinutes: 30 } as const
    const said = [...messageNames.map(example), taken].filter((content) => {
      const { text } = renderMessage(content, settingOf(content.name, "en-en", alone))
      return !isForOperator(content.name) && /(tell|ask|contact|write to) us|in touch|support/i.test(text)
    })
    expect(said.map(({ name }) => name)).toEqual([])
  })

  test("support is offered once where it is the button", () => {
    expect(rendered("address-changed").text.split(SUPPORT)).toHaveLength(2)
  })
})

describe("a message is true of its order", () => {
  const textOfOrder = (name: "receipt" | "partly-paid", change: Partial<OrderInMail>) =>
    spaced(renderMessage({ name, url: LINK, order: order(change) }, settingOf(name)).text)

  test("a free order says that nothing was to pay, and names no payment method", () => {
    const free = { total: money(0, "EUR"), received: money(0, "EUR"), due: money(0, "EUR") }
    expect(textOfOrder("receipt", free)).toContain("There was nothing to pay")
    expect(textOfOrder("receipt", free)).not.toContain("Payment method")
  })

  test("account credit that paid a part is named", () => {
    const change = { received: money(4890, "EUR"), usedAccountCredit: money(5000, "EUR") }
    expect(textOfOrder("receipt", change)).toContain("Paid from your credit: €50.00.")
    const rest = { received: money(1000, "EUR"), due: money(3890, "EUR") }
    const open = { ...rest, usedAccountCredit: money(5000, "EUR"), paidAt: null }
    expect(textOfOrder("partly-paid", open)).toContain("received €10.00 of €48.90")
    expect(textOfOrder("partly-paid", open)).toContain(
      "Total: €98.90\nFrom your credit: − €50.00\nReceived: − €10.00\nStill to pay: €38.90\n",
    )
  })

  test("a receipt names what an operator has waived, and as paid what is left of the price", () => {
    const change = { received: money(98_50, "EUR"), waived: money(40, "EUR") }
    expect(textOfOrder("receipt", change)).toContain("Total: €98.90\nWaived: − €0.40\nTotal paid: €98.50\n")
  })

  test("times have the shop's time zone, in the recipient's language", () => {
    expect(textOfOrder("receipt", {})).toContain("Paid on 22 November 2026 at 16:44 CET.")
    expect(spaced(rendered("receipt", "de-de").text)).toContain("Bezahlt am 22. November 2026 um 16:44 MEZ.")
    expect(spaced(rendered("receipt", "en-gb").text)).toContain("Paid on 22 November 2026 at 16:44 CET.")
  })

  test.each(locales.map(({ code }) => code))(
    "an order without an invoice that the buyer can see is named by its number alone, in %s",
    (code) => {
      for (const name of ["receipt", "order-unpaid"] as const) {
        const { html, text } = rendered(name, code)
        expect(text).toContain(order().id)
        expect(`${visible(html)} ${text}`).not.toMatch(/invoice|rechnung|factu|fatura/i)
      }
    },
  )

  test.each(locales)("a date keeps to one line, and the zone to its time, in $code", (locale) => {
    const writing = writingFor(settingOf("receipt", locale.code))
    for (let month = 0; month < 12; month++) {
      const at = Date.UTC(2026, month, 22, 15, 44)
      const day = dayText(at, locale, shop.timeZone)
      expect(writing.day(at)).toBe(day)
      const [found, joint, time] = writing.moment(at).split(/( (?:at|um|om|às|a las) |, )/)
      expect([found, time]).toEqual([day, expect.stringMatching(/^\d+:\d\d\u00a0\S+$/)])
      expect(joint).toBeDefined()
    }
  })

  test("a receipt names the end of the paid time, in every language", () => {
    expect(spaced(rendered("receipt", "en-en").text)).toContain("Paid until 22 November 2027 at 16:44 CET.")
    expect(spaced(rendered("receipt", "en-gb").text)).toContain("Paid until 22 November 2027 at 16:44 CET.")
    expect(spaced(rendered("receipt", "de-de").text)).toContain("Bezahlt bis 22. November 2027 um 16:44 MEZ.")
    expect(spaced(rendered("receipt", "es-es").text)).toContain("Pagado hasta el 22 de noviembre de 2027")
    expect(spaced(rendered("receipt", "nl-nl").text)).toContain("Betaald tot 22 november 2027")
    expect(spaced(rendered("receipt", "pt-pt").text)).toContain("Pago até 22 de novembro de 2027")
  })

  test("a free trial is named so, and never as paid time, in every language", () => {
    expect(textOfOrder("receipt", { isTrial: true })).toContain("Free trial until 22 November 2027")
    for (const name of ["renewal-reminder", "service-suspended", "service-terminated"] as const) {
      const content = example(name)
      if (content.name !== name) throw new Error(`Not an example of ${name}`)
      const trial = { ...content, service: { ...content.service, isTrial: true } }
      for (const { code } of locales) {
        const { subject, html } = renderMessage(trial, settingOf(name, code))
        expect(html).not.toBe(rendered(name, code).html)
        expect(`${subject} ${html}`).not.toMatch(/paid until|bezahlt bis|pagado hasta|pago até|betaald tot/i)
      }
    }
  })

  test("a receipt of what has no end names none", () => {
    expect(textOfOrder("receipt", { paidUntil: null })).not.toContain("Paid until")
    expect(rendered("new-reseller").text).not.toContain("Paid until")
  })

  test("extra connections name the service that they are for", () => {
    const extra = { optionId: "1", choiceId: "1", name: "Extra connection", amount: money(500, "EUR") }
    const change: Partial<OrderInMail> = {
      kind: "upsell",
      lines: [{ kind: "moreConnections", quantity: 2, ...extra }],
      addsTo: { name: "12 months", ending: "…WZ7M" },
    }
    expect(textOfOrder("receipt", change)).toContain("2 extra connections · 12 months (…WZ7M): €5.00")
  })

  test("the rest can be paid until the deadline, and no longer", () => {
    const part = { received: money(6000, "EUR"), due: money(3890, "EUR"), paidAt: null }
    const open = textOfOrder("partly-paid", { ...part, deadline: NOW + DAY })
    expect(open).toContain(`Pay €38.90:\n${LINK}`)
    expect(open).toContain("Pay the rest by 23 November 2026")
    const over = textOfOrder("partly-paid", { ...part, deadline: NOW })
    expect(over).toContain(`See your order:\n${LINK}`)
    expect(over).toContain("is recorded with the order and isn’t lost")
    expect(over).not.toMatch(/Pay €|Pay the rest/)
    expect(open).toContain("Total: €98.90\nReceived: − €60.00\nStill to pay: €38.90\n")
    expect(over).toContain("Total: €98.90\nReceived: €60.00\n")
    expect(over).not.toContain("Still to pay")
  })

  test("only messages about the end of a service say at their foot that they are about it", () => {
    const about = messageNames.filter((name) =>
      rendered(name).text.includes("about the end of your access at Nordlicht TV"),
    )
    expect(about.sort()).toEqual([
      "renewal-due",
      "renewal-reminder",
      "service-suspended",
      "service-terminated",
      "termination-notice",
    ])
  })

  test("only reminders can be ended", () => {
    for (const name of messageNames) {
      const has = rendered(name).text.includes(UNSUBSCRIBE)
      expect([name, has]).toEqual([name, classOf(name) === "reminder"])
    }
  })

  test("a changed address is not repeated in full", () => {
    const { html, text } = rendered("address-changed")
    expect(`${html}${text}`).not.toContain("ana@example.com")
    expect(text).toContain("a…@example.com")
  })

  test("the code is whole, so that it can be copied", () => {
    const { html, text } = rendered("sign-in")
    expect(html).toContain(">481702<")
    expect(text).toContain("\n    481702\n")
    expect(rendered("sign-in").subject).not.toContain("481702")
  })
})

/** Login details are on the service page only; the word may be there, a value has nowhere to come from. */
test("no content of a message has a field for login details", () => {
  const fields = messageNames.flatMap((name) => fieldsOf(example(name)))
  expect(fields.filter((it) => /password|username|credential|host|token/i.test(it))).toEqual([])
})

function withinBlocks(element: Element): number {
  return elements(element, ({ tagName }) => /^(h1|h2|p|table)$/.test(tagName)).length
}

/** The colon before an amount or a link is only in the text. */
function joined(text: string): string {
  return text.replaceAll(":", "").replace(/\s+/g, " ").trim()
}

function linksOf(name: MessageName): string[] {
  if ("url" in example(name)) return [LINK]
  return name === "address-changed" ? [SUPPORT] : []
}

function amountsIn(text: string): string[] {
  return text.match(/\d[\d.,]*[.,]\d\d(?!\d)/g) ?? []
}

function fieldsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, field]) => [name, ...fieldsOf(field)])
}

describe("the operator's terms and privacy policy", () => {
  const [terms, privacy] = ["https://tv.example/agb", "https://tv.example/datenschutz"]
  const legal = {
    seller: null,
    tax: {},
    law: noLaw,
    terms: { "en-en": "https://tv.example/terms", "de-de": terms },
    privacy,
    refunds: "https://tv.example/refunds",
  }

  test("are linked at the end of a message in its language", () => {
    const { html, text } = renderMessage(
      example("receipt"),
      settingOf("receipt", "de-de", { ...shop, legal }),
    )
    const links = withTag(html, "a").map((it) => [textOf(it), attribute(it, "href")])
    expect(links).toContainEqual(["AGB", terms])
    expect(links).toContainEqual(["Datenschutz", privacy])
    expect(html).not.toContain("refunds")
    expect(text).toContain(`AGB: ${terms}`)
    expect(text).toContain(`Datenschutz: ${privacy}`)
  })

  test("are not named where there are none", () => {
    expect(rendered("receipt", "de-de").text).not.toMatch(/AGB|Datenschutz/)
  })
})

test.each(["receipt", "payment-received"] as const)(
  "%s repeats the buyer's declarations with their time",
  (name) => {
    const content = example(name)
    if (!("order" in content)) throw new Error("The message is not about an order")
    const declarations = {
      at: NOW,
      consent: "Bitte sofort beginnen.",
      acknowledgement: "Ich weiß, was das heißt.",
    }
    const declared = { ...content, order: { ...content.order, declarations } } as MessageContent
    const { html, text } = renderMessage(declared, settingOf(name, "de-de"))
    for (const part of [visible(html), text].map(spaced)) {
      expect(part).toContain("22. November 2026 um 16:44")
      expect(part).toContain("Bitte sofort beginnen.")
      expect(part).toContain("Ich weiß, was das heißt.")
    }
  },
)

test.each(locales.map(({ code }) => code))(
  "a withdrawal is acknowledged with the words of its page in %s",
  (code) => {
    const content = example("withdrawal")
    if (!("order" in content)) throw new Error("The message is not about an order")
    const declaration = screenTexts(code)("withdrawal.declaration", { order: content.order.id })
    const { html, text } = rendered("withdrawal", code)
    expect(visible(html)).toContain(declaration)
    expect(text.replace(/\s+/g, " ")).toContain(declaration)
  },
)

test("a receipt names the tax, and where consumers expect it the amount without it", () => {
  const content = example("receipt")
  if (content.name !== "receipt") throw new Error("another message")
  const euro = (minor: number) => money(minor, "EUR")
  const textWith = (taxes: OrderInMail["taxes"]) =>
    renderMessage({ ...content, order: { ...content.order, taxes } }, settingOf("receipt")).text
  const tax = { rate: 1_900, amount: euro(1_261) }
  expect(textWith([tax])).toContain("incl. 19% VAT €12.61")
  expect(textWith([{ ...tax, net: euro(6_639) }])).toContain("incl. 19% tax €12.61, €66.39 without tax")
})

test("a receipt names the invoice of an external billing system beside the number of the order, if it is known", () => {
  const content = example("receipt")
  if (content.name !== "receipt") throw new Error("another message")
  const textWith = (externalInvoice: OrderInMail["externalInvoice"]) =>
    renderMessage({ ...content, order: { ...content.order, externalInvoice } }, settingOf("receipt")).text
  expect(textWith("1042")).toContain(content.order.id)
  expect(textWith("1042")).toContain("Invoice 1042.")
  expect(textWith(null)).not.toContain("Invoice ")
})

test.each(locales.map(({ code }) => code))(
  "a receipt calls the payment method what the checkout and the invoice call it, in %s",
  async (code) => {
    const { checkout } = await loadCatalogue(code)
    const receipt = example("receipt")
    if (receipt.name !== "receipt") throw new Error("The example is no receipt")
    for (const gateway of gatewayIds) {
      const order = { ...receipt.order, gateway }
      const { text } = renderMessage({ ...receipt, order }, settingOf("receipt", code))
      expect(text).toContain(`: ${checkout.gateway[gateway]}.`)
      expect(documentTexts(code)(`by.${gateway}`)).toBe(checkout.gateway[gateway])
    }
  },
)

test("a receipt calls the payment method what the operator calls it", () => {
  const receipt = example("receipt")
  if (receipt.name !== "receipt") throw new Error("The example is no receipt")
  const order = { ...receipt.order, methodName: "Instant SEPA" }
  const { text } = renderMessage({ ...receipt, order }, settingOf("receipt"))
  expect(text).toContain("Payment method: Instant SEPA.")
})
