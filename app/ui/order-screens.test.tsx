import { describe, expect, test } from "vitest"
import { anOrder, placedAt } from "../../tests/factories/offer"
import { rendered } from "../../tests/factories/rendered"
import { formsIn } from "../../tests/html-form"
import { attribute, elements, textOf } from "../../tests/html-tree"
import { HOUR, MINUTE } from "../domain/calendar"
import { money } from "../domain/money"
import type { Service } from "../domain/service"
import type { TimelineKind } from "../domain/timeline"
import { ReviewScreen } from "./review-screen"
import { SuccessScreen } from "./success-screen"
import { WaitingScreen } from "./waiting-screen"

const happened = (kind: TimelineKind, minutes: number) => ({
  ...{ kind, at: placedAt + minutes * MINUTE, amount: null, reference: null },
})
const pay = { url: "https://pay.example/p/1", host: "pay.example", qr: "<svg></svg>" }
const waiting = {
  order: anOrder(),
  timeline: [happened("placed", 0), happened("handed-off", 1)],
  left: money(8901, "EUR"),
  pay,
  now: placedAt + 9 * HOUR,
  timeZone: "Europe/Madrid",
}

describe("the waiting page", () => {
  test("tells what has happened, what comes next, and until when the order holds", async () => {
    const text = textOf(await rendered(<WaitingScreen {...waiting} />, "de-de"))
    for (const words of [
      "Bestellung 7K3QWZ9MTB",
      "Bestellung aufgegeben16:40",
      "Zahlung gestartet16:41",
      "89,01 € zu zahlen",
      "Noch 15 Std.",
      "bis Sa., 21. Nov. 2026, 16:40 MEZ",
    ]) {
      expect(text).toContain(words)
    }
  })

  test("shows how much of the time is left without script", async () => {
    const [bar] = elements(
      await rendered(<WaitingScreen {...waiting} />),
      ({ tagName }) => tagName === "progress",
    )
    expect(bar && [attribute(bar, "value"), attribute(bar, "max")]).toEqual([
      String(15 * HOUR),
      String(24 * HOUR),
    ])
  })

  test("leads to the payment, and asks only for the rest once part has come", async () => {
    const order = anOrder({ status: "partially-paid", received: money(6000, "EUR") })
    const document = await rendered(<WaitingScreen {...waiting} order={order} left={money(2901, "EUR")} />)
    const links = elements(document, (it) => attribute(it, "href") === pay.url)
    expect(links.map(textOf)).toEqual(["Pay at pay.example"])
    expect(textOf(document)).toContain("Pay the rest")
    expect(textOf(document)).toContain("€60.00 of €89.01 received")
  })

  test("says when an order has expired, what became of the money, and how to start again", async () => {
    const expired = { ...waiting, timeline: [happened("placed", 0), happened("expired", 1440)], pay: null }
    const unpaid = await rendered(<WaitingScreen {...expired} order={anOrder({ status: "expired" })} />)
    expect(textOf(unpaid)).toContain("Nothing has been charged.")
    expect(textOf(unpaid)).toMatch(/Order expiredNov 21, 4:40 PM$/)
    expect(elements(unpaid, (it) => attribute(it, "href") === "/").map(textOf)).toEqual(["Start again"])

    const order = anOrder({ status: "expired", received: money(6000, "EUR") })
    const partly = textOf(await rendered(<WaitingScreen {...expired} order={order} />))
    expect(partly).toContain("The €60.00 you have paid is recorded")
    expect(partly).not.toContain("Nothing has been charged")
  })
})

describe("the review step", () => {
  const { lines, total } = anOrder()
  const review = {
    quote: { lines, total },
    email: "ana@example.test",
    gatewayHost: "pay.example",
    draft: "key",
    problem: null,
    orderId: null,
  }

  test("is one form with one button that sends back what it showed", async () => {
    const [form, ...others] = formsIn(await rendered(<ReviewScreen {...review} />))
    expect(others).toEqual([])
    expect(form?.submission(form.button({}), {}).entries).toEqual([
      ["draft", "key"],
      ["total", "8901"],
    ])
  })

  test("says that the order is kept and nothing charged when the payment could not be opened", async () => {
    const screen = <ReviewScreen {...review} problem="payment-not-opened" orderId="7K3QWZ9MTB" />
    const [alert] = elements(await rendered(screen), (it) => attribute(it, "role") === "alert")
    expect(alert && textOf(alert)).toContain("Your order 7K3QWZ9MTB is kept, and nothing has been charged.")
  })
})

describe("the success page", () => {
  const service: Service = {
    ...{ id: "service", orderId: "7K3QWZ9MTB", customerId: "customer", productId: "3", name: "12 months" },
    ...{ username: "TV8K3QWZ7M", password: "4480127395", host: "https://tv.example.com" },
    ...{ status: "Active", connections: 2, proxyProtection: false },
  }
  const ready = {
    order: anOrder({ status: "active", received: money(8901, "EUR") }),
    service,
    ready: true,
    delayed: false,
    playlistPath: "/success/playlist.m3u8",
  }

  test("shows the credentials to be copied by hand, and the playlist", async () => {
    const document = await rendered(<SuccessScreen {...ready} />)
    const values = elements(document, ({ tagName }) => tagName === "code").map(textOf)
    expect(values).toEqual(["TV8K3QWZ7M", "4480127395", "https://tv.example.com"])
    expect(
      elements(document, (it) => attribute(it, "href") === "/checkout/success/playlist.m3u8"),
    ).toHaveLength(1)
  })

  test("has no button that would do nothing without script", async () => {
    const document = await rendered(<SuccessScreen {...ready} />)
    expect(elements(document, ({ tagName }) => tagName === "button")).toEqual([])
  })

  test.each([
    [false, "This takes a few seconds"],
    [true, "Setting up takes longer than usual"],
  ])("shows nothing that does not work yet, and says how long it takes", async (delayed, words) => {
    const pending: Service = { ...service, status: "Pending", host: null }
    const screen = <SuccessScreen {...ready} service={pending} ready={false} delayed={delayed} />
    const text = textOf(await rendered(screen))
    expect(text).toContain(words)
    expect(text).not.toContain(service.password)
  })
})
