import { describe, expect, test } from "vitest"
import { money } from "~/domain/money/money"
import { tenPercentOff, threePlans, yearWithExtra } from "../../../tests/fixtures/offer"
import { rendered } from "../../../tests/fixtures/render-screen"
import { formsIn } from "../../../tests/support/html/html-form"
import { attribute, type Element, elements, textOf } from "../../../tests/support/html/html-tree"
import { CheckoutScreen } from "./checkout-screen"

const noWords = { name: null, note: null, minutes: null }

type Props = Parameters<typeof CheckoutScreen>[0]

const given: Props = {
  plans: threePlans,
  gateways: [{ id: "offshore", host: "pay.example", coins: [], isDegraded: false, words: noWords }],
  guarantee: { kind: "default" },
  currency: "EUR",
  currencies: ["EUR"],
  choices: yearWithExtra,
  promotion: tenPercentOff("3"),
  assurance: "You can change everything until you pay.",
  paused: null,
  notices: [],
  lastResult: null,
  typed: { email: "ana@example.test", promoCode: "" },
}
const refused: Props = {
  ...given,
  typed: { email: "ana at example", promoCode: "SUMMER" },
  lastResult: {
    status: "error",
    error: { email: ["checkout.email.invalid"], promoCode: ["promotion.unknown"] },
  },
}

const page = (props: Props, ...language: Parameters<typeof rendered>[1][]) =>
  rendered(<CheckoutScreen {...props} />, ...language)
const named = (name: string) => (it: Element) => attribute(it, "name") === name
const marked = (name: string) => (it: Element) => (attribute(it, "class") ?? "").split(" ").includes(name)

describe("the currency", () => {
  const choices = async (currencies: Props["currencies"]) => {
    const buttons = elements(
      await page({ ...given, currencies }),
      (it) => attribute(it, "aria-pressed") !== null,
    )
    return buttons.map((it) => [textOf(it), attribute(it, "value"), attribute(it, "aria-pressed")])
  }

  test("can be changed where the catalogue has several", async () => {
    expect(await choices(["EUR", "GBP", "USD"])).toEqual([
      ["EUR", "currency-EUR", "true"],
      ["GBP", "currency-GBP", "false"],
      ["USD", "currency-USD", "false"],
    ])
  })

  test("is no choice where there is one", async () => {
    expect(await choices(["EUR"])).toEqual([])
  })
})

describe("account credit of a signed-in customer", () => {
  const eur = (minor: number) => money(minor, "EUR")
  const texts = { used: "From your credit", left: "You pay now", covered: "Pay from your credit" }
  const credit = (minor: number) => ({ amount: eur(minor), email: "ana@example.test", texts })
  const said = (shown: Parameters<typeof textOf>[0]) => textOf(shown).replace(/\s+/g, " ").trim()
  const sent = (document: Awaited<ReturnType<typeof page>>) =>
    elements(document, named("credit")).map((it) => attribute(it, "value"))
  const buttons = (document: Awaited<ReturnType<typeof page>>) =>
    elements(document, marked("main")).map(textOf)

  test("is taken off the total in the summary and in the bar", async () => {
    const document = await page({ ...given, credit: credit(1_000) })
    for (const part of ["Total €89.01", "From your credit − €10.00", "You pay now €79.01"])
      expect(said(document)).toContain(part)
    const [bar] = elements(document, marked("pay-bar"))
    expect(bar && said(bar)).toBe("You pay now €79.01 Continue to payment")
    expect(sent(document)).toEqual(["1000"])
  })

  test("that is more than the total pays it whole, and the button says so", async () => {
    const document = await page({ ...given, credit: credit(20_000) })
    expect(said(document)).toContain("From your credit − €89.01")
    expect(said(document)).toContain("You pay now €0.00")
    expect(buttons(document)).toEqual([texts.covered, texts.covered])
    expect(sent(document)).toEqual(["8901"])
  })

  test("leaves the button as the law of the country words it", async () => {
    const law = { orderButton: "Buy now", declarations: null }
    expect(buttons(await page({ ...given, law, credit: credit(20_000) }))).toEqual(["Buy now", "Buy now"])
  })

  test("pays nothing of an order for another email, or of one that costs nothing", async () => {
    const other = { ...given, typed: { ...given.typed, email: "eva@example.test" }, credit: credit(1_000) }
    expect(await page(other)).toEqual(await page({ ...other, credit: undefined }))
    const whole = { ...tenPercentOff("3"), discount: { kind: "percentage", basisPoints: 10_000 } } as const
    const free = { ...given, promotion: whole }
    expect(await page({ ...free, credit: credit(1_000) })).toEqual(await page(free))
  })
})

