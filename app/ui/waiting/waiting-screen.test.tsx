import { describe, expect, test } from "vitest"
import { HOUR, MINUTE } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { TimelineKind } from "~/domain/orders/timeline"
import { anOrder, placedAt } from "../../../tests/fixtures/offer"
import { rendered } from "../../../tests/fixtures/render-screen"
import { buying, waitingTexts } from "../../../tests/fixtures/waiting-texts"
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
  expired: false,
  isProcessing: false,
  coin: null,
  transfer: null,
}
const waiting: Props = {
  orderEmail: null,
  texts: waitingTexts,
  buying,
  notes: [],
  order: anOrder({ kind: "plan" }),
  timeline: [happened("placed", 0), happened("handed-off", 1)],
  accountCredit: money(0, "EUR"),
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
  refreshSeconds: null,
  reloads: null,
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
    ]) {
      expect(text).toContain(message)
    }
  })

  test.each([
    ["a payable order", waiting],
    ["an expired order", { ...waiting, order: anOrder({ kind: "plan", status: "expired" }), pay: null }],
  ] as const)("names what is bought and its total on the page of %s", async (_what, shown) => {
    const text = textOf(await page(shown))
    expect(text).toContain("What you’re buying")
    expect(text).toContain("Runs until 20 November 2027, if you pay today")
    expect(text).toContain("It doesn’t renew by itself.")
    expect(text).toContain("Includes 19 % VAT.")
    for (const line of shown.order.lines) {
      if (line.kind === "plan") expect(text).toContain(line.name)
    }
    expect(text).toContain("Total €89.01")
    expect(text).toContain("Order 7K3QWZ9MTB")
  })

  test("shows the step, or how much of the money has arrived, without script", async () => {
    const bar = async (shown: Props) => {
      const [found] = elements(await page(shown), ({ tagName }) => tagName === "progress")
      return found && [attribute(found, "value"), attribute(found, "max")]
    }
    expect(await bar(waiting)).toEqual(["1", "3"])
    expect(await bar({ ...waiting, timeline: [...waiting.timeline, happened("seen", 2)] })).toEqual([
      "2",
      "3",
    ])
    expect(await bar(partly)).toEqual(["6000", "8901"])
  })

  test("says in words until when to pay, and counts in the last quarter alone", async () => {
    const early = textOf(await page(waiting))
    expect(early).toContain("Pay by tomorrow at 16:40 CET.")
    expect(early).not.toContain("left")
    const late = textOf(await page({ ...waiting, now: placedAt + 19 * HOUR }))
    expect(late).toContain("Pay by tomorrow at 16:40 CET. 5 hours left")
  })

  test("leads who has paid to a page of their own, which does not ask for money", async () => {
    expect(linksTo(await page(waiting), "/?paid")).toEqual(["I’ve already paid"])
    const document = await page({ ...waiting, state: "paid" })
    expect(textOf(document)).toContain("We’re looking for your payment Please don’t pay again.")
    expect(linksTo(document, pay.url)).toEqual([])
    expect(linksTo(document, "mailto:help@shop.example")).toEqual(["Write to support"])
    const arrived = {
      ...waiting,
      timeline: [...waiting.timeline, happened("seen", 2)],
      state: "paid" as const,
    }
    expect(textOf(await page(arrived))).toContain("Payment detected")
  })

  test("says how long the order is kept, if the open payment ends before", async () => {
    const timeLeft = { from: placedAt + 9 * HOUR, until: placedAt + 10 * HOUR }
    const text = textOf(await page({ ...waiting, timeLeft }, "de-de"))
    expect(text).toContain("Ihre Bestellung bleibt bis Sa., 21. Nov. 2026, 16:40 MEZ bestehen.")
    expect(textOf(await page(waiting, "de-de"))).not.toContain("Ihre Bestellung bleibt bis")
  })

  test("asks for no payment by a time once one has been seen", async () => {
    const seen = { ...waiting, timeline: [...waiting.timeline, happened("seen", 2)] }
    expect(textOf(await page(waiting))).toContain(waitingTexts.payBy)
    expect(textOf(await page(seen))).not.toContain(waitingTexts.payBy)
  })

  test("links to the payment and shows only the rest after a partial payment", async () => {
    const document = await page(partly)
    expect(linksTo(document, pay.url)).toEqual([waitingTexts.pay])
    expect(textOf(document)).toContain("Received − €60.00")
    expect(textOf(document)).toContain("Still to pay €29.01")
    expect(textOf(document)).toContain("€60.00 of €89.01 received")
  })

  test("counts account credit among what pays the order, before and after a partial payment", async () => {
    const credit = { ...waiting, accountCredit: money(1000, "EUR"), left: money(7901, "EUR") }
    const contents = async (shown: Props) => textOf(await page(shown)).replaceAll("\u00a0", " ")
    expect(await contents(credit)).toContain("Total €89.01 From your credit − €10.00 Still to pay €79.01")
    const document = await page({ ...credit, order: partly.order, left: money(1901, "EUR") })
    expect(textOf(document).replaceAll("\u00a0", " ")).toContain(
      "Total €89.01 From your credit − €10.00 Received − €60.00 Still to pay €19.01",
    )
    expect(textOf(document)).toContain("€60.00 of €79.01 received")
    const [bar] = elements(document, ({ tagName }) => tagName === "progress")
    expect(bar && [attribute(bar, "value"), attribute(bar, "max")]).toEqual(["6000", "7901"])
  })

  test("shows a seen payment as waiting for confirmation, without a payment link", async () => {
    const seen = { ...waiting, timeline: [...waiting.timeline, happened("seen", 2)] }
    const asking = (it: Element) =>
      attribute(it, "href") === pay.url && attribute(it, "class") === "main button"
    expect(elements(await page(waiting), asking)).toHaveLength(1)
    const document = await page(seen)
    expect(elements(document, asking)).toEqual([])
    const now = elements(document, (it) => attribute(it, "aria-current") === "step")
    expect(now.map(textOf)).toEqual(["Confirming your payment"])
    expect(linksTo(document, pay.url)).toEqual([])
    expect(linksTo(document, "/")).toEqual([waitingTexts.check])
  })

  test("leads who has paid a payment whose time has run out to that page too, unlike a failed one", async () => {
    const ended = { ...waiting, pay: { ...pay, ended: true } }
    const expired = { ...waiting, pay: { ...pay, ended: true, expired: true } }
    expect(linksTo(await page(ended), "/?paid")).toEqual([])
    expect(linksTo(await page(expired), "/?paid")).toEqual([waitingTexts.alreadyPaid])
    const looking = "We’re looking for your payment"
    expect(textOf(await page({ ...ended, state: "paid" }))).not.toContain(looking)
    expect(textOf(await page({ ...expired, state: "paid" }))).toContain(looking)
  })

  test("shows how much of a coin has been seen, and nothing to pay with", async () => {
    const coin = { currency: "BTC", network: "BTC" }
    const transfer = {
      coin,
      amount: "0.00158",
      address: "bc1qxyz",
      uri: "bitcoin:bc1qxyz?amount=0.00158",
      expiresAt: placedAt + HOUR,
      seen: "0.00158",
      confirmations: 2,
    }
    const seen: Props = {
      ...waiting,
      pay: { ...pay, coin, transfer, isProcessing: true },
      timeline: [...waiting.timeline, happened("seen", 2)],
    }
    const text = textOf(await page(seen))
    expect(text).toContain("0.00158 BTC detected so far. 2 confirmations so far.")
    expect(text).not.toContain(transfer.address)
    expect(text).not.toContain(waitingTexts.wallet)
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

  test("says what the payment leads to as a plan, not as done", async () => {
    const note = "The payment renews 1 month until 1 February."
    const [shown, ...others] = elements(
      await page({ ...waiting, notes: [note] }),
      (it) => attribute(it, "class")?.split(" ").includes("notice") ?? false,
    )
    expect(others).toEqual([])
    expect(shown && [textOf(shown), attribute(shown, "class")]).toEqual([note, "notice plain"])
  })

  test("shows the expiry and one button that starts again with the same choices", async () => {
    const texts = { ...waitingTexts, lead: "A payment already on its way isn’t lost." }
    const document = await page({ ...expired, texts, order: anOrder({ kind: "plan", status: "expired" }) })
    expect(textOf(document)).toContain(texts.lead)
    expect(textOf(document)).toMatch(/Order expired21 Nov, 16:40/)
    expect(sentBy(document)).toEqual([["intent", "again"]])
  })

  test("shows what happened to received money", async () => {
    const order = anOrder({ kind: "plan", status: "expired", received: money(6000, "EUR") })
    const text = textOf(await page({ ...expired, order }))
    expect(text).toContain("Received − €60.00")
    expect(text).not.toContain("Still to pay")
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
