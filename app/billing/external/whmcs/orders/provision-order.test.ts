import { afterEach, describe, expect, test } from "vitest"
import { SECOND } from "~/domain/calendar"
import {
  credentials,
  euros,
  paidAt,
  paymentOf,
  type WhmcsShop,
  whmcsShop,
} from "../../../../../tests/fixtures/whmcs-shop"

let shop: WhmcsShop
afterEach(() => shop.whmcs.close())

const callsOf = (action: string) => shop.whmcs.calls.filter((it) => it.action === action)
const booked = () => shop.whmcs.transactions.map(({ transid, amountIn }) => [transid, amountIn])
const states = () => [shop.whmcs.orders[0]?.status, shop.whmcs.invoices[0]?.status]

const WORKING = { status: "Active", ...credentials }

describe.each(["payment", "on", ""] as const)("where WHMCS sets up by itself: %j", (autosetup) => {
  test("a paid order is booked, accepted and set up once, however often it is said", async () => {
    shop = await whmcsShop({ autosetup })
    const paid = await paidAt(shop)
    expect(await shop.office.provision(paid)).toMatchObject(WORKING)
    expect(await shop.office.provision(paid)).toMatchObject(WORKING)
    expect([...states(), booked()]).toEqual(["Active", "Paid", [["tx-1", 1_200]]])
    expect(shop.whmcs.lines).toMatchObject([credentials])
  })

  test.each(["AddInvoicePayment", "AcceptOrder", "ModuleCreate", "UpdateClientProduct"])(
    "a lost answer to %s is gone on from",
    async (action) => {
      shop = await whmcsShop({ autosetup })
      const paid = await paidAt(shop)
      shop.whmcs.quirks.loseAnswer(action)
      await shop.office.provision(paid).catch(() => {})
      expect(await shop.office.provision(paid)).toMatchObject(WORKING)
      expect([...states(), booked()]).toEqual(["Active", "Paid", [["tx-1", 1_200]]])
      expect(shop.whmcs.lines.length).toBe(1)
    },
  )
})

test("a line without custom fields gets its access all the same", async () => {
  shop = await whmcsShop({ fieldNames: [], autosetup: "payment" }, { fields: noFields() })
  expect(await shop.office.provision(await paidAt(shop))).toMatchObject(WORKING)
})

test("a panel that says no is asked again later, and the money stays booked", async () => {
  shop = await whmcsShop()
  const paid = await paidAt(shop)
  shop.whmcs.quirks.panelRefuses = "The panel is away"
  await expect(shop.office.provision(paid)).rejects.toMatchObject({
    kind: "unavailable",
    message: expect.stringContaining("The panel is away"),
  })
  shop.whmcs.quirks.panelRefuses = null
  expect(await shop.office.provision(paid)).toMatchObject(WORKING)
  expect(booked()).toEqual([["tx-1", 1_200]])
})

test("a product without a module works once it is paid and accepted", async () => {
  const hosts = { plan: "https://tv.example.test", reseller: "https://panel.example.test" }
  shop = await whmcsShop({ module: "" }, { hosts })
  expect(await shop.office.provision(await paidAt(shop))).toMatchObject({ status: "Active" })
})

describe("money", () => {
  test("that came in parts is booked in parts, at the time of WHMCS's wall", async () => {
    shop = await whmcsShop({ timeZone: "Europe/Madrid" }, { timeZone: "Europe/Madrid" })
    const payments = [paymentOf(euros(500), "a"), paymentOf(euros(700), "b")]
    await shop.office.provision(await paidAt(shop, {}, { payments }))
    expect(booked()).toEqual([
      ["a", 500],
      ["b", 700],
    ])
    expect(shop.whmcs.transactions[0]?.date).toBe("2026-06-15 14:00:00")
  })

  test("above the price is no second credit there", async () => {
    shop = await whmcsShop()
    const payments = [paymentOf(euros(1_000), "a"), paymentOf(euros(900), "b")]
    await shop.office.provision(await paidAt(shop, {}, { payments }))
    expect(booked()).toEqual([
      ["a", 1_000],
      ["b", 200],
    ])
    expect(shop.whmcs.clients[0]?.credit).toBe(0)
  })

  test.each([
    ["nothing, paid from credit here", []],
    ["a little less than the price", [paymentOf(euros(1_195), "a")]],
  ])("that is %s leaves no invoice open", async (_, payments) => {
    shop = await whmcsShop()
    const paid = await paidAt(shop, {}, { payments })
    await shop.office.provision(paid)
    await shop.office.provision(paid)
    const total = shop.whmcs.transactions.reduce((sum, { amountIn }) => sum + amountIn, 0)
    expect([...states(), total]).toEqual(["Active", "Paid", 1_200])
  })

  test("that comes after the order was cancelled there brings it back", async () => {
    shop = await whmcsShop()
    const paid = await paidAt(shop)
    await shop.office.cancelOrder(paid)
    expect(await shop.office.provision({ ...paid, at: paid.at + SECOND })).toMatchObject(WORKING)
    expect(states()).toEqual(["Active", "Paid"])
  })

  test("that staff have booked already is not booked again", async () => {
    shop = await whmcsShop()
    const paid = await paidAt(shop)
    shop.whmcs.staff.markPaid(paid.invoiceId ?? "")
    expect(await shop.office.provision(paid)).toMatchObject({ status: "Active" })
    expect(booked()).toEqual([["", 1_200]])
  })
})

test("an order that cost nothing is set up without an invoice, and with one that is paid", async () => {
  shop = await whmcsShop()
  const paid = await paidAt(shop, { kind: "line" }, { payments: [], total: euros(0) })
  expect(paid.invoiceId).toBeNull()
  expect(await shop.office.provision(paid)).toMatchObject(WORKING)
  expect(callsOf("AddInvoicePayment")).toEqual([])
})

test("a line that is made anew has its new access, and the old one works no more", async () => {
  shop = await whmcsShop()
  const paid = await paidAt(shop)
  await shop.office.provision(paid)
  await shop.office.terminate({ ...paid, productId: "1" })
  expect(shop.whmcs.lines).toEqual([])
  const anew = { ...paid, anew: true, credentials: { username: "TVNEW", password: "999" } }
  const fresh = { status: "Active", username: "TVNEW", password: "999" }
  expect(await shop.office.provision(anew)).toMatchObject(fresh)
  expect(await shop.office.provision(anew)).toMatchObject(fresh)
  expect(shop.whmcs.lines).toMatchObject([{ username: "TVNEW", password: "999" }])
})

test("an order that staff hold as fraud is not set up, whatever was paid", async () => {
  shop = await whmcsShop()
  const paid = await paidAt(shop)
  shop.whmcs.staff.fraud(paid.orderId ?? "")
  await expect(shop.office.provision(paid)).rejects.toMatchObject({ kind: "refused" })
  expect([shop.whmcs.lines, booked()]).toEqual([[], []])
})

function noFields() {
  return { username: "User", password: "Pass", mac: "MAC" }
}
