import { afterEach, beforeEach, expect, test } from "vitest"
import { OrderFlaggedError } from "~/billing/billing"
import { openRemote } from "~/billing/external/remote/remote.server"
import { DAY } from "~/domain/calendar"
import {
  catalogueFixture,
  NOON,
  placed,
  timelineKinds,
} from "../../../../tests/contracts/billing/billing-fixtures"
import type { MirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { openMirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { remoteSettings } from "../../../../tests/fakes/legacy-billing-fixtures"
import { API_KEY } from "../../../../tests/fixtures/billing-api-server"
import { openStorefront } from "../../../../tests/fixtures/remote-storefront"

let server: Awaited<ReturnType<typeof openStorefront>>
let shop: MirrorUnderTest

/** A storefront whose billing server takes every order and marks it as fraud. */
beforeEach(async () => {
  server = await openStorefront(catalogueFixture)
  shop = await openMirrorUnderTest((local) => {
    const remote = openRemote({ ...remoteSettings, ...local, keys: [API_KEY], url: server.served.url })
    return {
      ...remote,
      async placeOrder(order) {
        const made = await remote.placeOrder(order)
        await server.backend.billing.fraudOrder(made.orderId ?? "", "suspected there", NOON)
        throw new OrderFlaggedError(`Order ${made.orderId} is marked as fraud at the billing server`)
      },
    }
  })
})
afterEach(async () => {
  await shop.close()
  await server.close()
})

test("an order that the billing server marks as fraud is on hold here, also for the same form sent again", async () => {
  const order = await placed(shop, { key: "form" })
  expect(order.status).toBe("fraud")
  expect(await timelineKinds(shop, order)).toEqual(["placed", "flagged"])
  expect(await shop.billing.orderByIdempotencyKey("form")).toMatchObject({ id: order.id, status: "fraud" })
})

test("an order that the billing server marks as fraud is found there afterwards and can be released by nobody here", async () => {
  const order = await placed(shop)
  await shop.orderSync.reconcileExternalOrders(NOON + DAY, 10)
  const release = { at: NOON + DAY, deadline: NOON + 2 * DAY, reference: "operator", quoteHolds: true }
  await expect(shop.billing.releaseOrder(order.id, release)).rejects.toMatchObject({ kind: "refused" })
})
