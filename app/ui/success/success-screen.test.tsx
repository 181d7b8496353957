import { describe, expect, test } from "vitest"
import { money } from "~/domain/money/money"
import type { Service } from "~/domain/services/service"
import { anOrder, placedAt } from "../../../tests/fixtures/offer"
import { rendered } from "../../../tests/fixtures/render-screen"
import { withoutTerm } from "../../../tests/fixtures/without-term"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { SupportContext } from "../layout/support-link"
import type { UpsellOffer } from "../upsell/upsell-panel"
import { SuccessScreen } from "./success-screen"

const noWords = { name: null, note: null, minutes: null }

const service: Service = {
  id: "service",
  orderId: "7K3QWZ9MTB",
  customerId: "customer",
  productId: "3",
  name: "12 months",
  username: "TV8K3QWZ7M",
  password: "4480127395",
  host: "https://tv.example.com",
  kind: "plan",
  status: "Active",
  connections: 2,
  proxyProtection: false,
  cycle: "annually",
  currency: "EUR",
  deviceAddress: null,
  notes: "",
  ...withoutTerm,
}
const upsell: UpsellOffer = {
  services: [
    { id: "service", name: "12 months", username: "TV8K3QWZ7M", connections: 2, unit: money(1990, "EUR") },
  ],
  chosen: "service",
  quantity: 3,
  key: "key-1",
  gateways: [{ id: "offshore", host: "pay.test", coins: [], isDegraded: false, words: noWords }],
  gateway: "offshore",
}
const shown = {
  order: anOrder({ status: "active", received: money(8901, "EUR") }),
  service,
  ready: true,
  delayed: false,
  unsettled: false,
  reloads: null,
  timeZone: "UTC",
  services: [],
  confirming: null,
  done: null,
  doneText: null,
  timeline: [{ kind: "placed", at: placedAt, amount: null, reference: null }],
  playlistPath: "/success/playlist.m3u8?line=service",
  playlistQr: "<svg></svg>",
  playlistAddress: "https://shop.test/checkout/success/playlist.m3u8?line=service&key=k",
  links: { guides: null, speedTest: null, support: null },
  lastResult: null,
  failed: null,
  upsell: null,
  passwordForm: null,
  accountLink: null,
  orderEmail: null,
  unpaid: null,
  renewal: null,
  lastTerm: null,
  planPart: { next: null, change: null },
  isUpsellOpen: false,
  isEmailOpen: false,
  address: null,
  head: {
    isFirst: true,
    heading: null,
    pill: { tone: "good", text: "Active" },
    until: null,
    notes: [],
    renews: null,
  },
  setup: { heading: "Set up a device", devices: [], apps: [] },
  ifNotRenewed: null,
  payments: null,
  texts: {
    details: "Login details",
    qr: "QR code",
    qrNote: "Scan it",
    register: "Register a box",
    email: "Your email",
    addConnection: "Add a connection",
    changing: null,
    settingUp: null,
    renewalGone: "No longer open",
  },
} as const

