import { inspect } from "node:util"
import { afterEach, describe, expect, test } from "vitest"
import { SECOND } from "~/domain/calendar"
import { callsTo, client } from "../../../../../tests/fakes/whmcs-simulator/test-client"
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

describe.each(["payment", "on", ""] as const)("provision with automatic set-up of WHMCS: %j", (autosetup) => {
  test("records the payment, accepts the order and creates the line once, even if repeated", async () => {
    shop = await whmcsShop({ autosetup })
    const paid = await paidAt(shop)
    expect(await shop.office.provision(paid)).toMatchObject(WORKING)
    expect(await shop.office.provision(paid)).toMatchObject(WORKING)
    expect([...states(), booked()]).toEqual(["Active", "Paid", [["tx-1", 1_200]]])
    expect(shop.whmcs.lines).toMatchObject([credentials])
  })

  test.each(["AddInvoicePayment", "AcceptOrder", "ModuleCreate", "UpdateClientProduct"])(
    "resumes after a lost response to %s",
    async (action) => {
      shop = await whmcsShop({ autosetup })
      const paid = await paidAt(shop)
      shop.whmcs.quirks.dropResponse(action)
      await shop.office.provision(paid).catch(() => {})
      expect(await shop.office.provision(paid)).toMatchObject(WORKING)
      expect([...states(), booked()]).toEqual(["Active", "Paid", [["tx-1", 1_200]]])
      expect(shop.whmcs.lines.length).toBe(1)
    },
  )
})

test("provision writes the credentials to a service without custom fields", async () => {
  shop = await whmcsShop({ fieldNames: [], autosetup: "payment" }, { fields: noFields() })
  expect(await shop.office.provision(await paidAt(shop))).toMatchObject(WORKING)
})