describe("an order that a code pays whole", () => {
  const whole = { ...tenPercentOff("3"), discount: { kind: "percentage", basisPoints: 10_000 } } as const
  const free = { ...given, promotion: whole, freeButton: "Order now" }
  const buttons = async (props: Props) => elements(await page(props), marked("main")).map(textOf)

  test("names on its buttons what happens, instead of a payment", async () => {
    expect(await buttons(free)).toEqual(["Order now", "Order now"])
  })

  test("leaves the button as the law of the country words it", async () => {
    const law = { orderButton: "Buy now", declarations: null }
    expect(await buttons({ ...free, law })).toEqual(["Buy now", "Buy now"])
  })

  test("is one with a payment again for a plan that the code is not for", async () => {
    const other = { ...free, choices: { ...free.choices, plan: "1" } }
    expect(await buttons(other)).toEqual(["Continue to payment", "Continue to payment"])
  })
})

describe("the checkout form without script", () => {
  test("submits all choices under the documented field names", async () => {
    const [form] = formsIn(await page({ ...given, prices: "EUR 3:7900:1990:" }))
    expect(form?.submission(form.button({ value: "update" }), {}).entries).toEqual([
      ["website", ""],
      ["shown", "EUR 3:7900:1990:"],
      ["plan", "3"],
      ["extraConnection", "on"],
      ["email", "ana@example.test"],
      ["counted", ""],
      ["gateway", "offshore"],
      ["discounted", ""],
      ["promoCode", ""],
      ["intent", "update"],
    ])
  })

  test("has a field for robots, and none once it was filled in", async () => {
    const robots = async (lastResult: Props["lastResult"]) =>
      elements(await page({ ...given, lastResult }), named("website"))
    const [field, ...others] = await robots(null)
    expect([others, field && attribute(field, "tabindex"), field && attribute(field, "value")]).toEqual([
      [],
      "-1",
      null,
    ])
    expect(await robots({ initialValue: { website: "https://spam.test" } })).toEqual([])
  })

  test("an e-mail to which mail comes back may be kept", async () => {
    const sent = async (error: string) => {
      const [form] = formsIn(await page({ ...given, lastResult: { error: { email: [error] } } }))
      return form
        ?.submission(form.button({ value: "pay" }), {})
        .entries.filter(([name]) => name === "keptEmail")
    }
    expect(await sent("checkout.email.unreachable")).toEqual([["keptEmail", "ana@example.test"]])
    expect(await sent("checkout.email.invalid")).toEqual([])
  })

  test("skips validation for applying or removing a promo code and updating the total", async () => {
    const [form] = formsIn(await page(given))
    const free = (value: string) => {
      const button = form?.button({ value })
      return button && attribute(button, "formnovalidate") !== null
    }
    expect(["update", "apply-promo", "remove-promo", "pay"].map(free)).toEqual([true, true, true, false])
  })

  test("shows the operator's guarantee instead of the default, or none if disabled", async () => {
    const guarantee = "7-day money-back guarantee"
    const customPage = await page({ ...given, guarantee: { kind: "custom", text: "30 days, money back." } })
    expect(textOf(customPage)).toContain("30 days, money back.")
    expect(textOf(customPage)).not.toContain(guarantee)
    expect(textOf(await page({ ...given, guarantee: { kind: "none" } }))).not.toContain(guarantee)
    expect(textOf(await page(given))).toContain(guarantee)
  })

  test("each coin has its sign, and a payment by coin says that exchanges take their fee out of it", async () => {
    const [offshore] = given.gateways
    if (!offshore) throw new Error("The fixture has no gateway")
    const coins = ["BTC", "USDT", "NEW"].map((currency) => ({
      currency,
      network: "chain",
      time: currency === "NEW" ? null : "10–60 min",
    }))
    const withCoins = { ...given, gateways: [offshore, { ...offshore, id: "btcpay" as const, coins }] }
    const shown = elements(await page(withCoins), (it) => attribute(it, "data-coin") !== null)
    expect(shown.map((it) => attribute(it, "data-coin"))).toEqual(["BTC", "USDT", "NEW"])
    const fee = "Paying from an exchange?"
    expect(textOf(await page(withCoins))).toContain(fee)
    const hosted = { ...given, gateways: [offshore, { ...offshore, id: "coinbase" as const }] }
    expect(textOf(await page(hosted))).toContain(fee)
    expect(textOf(await page(given))).not.toContain(fee)
  })

  test("has no inline style, which the CSP would block", async () => {
    expect(elements(await page(refused), (it) => attribute(it, "style") !== null)).toEqual([])
  })
})

