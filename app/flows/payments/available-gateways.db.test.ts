import { expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import { startReview } from "~/flows/checkout/start-review.server"
import { buy } from "../../../tests/fixtures/purchase"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { availableGateways } from "./available-gateways.server"
import { changeGateway } from "./change-gateway.server"

const ids = async (services: TestShop["services"]) =>
  (await availableGateways(services, "en-en")).map(({ id }) => id)
const untold = { code: null, shown: undefined, currency: "EUR" } as const

test("offers the gateways enabled in both shop and billing, in the shop's order", async () => {
  const { services } = await openTestShop()
  expect(await ids(services)).toEqual(["offshore", "coinbase"])
  const catalogue = { ...services.catalogue, gateways: async () => ["coinbase", "paypal"] }
  expect(await ids({ ...services, catalogue })).toEqual(["coinbase"])
  const request = { ...choice, gateway: "offshore" as const }
  expect(await startReview({ ...services, catalogue }, request, untold)).toMatchObject({ field: "gateway" })
})

test("offers all enabled gateways while the billing backend is unavailable", async () => {
  const { services } = await openTestShop()
  const gateways = () => Promise.reject(new BillingError("unavailable", "down"))
  expect(await ids({ ...services, catalogue: { ...services.catalogue, gateways } })).toHaveLength(2)
})

test("offers a degraded gateway last and marks it", async () => {
  const shop = await openTestShop()
  shop.gateway.isDegraded()
  expect(
    (await availableGateways(shop.services, "en-en")).map(({ id, isDegraded }) => [id, isDegraded]),
  ).toEqual([
    ["coinbase", false],
    ["offshore", true],
  ])
})

test("a drained gateway takes no new orders and continues existing ones", async () => {
  const shop = await openTestShop()
  const drained = { ...shop.services, enabledGateways: ["coinbase"] as const }
  expect(await ids(drained)).toEqual(["coinbase"])
  expect(await startReview(drained, choice, untold)).toMatchObject({ kind: "rejected", field: "gateway" })
  const { order } = await buy(shop)
  const same = { gateway: "offshore" as const, coin: null }
  expect((await changeGateway(drained, order.id, same)).kind).toBe("opened")
  const other = await buy(shop, { key: "draft-2", choices: { ...choice, gateway: "coinbase" } })
  expect((await changeGateway(drained, other.order.id, same)).kind).toBe("not-opened")
})