test("provision retries after a panel error and records the payment once", async () => {
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

test("provision accepts the order after the line if AcceptOrder is rejected while the module runs", async () => {
  shop = await whmcsShop({ autosetup: "" })
  const paid = await paidAt(shop)
  shop.whmcs.quirks.acceptanceRefused = "Another module action is running for this service"
  expect(await shop.office.provision(paid)).toMatchObject(WORKING)
  expect(states()).toEqual(["Active", "Paid"])
  expect(callsOf("AcceptOrder").map(({ params }) => params.autosetup)).toEqual(["1", "0"])
  expect([shop.whmcs.lines, booked()]).toMatchObject([[credentials], [["tx-1", 1_200]]])
})

test("provision returns the service with the unaccepted order if AcceptOrder is rejected twice, and accepts it later", async () => {
  shop = await whmcsShop({ autosetup: "" })
  const paid = await paidAt(shop)
  Object.assign(shop.whmcs.quirks, { acceptanceRefused: "Order locked", acceptanceRefusedFor: "every-call" })
  expect(await shop.office.provision(paid)).toMatchObject({
    status: "Active",
    unfinished: "WHMCS rejected AcceptOrder: Order locked",
  })
  expect(states()).toEqual(["Pending", "Paid"])
  shop.whmcs.quirks.acceptanceRefused = null
  expect(await shop.office.provision(paid)).not.toHaveProperty("unfinished")
  expect(states()).toEqual(["Active", "Paid"])
  expect([shop.whmcs.lines, booked()]).toMatchObject([[credentials], [["tx-1", 1_200]]])
})

test.each(["payment", ""] as const)(
  "the error of provision withholds a panel message with credentials, with automatic set-up %j",
  async (autosetup) => {
    shop = await whmcsShop({ autosetup })
    const [username, password] = ["TVABCDEFGH", "0123456789"]
    const paid = await paidAt(shop, { credentials: { username, password } })
    for (const repeated of [`User ${username} exists`, `Password ${password} is too short`]) {
      shop.whmcs.quirks.panelRefuses = repeated
      const error = await shop.office.provision(paid).catch((thrown: Error) => thrown)
      expect(error).toMatchObject({ kind: "unavailable", message: expect.stringContaining("withheld") })
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(repeated)
    }
  },
)

test("provision activates a service without a server module", async () => {
  const hosts = { plan: "https://tv.example.test", reseller: "https://panel.example.test" }
  shop = await whmcsShop({ module: "" }, { hosts })
  expect(await shop.office.provision(await paidAt(shop))).toMatchObject({ status: "Active" })
})

describe("provision", () => {
  test("records each partial payment with its time in WHMCS's time zone", async () => {
    shop = await whmcsShop({ timeZone: "Europe/Madrid" }, { timeZone: "Europe/Madrid" })
    const payments = [paymentOf(euros(500), "a"), paymentOf(euros(700), "b")]
    await shop.office.provision(await paidAt(shop, {}, { payments }))
    expect(booked()).toEqual([
      ["a", 500],
      ["b", 700],
    ])
    expect(shop.whmcs.transactions[0]?.date).toBe("2026-06-15 14:00:00")
  })

  test("records at most the invoice balance, so an overpayment gives no WHMCS credit", async () => {
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
    ["paid from local account credit", []],
    ["underpaid within the tolerance", [paymentOf(euros(1_195), "a")]],
  ])("closes the invoice of an order that is %s", async (_, payments) => {
    shop = await whmcsShop()
    const paid = await paidAt(shop, {}, { payments })
    await shop.office.provision(paid)
    await shop.office.provision(paid)
    const total = shop.whmcs.transactions.reduce((sum, { amountIn }) => sum + amountIn, 0)
    expect([...states(), total]).toEqual(["Active", "Paid", 1_200])
  })

  test("reopens a cancelled WHMCS order for a late payment", async () => {
    shop = await whmcsShop()
    const paid = await paidAt(shop)
    await shop.office.cancelOrder(paid)
    expect(await shop.office.provision({ ...paid, at: paid.at + SECOND })).toMatchObject(WORKING)
    expect(states()).toEqual(["Active", "Paid"])
  })

  test("records no payment on an invoice that staff marked as paid: what was paid here is the client's credit", async () => {
    shop = await whmcsShop()
    const paid = await paidAt(shop)
    shop.whmcs.staff.markPaid(paid.invoiceId ?? "")
    expect(await shop.office.provision(paid)).toMatchObject({ status: "Active" })
    expect(shop.whmcs.transactions).toMatchObject([
      { transid: "", amountIn: 1_200, invoiceId: 1 },
      { transid: "ABCDEFGHJK-credit", amountIn: 1_200, invoiceId: 0 },
    ])
    expect(shop.whmcs.clients[0]?.credit).toBe(1_200)
  })
})

test("provision creates the line of a free order without an invoice", async () => {
  shop = await whmcsShop()
  const paid = await paidAt(shop, { kind: "line" }, { payments: [], total: euros(0) })
  expect(paid.invoiceId).toBeNull()
  expect(await shop.office.provision(paid)).toMatchObject(WORKING)
  expect(callsOf("AddInvoicePayment")).toEqual([])
})

test("provision recreates a terminated line with new credentials only", async () => {
  shop = await whmcsShop()
  const paid = await paidAt(shop)
  await shop.office.provision(paid)
  await shop.office.terminate({ ...paid, productId: "1" })
  expect(shop.whmcs.lines).toEqual([])
  const isRecreation = { ...paid, isRecreation: true, credentials: { username: "TVNEW", password: "999" } }
  const fresh = { status: "Active", username: "TVNEW", password: "999" }
  expect(await shop.office.provision(isRecreation)).toMatchObject(fresh)
  expect(await shop.office.provision(isRecreation)).toMatchObject(fresh)
  expect(shop.whmcs.lines).toMatchObject([{ username: "TVNEW", password: "999" }])
})

test("provision rejects an order that staff marked as fraud, and records no payment", async () => {
  shop = await whmcsShop()
  const paid = await paidAt(shop)
  shop.whmcs.staff.fraud(paid.orderId ?? "")
  await expect(shop.office.provision(paid)).rejects.toMatchObject({ kind: "refused" })
  expect([shop.whmcs.lines, booked()]).toEqual([[], []])
})

function noFields() {
  return { username: "User", password: "Pass", mac: "MAC" }
}

describe("mails of WHMCS", () => {
  const sent = () => shop.whmcs.mails.map(({ template }) => template)

  test("are off from the new customer to the provisioned line, because the shop sends its own", async () => {
    shop = await whmcsShop({ autosetup: "" })
    await shop.office.provision(await paidAt(shop))
    expect(sent()).toEqual([])
  })

  test("about payment and access are on if the shop sends none; those about the order stay off", async () => {
    shop = await whmcsShop({ autosetup: "" }, { sendsMail: true })
    await shop.office.provision(await paidAt(shop))
    expect(sent()).toEqual(["Invoice Payment Confirmation", "New Product Information"])
  })
})

describe("an order whose client is another one's by now", () => {
  /** Staff give all that the first client has to another one. */
  async function moved({ isMerged }: { isMerged: boolean }) {
    const { whmcs } = shop
    const other = Number(await client(callsTo(whmcs).call, { email: "other@example.test" }))
    for (const row of [...whmcs.services, ...whmcs.orders, ...whmcs.invoices])
      Object.assign(row, { clientId: other })
    if (isMerged) whmcs.clients.splice(0, 1)
    return String(other)
  }

  test("is set up with the client whom staff have merged it into", async () => {
    shop = await whmcsShop()
    const paid = await paidAt(shop)
    const customerId = await moved({ isMerged: true })
    expect(await shop.office.orderStatus(paid)).toMatchObject({ state: "open" })
    expect(await shop.office.provision(paid)).toMatchObject({ ...WORKING, customerId })
    expect(await shop.office.provision(paid)).toMatchObject({ ...WORKING, customerId })
    expect([...states(), booked()]).toEqual(["Active", "Paid", [["tx-1", 1_200]]])
  })

  test("is left to staff, who read what to do, if its client still exists", async () => {
    shop = await whmcsShop()
    const paid = await paidAt(shop)
    const other = await moved({ isMerged: false })
    await expect(shop.office.provision(paid)).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringMatching(
        new RegExp(`was moved from client ${paid.customerId} to client ${other} .* retry the job`),
      ),
    })
    expect(booked()).toEqual([])
  })

  test("is cancelled with the client whom staff have merged it into", async () => {
    shop = await whmcsShop()
    const paid = await paidAt(shop)
    await moved({ isMerged: true })
    await shop.office.cancelOrder(paid)
    expect(states()).toEqual(["Cancelled", "Cancelled"])
  })
})
