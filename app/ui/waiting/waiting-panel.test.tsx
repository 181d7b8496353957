import { describe, expect, test } from "vitest"
import { HOUR } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { anOrder, placedAt } from "../../../tests/fixtures/offer"
import { rendered } from "../../../tests/fixtures/render-screen"
import { buying, waitingTexts } from "../../../tests/fixtures/waiting-texts"
import { formsIn } from "../../../tests/support/html/html-form"
import { attribute, type Element, elements, textOf } from "../../../tests/support/html/html-tree"
import { WaitingScreen } from "./waiting-screen"

const noWords = { name: null, note: null, minutes: null }

type Props = Parameters<typeof WaitingScreen>[0]
type Document = Awaited<ReturnType<typeof rendered>>

const pay = {
  url: "https://pay.example/p/1",
  host: "pay.example",
  qr: "<svg></svg>",
  isTest: false,
  ended: false,
  expired: false,
  isProcessing: false,
  coin: null,
  transfer: null,
}
const waiting: Props = {
  order: anOrder({ kind: "plan" }),
  accountCredit: money(0, "EUR"),
  left: money(8901, "EUR"),
  pay,
  state: "pay",
  texts: waitingTexts,
  buying,
  timeline: [],
  orderEmail: null,
  notes: [],
  accessPath: null,
  timeLeft: { from: placedAt, until: placedAt + 24 * HOUR },
  now: placedAt + HOUR,
  gateways: [
    { id: "offshore", host: "pay.example", coins: [], isDegraded: false, words: noWords },
    { id: "coinbase", host: "coins.example", coins: [], isDegraded: false, words: noWords },
  ],
  error: null,
  timeZone: "UTC",
  refreshSeconds: null,
  reloads: null,
}
const becomesCredit = "What you have paid becomes account credit."
const partly: Props = {
  ...waiting,
  order: anOrder({ kind: "plan", status: "partially-paid", received: money(6000, "EUR") }),
  texts: { ...waitingTexts, paidPart: becomesCredit, abort: becomesCredit },
}

const page = (props: Props) => rendered(<WaitingScreen {...props} />)

