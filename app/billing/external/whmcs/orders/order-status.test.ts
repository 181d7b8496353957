import { afterEach, expect, test } from "vitest"
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

test("what staff have marked as paid is paid, with what has come", async () => {
  const owned = await placed()
  shop.whmcs.staff.markPaid(owned.invoiceId ?? "")
  expect(await stateNow(owned)).toEqual({ state: "paid", received: euros(1_200) })
})

test("what staff have cancelled is cancelled, and what they hold as fraud is fraud", async () => {
  const owned = await placed()
  shop.whmcs.staff.cancel(owned.orderId ?? "")
  expect(await stateNow(owned)).toMatchObject({ state: "cancelled" })
  shop.whmcs.staff.fraud(owned.orderId ?? "")
  expect(await stateNow(owned)).toMatchObject({ state: "fraud" })
})

test("an order that came to nothing here is cancelled there with its invoice, however often it is said", async () => {
  const owned = await placed()
  await shop.office.cancelOrder(owned)
  await shop.office.cancelOrder(owned)
  expect([shop.whmcs.orders[0]?.status, shop.whmcs.invoices[0]?.status]).toEqual(["Cancelled", "Cancelled"])
  expect(shop.whmcs.calls.filter(({ action }) => action === "CancelOrder").length).toBe(1)
})

test("an order that was paid there meanwhile is not cancelled", async () => {
  const owned = await placed()
  shop.whmcs.staff.markPaid(owned.invoiceId ?? "")
  await expect(shop.office.cancelOrder(owned)).rejects.toMatchObject({ kind: "refused" })
  expect(shop.whmcs.invoices[0]?.status).toBe("Paid")
})

test("a suspicious order is held, however often it is said", async () => {
  const owned = await placed()
  await shop.office.fraudOrder(owned)
  await shop.office.fraudOrder(owned)
  expect(shop.whmcs.orders[0]?.status).toBe("Fraud")
})

test("another client's order and invoice are nobody else's to ask about or to cancel", async () => {
  const owned = await placed()
  const other = { ...owned, customerId: "99" }
  await expect(shop.office.orderStatus(other)).rejects.toMatchObject({ kind: "refused" })
  await expect(shop.office.cancelOrder(other)).rejects.toMatchObject({ kind: "refused" })
  await expect(shop.office.fraudOrder(other)).rejects.toMatchObject({ kind: "refused" })
  await expect(shop.office.orderStatus({ ...other, orderId: null })).rejects.toMatchObject({
    kind: "refused",
  })
})
