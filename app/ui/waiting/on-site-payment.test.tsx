import type { ReactNode } from "react"
import { expect, test } from "vitest"
import { money } from "~/domain/money/money"
import { placedAt } from "../../../tests/fixtures/offer"
import { rendered } from "../../../tests/fixtures/render-screen"
import { waitingTexts } from "../../../tests/fixtures/waiting-texts"
import { formsIn } from "../../../tests/support/html/html-form"
import { attribute, type Element, elements, textOf } from "../../../tests/support/html/html-tree"
import { HostedPayment } from "./hosted-payment"
import { OnSitePayment, QuoteExpired } from "./on-site-payment"
import { RetryPayment } from "./retry-payment"

const transfer = {
  coin: { currency: "BTC", network: "CHAIN" },
  amount: "0.00158",
  address: "bc1qxyz",
  uri: "bitcoin:bc1qxyz?amount=0.00158",
  expiresAt: placedAt,
  seen: "0",
  confirmations: null,
}
const pay = {
  url: "https://pay.example/i/1",
  host: "pay.example",
  qr: "<svg></svg>",
  isTest: false,
  ended: false,
  expired: false,
  isProcessing: false,
  coin: transfer.coin,
  transfer,
}
const due = { texts: waitingTexts }

test("an on-site payment shows exact amount, address and network", async () => {
  const page = textOf(await rendered(<OnSitePayment {...due} pay={pay} />))
  for (const part of ["0.00158", "bc1qxyz", "Send only Bitcoin", "withdrawal fee"]) {
    expect(page).toContain(part)
  }
  expect(page).not.toContain("detected so far")
})

test("a Lightning invoice takes its own amount: nobody is told to add an exchange's fee to it", async () => {
  const lightning = { ...transfer, coin: { currency: "BTC", network: "LN" } }
  const page = textOf(await rendered(<OnSitePayment {...due} pay={{ ...pay, transfer: lightning }} />))
  expect(page).not.toContain("withdrawal fee")
})

test.each([
  ["en-en", "Test mode: no real payments."],
  ["de-de", "Testmodus: Es fließt kein Geld."],
] as const)('in %s the QR code of a test payment has "test" beside it', async (locale, message) => {
  const besideQr = async (screen: ReactNode) => {
    const isQr = (it: Element) => attribute(it, "class")?.split(" ").includes("qr") ?? false
    const [qr] = elements(await rendered(screen, locale), isQr)
    return qr && textOf(qr)
  }
  const hosted = { ...due, pay }
  expect(await besideQr(<HostedPayment {...hosted} />)).not.toContain(message)
  expect(await besideQr(<OnSitePayment {...due} pay={pay} />)).not.toContain(message)
  const test = { ...pay, isTest: true }
  expect(await besideQr(<HostedPayment {...hosted} pay={test} />)).toContain(message)
  expect(await besideQr(<OnSitePayment {...due} pay={test} />)).toContain(message)
})

test("links to the gateway's page without a referrer", async () => {
  const page = await rendered(<OnSitePayment {...due} pay={pay} />)
  const [link] = elements(page, (it) => attribute(it, "href") === pay.url)
  expect(link && attribute(link, "rel")).toBe("noreferrer")
})

test("a coin whose address is no link has no button that opens a wallet", async () => {
  const shown = async (texts: typeof waitingTexts) =>
    elements(
      await rendered(<OnSitePayment texts={texts} pay={pay} />),
      (it) => attribute(it, "href") === transfer.uri,
    ).map(textOf)
  expect(await shown(waitingTexts)).toEqual([waitingTexts.wallet])
  expect(await shown({ ...waitingTexts, wallet: null })).toEqual([])
})

test("shows a seen payment, with confirmations if the gateway reports them", async () => {
  const seen = { ...transfer, seen: "0.00100000", confirmations: 2 }
  const page = textOf(await rendered(<OnSitePayment {...due} pay={{ ...pay, transfer: seen }} />))
  expect(page).toContain("0.00100000 BTC detected so far. 2 confirmations so far.")
})

test("an expired quote is renewed by a button, also without script", async () => {
  const over = { pay: { ...pay, transfer: null }, texts: waitingTexts, error: null }
  const page = await rendered(<QuoteExpired {...over} />)
  expect(linksOf(page)).toContain("/?paid")
  const [form] = formsIn(page)
  expect(form?.submission(form.button({ value: "quote" }), {}).entries).toEqual([["intent", "quote"]])
})

const again = { received: money(0, "EUR"), pay, texts: waitingTexts, error: null }

test("a failed payment is retried by a button", async () => {
  const page = await rendered(<RetryPayment {...again} />)
  expect(linksOf(page)).toEqual([])
  const [form] = formsIn(page)
  expect(form?.submission(form.button({ value: "retry" }), {}).entries).toEqual([["intent", "retry"]])
})

test("a payment whose time has run out is retried by a button too, unless the buyer has paid already", async () => {
  const page = await rendered(<RetryPayment {...again} pay={{ expired: true }} />)
  expect(linksOf(page)).toEqual(["/?paid"])
  const [form] = formsIn(page)
  expect(form?.submission(form.button({ value: "retry" }), {}).entries).toEqual([["intent", "retry"]])
})

test.each([
  ["en-en", "What has arrived counts. The rest is a new payment."],
  ["de-de", "Was eingegangen ist, zählt. Der Rest ist eine neue Zahlung."],
  ["es-es", "Lo recibido cuenta. El resto se paga con un pago nuevo."],
] as const)(
  "in %s the rest of a partial payment is a new payment by one button, without a link to the old one",
  async (locale, message) => {
    const partly = { ...again, received: money(6000, "EUR"), hasOtherMethods: false }
    const page = await rendered(<RetryPayment {...partly} />, locale)
    expect(textOf(page).replace(/\s/g, " ")).toContain(message)
    const [form] = formsIn(page)
    expect(form?.submission(form.button({ value: "retry" }), {}).entries).toEqual([["intent", "retry"]])
    expect(elements(page, (it) => attribute(it, "href") === pay.url)).toEqual([])
    expect(elements(page, (it) => it.tagName === "svg")).toEqual([])
  },
)

test.each([
  ["not-opened", "This payment could not be opened. Your order is saved."],
  ["too-many", "Too many payments in a short time."],
  ["no-more", "No more payments can be opened for this order."],
] as const)(
  "shows why no other payment was opened at the button that requested it (%s)",
  async (kind, message) => {
    const page = await rendered(<RetryPayment {...again} error={{ requestedBy: "pay", kind }} />)
    const [alert] = elements(page, (it) => attribute(it, "role") === "alert")
    expect(alert && textOf(alert)).toContain(message)
  },
)

/** Where the links lead that ask nothing of the gateway. */
function linksOf(page: Awaited<ReturnType<typeof rendered>>): string[] {
  return elements(page, ({ tagName }) => tagName === "a")
    .map((it) => attribute(it, "href") ?? "")
    .filter((href) => href !== pay.url)
}
