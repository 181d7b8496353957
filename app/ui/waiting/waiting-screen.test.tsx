import { describe, expect, test } from "vitest"
import { HOUR, MINUTE } from "~/domain/calendar"
import { money } from "~/domain/money"
import type { TimelineKind } from "~/domain/timeline"
import { anOrder, placedAt } from "../../../tests/fixtures/offer"
import { rendered } from "../../../tests/fixtures/render-screen"
import { formsIn } from "../../../tests/support/html/html-form"
import { attribute, type Element, elements, textOf } from "../../../tests/support/html/html-tree"
import { WaitingScreen } from "./waiting-screen"

const noWords = { name: null, note: null, minutes: null }

type Props = Parameters<typeof WaitingScreen>[0]
type Document = Awaited<ReturnType<typeof rendered>>

const happened = (kind: TimelineKind, minutes: number) => ({
  kind,
  at: placedAt + minutes * MINUTE,
  amount: null,
  reference: null,
})
const pay = {
  url: "https://pay.example/p/1",
  host: "pay.example",
  qr: "<svg></svg>",
  isTest: false,
  ended: false,
  isProcessing: false,
  coin: null,
  transfer: null,
}
const waiting: Props = {
  orderEmail: null,
  notes: [],
  order: anOrder({ kind: "plan" }),
  timeline: [happened("placed", 0), happened("handed-off", 1)],
  left: money(8901, "EUR"),
  pay,
  state: "pay",
  gateways: [
    { id: "offshore", host: "pay.example", coins: [], isDegraded: false, words: noWords },
    { id: "coinbase", host: "coins.example", coins: [], isDegraded: false, words: noWords },
  ],
  accessPath: null,
  error: null,
  timeLeft: { from: placedAt, until: placedAt + 24 * HOUR },
  now: placedAt + 9 * HOUR,
  timeZone: "Europe/Madrid",
}
const partly: Props = {
  ...waiting,
  order: anOrder({ kind: "plan", status: "partially-paid", received: money(6000, "EUR") }),
  left: money(2901, "EUR"),
}
const upsell: Props = {
  ...waiting,
  order: anOrder({ kind: "upsell" }),
  accessPath: "/success?serviceid=service",
}

const page = (props: Props, ...language: Parameters<typeof rendered>[1][]) =>
  rendered(<WaitingScreen {...props} />, ...language)

describe("the waiting screen", () => {
  test("shows the timeline, the next step and the payment deadline", async () => {
    const text = textOf(await page(waiting, "de-de"))
    for (const message of [
      "Bestellung 7K3QWZ9MTB",
      "Bestellung aufgegeben16:40",
      "Zahlung gestartet16:41",
      "89,01 € zu zahlen",
      "Zugang bereit",
      "Noch 15 Std.",
      "bis Sa., 21. Nov. 2026, 16:40 MEZ",
    ]) {
      expect(text).toContain(message)
    }
  })

  test.each([
    ["a payable order", waiting],
    ["an expired order", { ...waiting, order: anOrder({ kind: "plan", status: "expired" }), pay: null }],
  ] as const)("names what is bought and its total on the page of %s", async (_what, shown) => {
    const text = textOf(await page(shown))
    expect(text).toContain("Your order")
    for (const line of shown.order.lines) {
      if (line.kind === "plan") expect(text).toContain(line.name)
    }
    expect(text).toContain("Total €89.01")
    expect(text).toContain("Order 7K3QWZ9MTB")
  })

  test("shows the remaining time without script", async () => {
    const [bar] = elements(await page(waiting), ({ tagName }) => tagName === "progress")
    expect(bar && [attribute(bar, "value"), attribute(bar, "max")]).toEqual([
      String(15 * HOUR),
      String(24 * HOUR),
    ])
  })

  test("counts down to the end of the open payment, and says how long the order is kept", async () => {
    const timeLeft = { from: placedAt + 9 * HOUR, until: placedAt + 10 * HOUR }
    const text = textOf(await page({ ...waiting, timeLeft }, "de-de"))
    expect(text).toContain("Noch 1 Std.")
    expect(text).toContain("bis Sa., 21. Nov. 2026, 02:40 MEZ")
    expect(text).toContain("Ihre Bestellung bleibt bis Sa., 21. Nov. 2026, 16:40 MEZ bestehen.")
    expect(textOf(await page(waiting, "de-de"))).not.toContain("Ihre Bestellung bleibt bis")
  })

  test("links to the payment and shows only the rest after a partial payment", async () => {
    const document = await page(partly)
    expect(linksTo(document, pay.url)).toEqual(["Pay at pay.example"])
    expect(textOf(document)).toContain("Pay the rest")
    expect(textOf(document)).toContain("€60.00 of €89.01 received")
  })

  test("shows a seen payment as waiting for confirmation, without a payment link", async () => {
    const seen = { ...waiting, timeline: [...waiting.timeline, happened("seen", 2)] }
    const asking = (it: Element) =>
      attribute(it, "href") === pay.url && attribute(it, "class") === "main button"
    expect(elements(await page(waiting), asking)).toHaveLength(1)
    const document = await page(seen)
    expect(elements(document, asking)).toEqual([])
    const now = elements(document, (it) => attribute(it, "aria-current") === "step")
    expect(now.map(textOf)).toEqual(["The payment is being confirmed"])
    expect(linksTo(document, pay.url)).toEqual(["Pay at pay.example"])
  })

  test("for an upsell ends with the connections and links back to the service", async () => {
    const document = await page(upsell, "es-es")
    expect(textOf(document)).toContain("Conexiones añadidas")
    expect(textOf(document)).not.toContain("Acceso listo")
    expect(linksTo(document, "/es-es/success?serviceid=service")).toEqual(["Volver a tu acceso"])
  })
})

describe("an expired order on the waiting screen", () => {
  const expired = { ...waiting, timeline: [happened("placed", 0), happened("expired", 1440)], pay: null }

  test("shows the expiry and one button that starts again with the same choices", async () => {
    const document = await page({ ...expired, order: anOrder({ kind: "plan", status: "expired" }) })
    expect(textOf(document)).toContain("A payment that is already on its way is not lost")
    expect(textOf(document)).toMatch(/Order expiredNov 21, 4:40 PM$/)
    expect(sentBy(document)).toEqual([["intent", "again"]])
  })

  test("shows what happened to received money", async () => {
    const order = anOrder({ kind: "plan", status: "expired", received: money(6000, "EUR") })
    const text = textOf(await page({ ...expired, order }))
    expect(text).toContain("The €60.00 you have paid is recorded")
    expect(text).not.toContain("is already on its way")
  })
})

function linksTo(document: Document, address: string): string[] {
  return elements(document, (it) => attribute(it, "href") === address).map(textOf)
}

/** Fields that the page's only form submits. */
function sentBy(document: Document): [string, string][] | undefined {
  const [form, ...others] = formsIn(document)
  expect(others).toEqual([])
  return form?.submission(form.button({}), {}).entries
}
