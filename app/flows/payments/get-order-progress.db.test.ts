import { describe, expect, test } from "vitest"
import { HOUR, MINUTE, SECOND } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { sweep } from "~/flows/jobs/reconcile.server"
import { buy, pay } from "../../../tests/fixtures/purchase"
import { openTestShop } from "../../../tests/fixtures/test-shop"
import { cancelUnpaidOrder } from "./cancel-order.server"
import { changeGateway, payAgain } from "./change-gateway.server"
import { getOrderProgress, getOrderVersion } from "./get-order-progress.server"
import { pollOrderPayment } from "./poll-gateway.server"

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

describe.each(["failed", "expired"] as const)("a payment that was seen and has then %s", (end) => {
  async function seenThenEnded() {
    const shop = await openTestShop()
    const { order } = await buy(shop)
    for (const status of ["processing", end] as const) {
      shop.gateway.reports(status, 0)
      shop.wait(2 * MINUTE)
      await getOrderProgress(shop.services, order.id)
    }
    return { shop, order }
  }

  test("has ended: another one can be opened at the same gateway", async () => {
    const { shop, order } = await seenThenEnded()
    const ended = await getOrderProgress(shop.services, order.id)
    expect(ended?.pay).toMatchObject({ ended: true, isProcessing: false })
    expect(ended?.timeline.at(-1)?.kind).toBe(`payment-${end}`)
    await payAgain(shop.services, order.id, { visitor: null, requote: false })
    expect(shop.gateway.opened).toHaveLength(2)
  })

  test("does not keep the order from being cancelled, also after a change of gateway", async () => {
    const { shop, order } = await seenThenEnded()
    await changeGateway(shop.services, order.id, { gateway: "coinbase", coin: null })
    shop.wait(3 * SECOND)
    expect(await cancelUnpaidOrder(shop.services, order.id)).toMatchObject({ status: "cancelled" })
  })

  test("is not revived by an old report that arrives late, once the gateway is asked", async () => {
    const { shop, order } = await seenThenEnded()
    const attemptId = shop.gateway.opened[0]?.attemptId ?? ""
    const old = { eventKey: "old", attemptId, received: money(0, "EUR"), transactionId: null }
    await shop.services.payments.recordPaymentUpdate(
      "offshore",
      { ...old, status: "processing" },
      shop.services.now(),
    )
    shop.wait(2 * MINUTE)
    expect((await getOrderProgress(shop.services, order.id))?.pay).toMatchObject({ ended: true })
  })

  test("pays the order if the money arrives all the same", async () => {
    const { shop, order } = await seenThenEnded()
    const attemptId = shop.gateway.opened[0]?.attemptId ?? ""
    const late = { eventKey: "late", attemptId, received: order.total, transactionId: "tx" }
    await shop.services.payments.recordPaymentUpdate(
      "offshore",
      { ...late, status: "paid" },
      shop.services.now() + HOUR,
    )
    expect(await shop.services.billing.order(order.id)).toMatchObject({ status: "paid" })
  })
})

test("an expired payment is asked for when the buyer says that it was paid, and not by a page that waits", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.reports("expired", 0)
  shop.wait(2 * MINUTE)
  await getOrderProgress(shop.services, order.id)
  shop.gateway.reports("paid", order.total.minor)
  const asked = shop.gateway.requests.length
  shop.wait(HOUR)
  await getOrderProgress(shop.services, order.id)
  await getOrderVersion(shop.services, order.id)
  await pollOrderPayment(shop.services, order.id)
  expect(shop.gateway.requests).toHaveLength(asked)
  const progress = await getOrderProgress(shop.services, order.id, { saysPaid: true })
  expect(progress?.order.status).toBe("paid")
})
