import { expect, test, vi } from "vitest"
import type { Coin, Transfer } from "~/domain/coin"
import { openTestShop } from "../../tests/fixtures/test-shop"
import { withOnSiteCache } from "./cached-on-site.server"
import type { OnSitePayments } from "./gateway"

const bitcoin: Coin = { currency: "BTC", network: "CHAIN" }
const transfer: Transfer = {
  ...{ coin: bitcoin, amount: "0.0025", address: "bc1q", uri: "bitcoin:bc1q", expiresAt: 7 },
  ...{ seen: "0", confirmations: null },
}

test("a page does not wait for the list of coins, and the next one has it", async () => {
  const { gateway } = await opened({ coins: async () => [bitcoin] })
  expect(await gateway.onSite?.coins()).toEqual([])
  await vi.waitFor(async () => expect(await gateway.onSite?.coins()).toEqual([bitcoin]))
})

test("a provider that does not answer is offered by its own page, and nothing fails", async () => {
  const { gateway } = await opened({ coins: () => Promise.reject(new Error("down")) })
  expect(await gateway.onSite?.coins()).toEqual([])
  expect(await gateway.onSite?.coins()).toEqual([])
})

test("how a payment is made is asked for once by all who look at the same moment", async () => {
  let asked = 0
  const { gateway } = await opened({
    transfer: async () => {
      asked++
      return transfer
    },
  })
  const looks = Array.from({ length: 5 }, () => gateway.onSite?.transfer({ paymentId: "p1" }))
  expect(await Promise.all(looks)).toEqual(Array(5).fill(transfer))
  expect(asked).toBe(1)
})

test("a gateway without such payments stays as it is", async () => {
  const without = { ...(await openTestShop()).gateway.gateway, onSite: null }
  expect(withOnSiteCache(without)).toBe(without)
})

async function opened(onSite: Partial<OnSitePayments>) {
  const { gateway } = (await openTestShop()).gateway
  const whole = { coins: async () => [], transfer: async () => null, ...onSite }
  return { gateway: withOnSiteCache({ ...gateway, onSite: whole }) }
}
