import { expect, test } from "vitest"
import { money } from "~/domain/money/money"
import type { Coin, Transfer } from "~/domain/payments/coin"
import { openTestShop } from "../../tests/fixtures/test-shop"
import { withOnSiteCache } from "./cached-on-site.server"
import type { OnSitePayments } from "./gateway"

const bitcoin: Coin = { currency: "BTC", network: "CHAIN" }
const transfer: Transfer = {
  coin: bitcoin,
  amount: "0.0025",
  address: "bc1q",
  uri: "bitcoin:bc1q",
  expiresAt: 7,
  seen: "0",
  confirmations: null,
}

test("the first coins() call returns an empty list immediately and a later one the fetched list", async () => {
  const { gateway } = await opened({ coins: async () => [bitcoin] })
  expect(await gateway.onSite?.coins()).toEqual([])
  await expect.poll(async () => gateway.onSite?.coins()).toEqual([bitcoin])
})

test("coins() returns an empty list while the provider is unavailable", async () => {
  const { gateway } = await opened({ coins: () => Promise.reject(new Error("down")) })
  expect(await gateway.onSite?.coins()).toEqual([])
  expect(await gateway.onSite?.coins()).toEqual([])
})

test("concurrent transfer() calls for one payment share one request", async () => {
  let requestCount = 0
  const { gateway } = await opened({
    transfer: async () => {
      requestCount++
      return transfer
    },
  })
  const looks = Array.from({ length: 5 }, () => gateway.onSite?.transfer({ paymentId: "p1" }))
  expect(await Promise.all(looks)).toEqual(Array(5).fill(transfer))
  expect(requestCount).toBe(1)
})

test("transfer() asks again at once when more of the payment has arrived, since less is left to send", async () => {
  let amount = "0.0025"
  const { gateway } = await opened({ transfer: async () => ({ ...transfer, amount }) })
  const amountLeft = async (minor: number) =>
    (await gateway.onSite?.transfer({ paymentId: "p1", received: money(minor, "EUR") }))?.amount
  expect(await amountLeft(0)).toBe("0.0025")
  amount = "0.0005"
  expect(await amountLeft(0)).toBe("0.0025")
  expect(await amountLeft(2_000)).toBe("0.0005")
})

test("a gateway without on-site payments is returned unchanged", async () => {
  const without = { ...(await openTestShop()).gateway.gateway, onSite: null }
  expect(withOnSiteCache(without)).toBe(without)
})

async function opened(onSite: Partial<OnSitePayments>) {
  const { gateway } = (await openTestShop()).gateway
  const whole = { coins: async () => [], transfer: async () => null, ...onSite }
  return { gateway: withOnSiteCache({ ...gateway, onSite: whole }) }
}
