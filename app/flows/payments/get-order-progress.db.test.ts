import { expect, test } from "vitest"
import { MINUTE } from "~/domain/calendar"
import { sweep } from "~/flows/jobs/reconcile.server"
import { buy, pay } from "../../../tests/fixtures/purchase"
import { openTestShop } from "../../../tests/fixtures/test-shop"
import { changeGateway } from "./change-gateway.server"
import { getOrderProgress, getOrderVersion } from "./get-order-progress.server"

test("a poll has the version of the page, before and after a payment", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  const versions = async () => {
    const page = await getOrderProgress(shop.services, order.id)
    return [await getOrderVersion(shop.services, order.id), page?.order.status, page?.version] as const
  }
  const [before, status, version] = await versions()
  expect(before).toEqual({ status, version })
  await pay(shop, order)
  const [after, statusAfter, versionAfter] = await versions()
  expect(after).toEqual({ status: statusAfter, version: versionAfter })
  expect(after).not.toEqual(before)
})

test("a poll applies what the gateway reports", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.reports("paid", order.total.minor)
  shop.wait(60_000)
  expect(await getOrderVersion(shop.services, order.id)).toMatchObject({ status: "paid" })
  expect(await getOrderVersion(shop.services, "unknown")).toBeNull()
})

test("a payment that an earlier gateway has seen holds the order as one of the present gateway does", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  await changeGateway(shop.services, order.id, { gateway: "coinbase", coin: null })
  const before = await getOrderProgress(shop.services, order.id)
  expect(before?.pay).toMatchObject({ host: "coinbase.test", isProcessing: false })
  shop.gateway.reports("processing", 0)
  shop.wait(3 * MINUTE)
  await sweep(shop.services, "this instance")
  const after = await getOrderProgress(shop.services, order.id)
  expect(after?.timeline.at(-1)?.kind).toBe("seen")
  expect(after?.pay).toMatchObject({ host: "coinbase.test", isProcessing: true })
})