test("a buyer who has cancelled an order reads it first, as a status, where the lead was", async () => {
  const document = await page({ ...given, cancelled: "Your order is cancelled." })
  const [notice] = elements(document, marked("notice"))
  expect(notice && [textOf(notice), attribute(notice, "role")]).toEqual([
    "Your order is cancelled.",
    "status",
  ])
  expect(elements(document, marked("lead"))).toEqual([])
})

describe("the order summary", () => {
  const codeFolds = async (props: Props) =>
    elements(await page(props), (it) => it.tagName === "details" && textOf(it).includes("Have a code?"))

  test("asks for a promo code until one is applied, and again where it does not fit", async () => {
    const isHidden = async (props: Props) =>
      (await codeFolds(props)).map((it) => attribute(it, "hidden") !== null)
    expect(await isHidden({ ...given, promotion: null })).toEqual([false])
    expect(await isHidden(given)).toEqual([true])
    expect(await isHidden({ ...given, promotion: tenPercentOff("1") })).toEqual([false])
    expect(await isHidden(refused)).toEqual([false])
  })

  test("shows each quote line, the discount, the total and the plan", async () => {
    const [summary] = elements(await page(given), marked("summary"))
    const text = summary && textOf(summary)
    expect(text).toContain("€79.00")
    expect(text).toContain("Extra connection €19.90")
    expect(text).toContain("Code WELCOME10")
    expect(text).toMatch(/− €9.89/)
    expect(text).toContain("Total €89.01")
    expect(text).toMatch(/for 12 months/)
  })

  test("ignores a promo code that is not valid for the chosen plan and shows the reason", async () => {
    const [summary] = elements(await page({ ...given, promotion: tenPercentOff("1") }), marked("summary"))
    const text = summary && textOf(summary)
    expect(text).toContain("€98.90")
    expect(text).toContain("This Coupon is not available for this product.")
  })
})

describe("a rejected checkout form", () => {
  test("shows each field error at its field in the page's language and keeps the input", async () => {
    const document = await page(refused, "de-de")
    const [email] = elements(document, named("email"))
    if (!email) throw new Error("no e-mail field")
    expect(attribute(email, "value")).toBe("ana at example")
    expect(attribute(email, "aria-invalid")).toBe("true")
    const [element] = elements(document, (it) => attribute(it, "id") === attribute(email, "aria-describedby"))
    expect(element && textOf(element)).toBe("Bitte geben Sie eine gültige E-\u2060Mail-Adresse ein.")
    expect(element && attribute(element, "role")).toBe("alert")
  })

  test("shows an error summary with a link to each field", async () => {
    const document = await page(refused)
    const [list] = elements(document, marked("problems"))
    const links = list ? elements(list, ({ tagName }) => tagName === "a") : []
    const targets = links.map((it) => attribute(it, "href")?.slice(1))
    expect(targets).toEqual(["order-email", "order-promoCode"])
    for (const id of targets) {
      expect(elements(document, (it) => attribute(it, "id") === id)).toHaveLength(1)
    }
  })
})

