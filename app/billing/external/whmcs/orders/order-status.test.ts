import { afterEach, expect, test } from "vitest"
import { callsTo, client } from "../../../../../tests/fakes/whmcs-simulator/test-client"
import {
  asOwned,
  euros,
  orderRequestAt,
  type WhmcsShop,
  whmcsShop,
} from "../../../../../tests/fixtures/whmcs-shop"

let shop: WhmcsShop
afterEach(() => shop.whmcs.close())

async function placed(changes = {}) {
  shop = await whmcsShop()
  const request = await orderRequestAt(shop, changes)
  return asOwned(request, await shop.office.placeOrder(request))
}

const stateNow = async (owned: Awaited<ReturnType<typeof placed>>) => shop.office.orderStatus(owned)

test("orderStatus is paid, with the received amount, if staff marked the invoice as paid", async () => {
  const owned = await placed()
  shop.whmcs.staff.markPaid(owned.invoiceId ?? "")
  expect(await stateNow(owned)).toEqual({ state: "paid", received: euros(1_200) })
})

test("orderStatus is cancelled or fraud if staff set that status", async () => {
  const owned = await placed()
  shop.whmcs.staff.cancel(owned.orderId ?? "")
  expect(await stateNow(owned)).toMatchObject({ state: "cancelled" })
  shop.whmcs.staff.fraud(owned.orderId ?? "")
  expect(await stateNow(owned)).toMatchObject({ state: "fraud" })
})

test("cancelOrder cancels the WHMCS order and its invoice once, even if repeated", async () => {
  const owned = await placed()
  await shop.office.cancelOrder(owned)
  await shop.office.cancelOrder(owned)
  expect([shop.whmcs.orders[0]?.status, shop.whmcs.invoices[0]?.status]).toEqual(["Cancelled", "Cancelled"])
  expect(shop.whmcs.calls.filter(({ action }) => action === "CancelOrder").length).toBe(1)
  expect(shop.whmcs.mails).toEqual([])
})

test("cancelOrder rejects an order whose invoice is paid in WHMCS", async () => {
  const owned = await placed()
  shop.whmcs.staff.markPaid(owned.invoiceId ?? "")
  await expect(shop.office.cancelOrder(owned)).rejects.toMatchObject({ kind: "refused" })
  expect(shop.whmcs.invoices[0]?.status).toBe("Paid")
})

test("an order whose invoice was merged or deleted is cancelled, but for WHMCS to be paid by another one", async () => {
  const owned = await placed()
  shop.whmcs.invoices.pop()
  expect(await stateNow(owned)).toMatchObject({ state: "cancelled" })
  await expect(shop.office.cancelOrder(owned)).rejects.toMatchObject({ kind: "refused" })
  expect(shop.whmcs.orders[0]?.status).toBe("Pending")
  shop.whmcs.staff.accept(owned.orderId ?? "")
  expect(await stateNow(owned)).toMatchObject({ state: "paid" })
})

test("an order that staff have deleted is unknown, and neither cancelled nor marked as fraud", async () => {
  const owned = await placed()
  shop.whmcs.staff.deleteOrder(owned.orderId ?? "")
  expect(await stateNow(owned)).toEqual({ state: "unknown", received: null })
  expect(await shop.office.cancelOrder(owned)).toBe("unknown")
  expect(await shop.office.fraudOrder(owned)).toBe("unknown")
  expect(shop.whmcs.calls.filter(({ action }) => /^(Cancel|Fraud)Order$/.test(action))).toEqual([])
})

test("fraudOrder marks the WHMCS order as fraud, even if repeated", async () => {
  const owned = await placed()
  await shop.office.fraudOrder(owned)
  await shop.office.fraudOrder(owned)
  expect(shop.whmcs.orders[0]?.status).toBe("Fraud")
})

test("orderStatus, cancelOrder and fraudOrder reject another client's order or invoice", async () => {
  const owned = await placed()
  const customerId = await client(callsTo(shop.whmcs).call, { email: "other@example.test" })
  const other = { ...owned, customerId }
  await expect(shop.office.orderStatus(other)).rejects.toMatchObject({ kind: "refused" })
  await expect(shop.office.cancelOrder(other)).rejects.toMatchObject({ kind: "refused" })
  await expect(shop.office.fraudOrder(other)).rejects.toMatchObject({ kind: "refused" })
  await expect(shop.office.orderStatus({ ...other, orderId: null })).rejects.toMatchObject({
    kind: "refused",
  })
})