describe("order changes on the waiting page", () => {
  test("links to changing gateway, editing and cancelling, without a form yet", async () => {
    const document = await page(waiting)
    expect(ways(document)).toEqual(["?paid", "?gateway", "?edit", "?abort"])
    expect(formsIn(document)).toEqual([])
  })

  test("asks before a change as it does before cancelling", async () => {
    const heading = async (state: "edit" | "abort") =>
      elements(await page({ ...waiting, state }), ({ tagName }) => tagName === "h1").map(textOf)
    expect(await heading("edit")).toEqual(["Change this order?"])
    expect(await heading("abort")).toEqual(["Cancel this order?"])
  })

  test("allows cancelling a partly paid order and explains the credit", async () => {
    expect(ways(await page(partly))).toEqual(["?paid", "?gateway", "?edit", "?abort"])
    for (const state of ["edit", "abort"] as const) {
      const document = await page({ ...partly, state })
      expect(textOf(document)).toContain("What you have paid becomes account credit.")
      expect(textOf(document)).not.toContain("Nothing has been charged")
      expect(sentBy(document)).toEqual([["intent", state]])
    }
  })

  test("allows only a gateway change, and no payment, while one is processing, whatever the URL, and explains why", async () => {
    const isProcessing = { ...waiting, pay: { ...pay, isProcessing: true } }
    for (const state of ["pay", "edit", "abort"] as const) {
      const document = await page({ ...isProcessing, state })
      expect(ways(document)).toEqual(["?gateway"])
      expect(linksTo(document, pay.url)).toEqual([])
      expect(textOf(document)).toContain("once this payment is confirmed")
    }
  })

  test("lets the buyer choose between the open order and another selection", async () => {
    const document = await page({ ...partly, state: "another" })
    expect(textOf(document)).toContain("Order 7K3QWZ9MTB for €89.01 isn’t paid yet")
    expect(textOf(document)).toContain("What you have paid becomes account credit.")
    expect(sentBy(document)).toEqual([["intent", "another"]])
  })

  test("says that another selection was not ordered while a payment is processing, without a form", async () => {
    const document = await page({ ...waiting, pay: { ...pay, isProcessing: true }, state: "another" })
    expect(textOf(document)).toContain("your new choice has not been ordered")
    expect(textOf(document)).toContain("once this payment is confirmed")
    expect(formsIn(document)).toEqual([])
  })

  test("shows neither link nor QR code of an ended payment, also with one gateway", async () => {
    const ended = { ...partly, pay: { ...pay, ended: true }, gateways: waiting.gateways.slice(0, 1) }
    const document = await page(ended)
    expect(linksTo(document, pay.url)).toEqual([])
    expect(elements(document, (it) => /^qr\b/.test(attribute(it, "class") ?? ""))).toEqual([])
    expect(sentBy(document)).toEqual([["intent", "retry"]])
  })

  test("offers no other gateway when there is only one", async () => {
    const gateways = waiting.gateways.slice(0, 1)
    expect(ways(await page({ ...waiting, gateways }))).toEqual(["?paid", "?edit", "?abort"])
    expect(ways(await page({ ...waiting, gateways, state: "gateway" }))).toEqual(["?paid", "?edit", "?abort"])
  })

  test("lists the other gateways and explains that a payment in progress still counts", async () => {
    const document = await page({ ...waiting, state: "gateway" })
    expect(sentBy(document)).toEqual([
      ["gateway", "coinbase"],
      ["intent", "gateway"],
    ])
    expect(textOf(document)).toContain("A payment you’ve already made at pay.example still counts.")
    expect(linksTo(document, "/")).toEqual(["Back to the payment"])
  })

  test("explains what happens to the order before it is edited", async () => {
    const document = await page({ ...waiting, state: "edit" })
    expect(textOf(document)).toContain("This order will be cancelled. You’ll go back to your choices")
    expect(sentBy(document)).toEqual([["intent", "edit"]])
    expect(linksTo(document, "/")).toEqual(["Keep the order"])
    expect(linksTo(document, pay.url)).toEqual([])
  })

  test.each(["gateway", "edit", "abort", "another"] as const)(
    "asks one question with the order beside it, and nothing else (%s)",
    async (state) => {
      const document = await page({ ...waiting, state })
      const headings = elements(document, (it) => it.tagName === "h1" || it.tagName === "h2")
      expect(headings.map((it) => it.tagName)).toEqual(["h1", "h2"])
      expect(headings[1] && textOf(headings[1])).toBe("What you’re buying")
    },
  )

  test("keeps the state of a payment that is on its way below a question", async () => {
    const seen = { ...waiting, pay: { ...pay, isProcessing: true } }
    for (const state of ["gateway", "another"] as const) {
      const document = await page({ ...seen, state })
      const titles = elements(document, (it) => it.tagName === "h1")
      expect(titles.map(textOf)).toEqual(["Payment detected"])
    }
  })

  test("asks for confirmation before the order is cancelled", async () => {
    const document = await page({ ...waiting, state: "abort" })
    expect(textOf(document)).toContain("Cancel this order? We haven’t received a payment for it so far.")
    expect(sentBy(document)).toEqual([["intent", "abort"]])
    expect(linksTo(document, "/")).toEqual(["Keep the order"])
  })

  test.each([
    ["not-opened", "Your order is saved, and you can still pay at pay.example."],
    ["choose", "Please choose a payment method."],
  ] as const)("shows why the gateway has not changed (%s) and keeps the form", async (problem, message) => {
    const document = await page({ ...waiting, error: { requestedBy: "gateway", kind: problem } })
    const [alert] = elements(document, (it) => attribute(it, "role") === "alert")
    expect(alert && textOf(alert)).toContain(message)
    expect(sentBy(document)).toContainEqual(["intent", "gateway"])
  })
})

test("a failed gateway change does not offer an ended payment", async () => {
  const error = { requestedBy: "gateway", kind: "not-opened" } as const
  const document = await page({ ...waiting, error, pay: { ...pay, ended: true } })
  expect(textOf(document)).toContain("This payment could not be opened. Your order is saved.")
  expect(textOf(document)).not.toContain("you can still pay at")
})

test("no state of the waiting page has an inline style, which the CSP would block", async () => {
  for (const state of ["pay", "gateway", "edit", "abort"] as const) {
    const styled = elements(await page({ ...waiting, state }), (it) => attribute(it, "style") !== null)
    expect(styled).toEqual([])
  }
})

function linksTo(document: Document, address: string): string[] {
  return elements(document, (it) => attribute(it, "href") === address).map(textOf)
}

/** Query parameters of the order's action links. */
function ways(document: Document): string[] {
  const requests = (it: Element) => /\?(?<ask>\w+)$/.exec(attribute(it, "href") ?? "")?.[0]
  return elements(document, (it) => it.tagName === "a" && requests(it) !== undefined).map(
    (it) => requests(it) ?? "",
  )
}

/** Fields that the page's only form submits. */
function sentBy(document: Document): [string, string][] | undefined {
  const [form, ...others] = formsIn(document)
  expect(others).toEqual([])
  return form?.submission(form.button({}), {}).entries
}