test("a refused promo code has its message at its field, and no error summary above the form", async () => {
  const error = { promoCode: ["promotion.unknown"] }
  const document = await page({
    ...given,
    typed: { ...given.typed, promoCode: "SUMMER" },
    lastResult: { status: "error", error, leadsToField: true },
  })
  expect(elements(document, marked("problems"))).toEqual([])
  const [alert] = elements(document, (it) => attribute(it, "id") === "order-promoCode-error")
  expect(alert && textOf(alert)).toBe("We don’t recognise this code.")
})

test("a plan that is sold out is named once to be read", async () => {
  const document = await page({ ...given, lastResult: { error: { plan: ["checkout.plan.gone"] } } })
  const said = (node: Parameters<typeof elements>[0]) =>
    elements(node, (it) => it.tagName !== "ul" && textOf(it).startsWith("This plan is no longer"))
  const unseen = elements(document, marked("hidden")).flatMap(said)
  expect(said(document).filter((it) => !unseen.includes(it) && attribute(it, "href") !== null)).toHaveLength(
    1,
  )
  const [radio] = elements(document, named("plan"))
  const [described] = elements(
    document,
    (it) => attribute(it, "id") === (radio && attribute(radio, "aria-describedby")),
  )
  expect(described && unseen.includes(described)).toBe(true)
})

describe("while ordering is paused", () => {
  const paused = { ...given, paused: "A part of our shop isn’t responding. Try again in a moment." }
  const isPay = (it: Element) => attribute(it, "value") === "pay"

  test("no button orders, with script or without: each says so, looks it, and has the reason with it", async () => {
    const document = await page(paused)
    const buttons = elements(document, (it) => isPay(it) && attribute(it, "disabled") === null)
    expect(buttons.map((it) => [textOf(it), attribute(it, "type"), attribute(it, "aria-disabled")])).toEqual([
      ["You can’t order right now", "button", "true"],
      ["You can’t order right now", "button", "true"],
    ])
    for (const button of buttons) {
      const reason = attribute(button, "aria-describedby")
      expect(elements(document, (it) => attribute(it, "id") === reason).map(textOf)).toEqual([paused.paused])
    }
  })

  test("the button beside the reason tries again and keeps what was filled in", async () => {
    const [form] = formsIn(await page(paused))
    const again = form?.button({ text: "Try again" })
    expect(form?.submission(again, { email: "eva@example.test" }).entries).toEqual(
      expect.arrayContaining([
        ["email", "eva@example.test"],
        ["intent", "update"],
      ]),
    )
  })

  test("a form that was refused because of it leads to the same button", async () => {
    const lastResult = { status: "error" as const, error: { "": ["checkout.paused"] } }
    const [form] = formsIn(await page({ ...paused, lastResult }))
    expect([form?.button({ value: "pay" }), form?.button({ text: "Try again" })]).toEqual([
      undefined,
      expect.anything(),
    ])
  })
})

describe("the plan list", () => {
  test("shows price per month, what is paid and for how long, saving and the best offer", async () => {
    const cards = elements(await page(given), marked("plan")).map(textOf)
    expect(cards).toHaveLength(3)
    expect(cards[0]).toMatch(/1 month €12.00 \/month €12.00 for 1 month$/)
    expect(cards[1]).toMatch(/€9.00 \/month €54.00 for 6 months Save 25%$/)
    expect(cards[2]).toMatch(/^Best offer.*€6.58 \/month €79.00 for 12 months Save 45%$/)
  })

  test("omits the extras step for plans without extras and renumbers the steps", async () => {
    const bare = threePlans.map((plan) => ({ ...plan, extraConnection: null, proxyProtection: null }))
    const steps = elements(await page({ ...given, plans: bare }), marked("step")).map(textOf)
    expect(steps).toEqual(["1 Plan", "2 Your email", "3 Payment"])
  })
})