describe("the service page", () => {
  test("shows the credentials as text and the playlist link", async () => {
    const document = await rendered(<SuccessScreen {...shown} />)
    // Paper shows the covered ones by a copy of their own.
    const isOnScreen = (it: Parameters<typeof attribute>[0]) =>
      it.tagName === "code" && attribute(it, "class") !== "printed"
    const values = elements(document, isOnScreen).map(textOf)
    expect(values).toEqual(["TV8K3QWZ7M", "4480127395", "https://tv.example.com", shown.playlistAddress])
    const link = `/checkout${shown.playlistPath}`
    expect(elements(document, (it) => attribute(it, "href") === link)).toHaveLength(1)
  })

  test.each([
    ["en-en", "Order 7K3QWZ9MTB isn’t paid yet: €5.00 due.", "/waiting?order=7K3QWZ9MTB"],
    [
      "de-de",
      "Bestellung 7K3QWZ9MTB ist noch nicht bezahlt: 5,00 € sind offen.",
      "/de-de/waiting?order=7K3QWZ9MTB",
    ],
  ] as const)(
    "in %s shows the unpaid amount of an upsell and links to its payment",
    async (locale, message, waiting) => {
      const unpaid = { id: "7K3QWZ9MTB", kind: "upsell", left: money(500, "EUR"), payRest: null } as const
      const document = await rendered(<SuccessScreen {...shown} order={null} unpaid={unpaid} />, locale)
      const text = textOf(document).replace(/\s/g, " ")
      expect(text).toContain(message)
      expect(text).not.toMatch(/Paid|bezahlt, Bestellung/)
      expect(elements(document, (it) => attribute(it, "href") === waiting)).toHaveLength(1)
    },
  )

  test("the rest of a partly paid renewal comes before the status and the form of another renewal", async () => {
    const payRest = "Pay the remaining €5.00"
    const unpaid = { id: "7K3QWZ9MTB", kind: "renewal", left: money(500, "EUR"), payRest } as const
    const head = { ...shown.head, isFirst: false }
    const document = await rendered(<SuccessScreen {...shown} head={head} order={null} unpaid={unpaid} />)
    const text = textOf(document).replace(/\s/g, " ")
    expect(text.indexOf(payRest)).toBeGreaterThan(0)
    expect(text.indexOf(payRest)).toBeLessThan(text.indexOf("Active"))
    expect(text).not.toContain("Back to payment")
  })

  test("the list says until when each service runs that has an end", async () => {
    const until = { text: "Free trial until 14 March 2028 at 00:30", at: "2028-03-13T23:30:00.000Z" }
    const services = [
      { ...service, label: service.username, until },
      { ...service, label: service.username, id: "other", until: null },
    ]
    const document = await rendered(<SuccessScreen {...shown} services={services} />)
    const times = elements(document, ({ tagName }) => tagName === "time").filter(
      (it) => attribute(it, "datetime") === until.at,
    )
    expect(times.map(textOf)).toEqual([until.text])
  })

  test("a suspended service shows neither a tick nor a payment", async () => {
    const stopped: Service = { ...service, status: "Suspended" }
    const head = {
      ...shown.head,
      isFirst: false,
      heading: "Your access is paused",
      pill: { tone: "near" as const, text: "Paused" },
      until: { text: "Ended on 14 March 2028", at: "2028-03-14T00:00:00.000Z" },
    }
    const document = await rendered(
      <SuccessScreen
        {...shown}
        service={stopped}
        head={head}
        ready={false}
        services={[{ ...stopped, label: stopped.username, until: null }]}
      />,
    )
    const tick = (it: Parameters<typeof attribute>[0]) =>
      attribute(it, "d") === "M5 12.500l4.500 4.500L19 7.500"
    expect(elements(document, tick)).toEqual([])
    expect(textOf(document)).toContain("Ended on 14 March 2028")
    expect(textOf(document)).not.toMatch(/paid/i)
  })

  test.each(["plan", "renewal", "upsell", "topup"] as const)(
    "a payment of kind %s is said on a line of its own, before the plan",
    async (kind) => {
      const document = await rendered(
        <SuccessScreen {...shown} order={anOrder({ status: "active", kind })} />,
      )
      const leads = elements(document, (it) => attribute(it, "class") === "lead").map(textOf)
      expect(leads).toEqual([
        expect.stringMatching(/^Paid \S+, order 7K3QWZ9MTB$/),
        expect.stringMatching(/^12 months · 2 connections$/),
      ])
    },
  )

  test("a stopped service that cannot be renewed here leads to support, and one that works does not", async () => {
    const stopped: Service = { ...service, status: "Suspended" }
    const support = "mailto:help@shop.test"
    const linksOf = async (it: Service) =>
      elements(
        await rendered(
          <SupportContext value={support}>
            <SuccessScreen {...shown} service={it} ready={it.status === "Active"} />
          </SupportContext>,
        ),
        (element) => attribute(element, "href") === support,
      ).length
    expect([await linksOf(stopped), await linksOf(service)]).toEqual([1, 0])
  })

  test("a refund is told plainly, and not as a success", async () => {
    const amount = money(-8901, "EUR")
    const timeline = [{ kind: "refunded", at: placedAt, amount, reference: null }] as const
    const document = await rendered(<SuccessScreen {...shown} timeline={timeline} />)
    const notice = elements(document, (it) => attribute(it, "class") === "notice plain")
    expect(notice.map(textOf)).toEqual(["Payment refunded · €89.01"])
  })

  test("lists payments, and prints the last one's receipt, or shows the one that is asked for", async () => {
    const order = anOrder({ status: "active" })
    const receipt = {
      isAsked: false,
      orderId: order.id,
      invoice: { label: "Invoice", number: "1042" },
      day: "14 March 2028",
      lines: order.lines,
      total: order.total,
      credit: money(500, "EUR"),
      credited: null,
      refund: money(300, "EUR"),
      seller: "Northlight Media Ltd",
      tax: "Includes 19 % VAT.",
      documents: [{ text: "Invoice 2028-000001 (PDF)", href: "/checkout/documents/2028-000001.pdf" }],
    }
    const texts = {
      heading: "Payments",
      receipt: "Receipt",
      earlier: "Earlier",
      order: "Order",
      date: "Date",
      seller: "Seller",
      credit: "From your credit",
      credited: "Now account credit",
      refunded: "Refunded",
    }
    const rows = ["A", "B", "C", "D"].map((id) => ({
      id,
      line: { kind: "discount" as const, code: id, amount: money(-100, "EUR") },
      total: money(1200, "EUR"),
      day: "14 March 2028",
      notes: "Refunded €3.00",
    }))
    const payments = { query: "serviceid=service", rows, receipt, withdrawal: null, texts }
    const document = await rendered(<SuccessScreen {...shown} payments={payments} />)
    const hrefs = elements(document, ({ tagName }) => tagName === "a").map((it) => attribute(it, "href"))
    expect(hrefs.filter((it) => it?.includes("receipt="))).toHaveLength(4)
    const receipts = (of: Parameters<typeof elements>[0]) =>
      elements(of, (it) => (attribute(it, "class") ?? "").startsWith("receipt"))
    const [printed] = receipts(document)
    expect(printed && attribute(printed, "class")).toBe("receipt printed")
    expect(printed && textOf(printed)).toContain("Northlight Media Ltd")
    expect(printed && textOf(printed)).toContain("Includes 19 % VAT.")
    expect(elements(document, ({ tagName }) => tagName === "dd").map(textOf)).toEqual(
      expect.arrayContaining([order.id, "1042"]),
    )
    expect(printed && textOf(printed)).toContain("Refunded − €3.00")
    expect(textOf(document)).toContain("14 March 2028 Refunded €3.00")
    const asked = { ...payments, receipt: { ...receipt, isAsked: true } }
    const [onScreen] = receipts(await rendered(<SuccessScreen {...shown} payments={asked} />))
    expect(onScreen && attribute(onScreen, "class")).toBe("receipt")
    const withdrawal = "/checkout/withdraw?order=A"
    const linksTo = (of: Parameters<typeof elements>[0]) =>
      elements(of, (it) => attribute(it, "href") === withdrawal)
    expect(linksTo(document)).toEqual([])
    const open = await rendered(<SuccessScreen {...shown} payments={{ ...payments, withdrawal }} />)
    expect(linksTo(open).map(textOf)).toEqual(["Withdraw from an order"])
  })

  test("confirms a purchase once, and is a place for the service afterwards", async () => {
    const first = textOf(await rendered(<SuccessScreen {...shown} />))
    expect(first).toContain("You’re all set")
    expect(first).not.toContain("Active")
    const head = { ...shown.head, isFirst: false, heading: "Your access" }
    const later = textOf(await rendered(<SuccessScreen {...shown} head={head} />))
    expect(later).toContain("Your access")
    expect(later).toContain("Active")
    expect(later).not.toContain("You’re all set")
  })

  test("has no button that requires script", async () => {
    const document = await rendered(<SuccessScreen {...shown} />)
    const buttons = elements(document, ({ tagName }) => tagName === "button")
    expect(buttons.map((it) => attribute(it, "value"))).toEqual(["device", "restart", "notes"])
  })

  test.each([
    [false, "Setup takes a few seconds"],
    [true, "Setup is taking longer than usual"],
  ])("shows no credentials before provisioning, and how long it takes", async (delayed, message) => {
    const pending: Service = { ...service, status: "Pending", host: null }
    const screen = <SuccessScreen {...shown} service={pending} ready={false} delayed={delayed} />
    const text = textOf(await rendered(screen))
    expect(text).toContain(message)
    expect(text.includes("Usually soon after")).toBe(!delayed)
    expect(text).not.toContain(service.password)
  })

  test.each([
    ["en-en", "are being created"],
    ["de-de", "werden erstellt"],
  ] as const)("in %s shows that the service is being recreated instead of paid", async (locale, message) => {
    const timeline = [{ kind: "recreated", at: placedAt, amount: null, reference: null }] as const
    const pending: Service = { ...service, status: "Pending", host: null }
    const screen = (
      <SuccessScreen {...shown} order={null} service={pending} ready={false} timeline={timeline} />
    )
    const text = textOf(await rendered(screen, locale))
    expect(text).toContain(message)
    expect(text).not.toMatch(/Payment received|Zahlung ist eingegangen/)
  })

  test("without script a page that waits can be kept from reloading", async () => {
    const reloads = { text: "Stop reloading this page", path: "?still=" }
    const document = await rendered(<SuccessScreen {...shown} unsettled reloads={reloads} />)
    const [link] = elements(document, (it) => attribute(it, "href") === "?still=")
    expect(link && textOf(link)).toBe("Stop reloading this page")
  })

  test("shows that paid connections are being added, together with the working credentials", async () => {
    const text = textOf(await rendered(<SuccessScreen {...shown} unsettled />))
    expect(text).toContain("The connections are being added")
    expect(text).toContain(service.password)
  })

  test("asks for confirmation before recreating the service, in place of the button", async () => {
    const document = await rendered(<SuccessScreen {...shown} confirming="recreate" />)
    expect(elements(document, (it) => attribute(it, "value") === "recreate")).toHaveLength(1)
    expect(elements(document, (it) => attribute(it, "value") === "restart")).toEqual([])
    expect(textOf(document)).toContain("The current ones stop working")
  })

  test("shows only the help links that the operator configured", async () => {
    const links = { guides: "https://help.test/guides", speedTest: null, support: "mailto:help@shop.test" }
    const document = await rendered(<SuccessScreen {...shown} links={links} />)
    const linksTo = (address: string) => elements(document, (it) => attribute(it, "href") === address).length
    expect([linksTo(links.guides), linksTo(links.support)]).toEqual([1, 1])
    expect(textOf(document)).not.toContain("Speed test")
  })

  test("links the playlist to a player app and to its store", async () => {
    const apps = [{ name: "VLC", open: "vlc-x-callback://x?url=y", store: "https://store.test/vlc" }]
    const setup = { heading: "Set up a device", devices: [], apps }
    const document = await rendered(<SuccessScreen {...shown} setup={setup} />)
    const links = elements(document, ({ tagName }) => tagName === "a").map((it) => attribute(it, "href"))
    expect(links).toContain("vlc-x-callback://x?url=y")
    expect(links).toContain("https://store.test/vlc")
  })

  test("keeps an invalid device address with its error", async () => {
    const lastResult = {
      status: "error" as const,
      initialValue: { intent: "device", deviceAddress: "not a device" },
      error: { deviceAddress: ["device.invalid"] },
    }
    const document = await rendered(<SuccessScreen {...shown} lastResult={lastResult} />)
    const [field] = elements(document, (it) => attribute(it, "name") === "deviceAddress")
    expect(field && attribute(field, "value")).toBe("not a device")
    expect(textOf(document)).toContain("Please enter a device address")
  })

  test("says why a renewal was refused that is no longer offered", async () => {
    const lastResult = {
      status: "error" as const,
      initialValue: { intent: "renew" },
      error: { "": ["not-renewable"] },
    }
    const document = await rendered(<SuccessScreen {...shown} lastResult={lastResult} />)
    const alerts = elements(document, (it) => attribute(it, "role") === "alert").map(textOf)
    expect(alerts).toEqual(["No longer open"])
  })

  test("lists every service of a customer and marks the current one", async () => {
    const own = { ...service, label: service.username, until: null }
    const other = { ...own, id: "other", label: "TVOTHER234" }
    const document = await rendered(<SuccessScreen {...shown} services={[own, other]} />)
    const [marked] = elements(
      document,
      (it) => attribute(it, "aria-current") === "true" && it.tagName === "a",
    )
    expect(marked && textOf(marked)).toContain("TV8K3QWZ7M")
    expect(
      elements(document, (it) => attribute(it, "href")?.includes("serviceid=other") ?? false),
    ).toHaveLength(1)
  })

  test.each([
    ["en-en", "€19.90 each", "€59.70"],
    ["de-de", "je 19,90 €", "59,70 €"],
  ] as const)("in %s shows the unit price and the total of more connections", async (locale, each, total) => {
    const text = textOf(await rendered(<SuccessScreen {...shown} upsell={upsell} />, locale))
    const plain = text.replace(/\s/g, " ")
    expect(plain).toContain(each)
    expect(plain).toContain(total)
  })
})
