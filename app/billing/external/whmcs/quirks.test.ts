import { afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import { listShapes } from "../../../../tests/fakes/whmcs-simulator/responses"
import { paidAt, visitor, type WhmcsShop, whmcsShop } from "../../../../tests/fixtures/whmcs-shop"

let shop: WhmcsShop
afterEach(() => shop.whmcs.close())

/** Runs a complete sale through every call of the port and returns all results. */
async function sale() {
  const { office } = shop
  const [plans, resellerPlans, gateways, promotion, nothing] = [
    await office.plans(),
    await office.resellerPlans(),
    await office.gateways(),
    await office.promotion(" welcome10"),
    await office.promotion("NOTHING"),
  ]
  const paid = await paidAt(shop, { extras: { extraConnection: true, proxyProtection: true } })
  const [found, orderStatus] = [await office.services(paid.customerId), await office.orderStatus(paid)]
  const service = await office.provision(paid)
  return { plans, resellerPlans, gateways, promotion, nothing, found, orderStatus, service }
}

describe("a complete sale", () => {
  const written = listShapes.flatMap((lists) =>
    (["documented", "strings", "numbers"] as const).map((numbers) => ({ lists, numbers })),
  )

  let usualSale: ReturnType<typeof sale>
  beforeAll(async () => {
    shop = await whmcsShop()
    usualSale = sale()
    await usualSale
    await shop.whmcs.close()
  })

  test.each(written)(
    "gives the same results with lists as $lists and numbers as $numbers",
    async (quirks) => {
      shop = await whmcsShop()
      Object.assign(shop.whmcs.quirks, quirks)
      expect(await sale()).toEqual(await usualSale)
    },
  )

  test("gives the same results with a PHP warning before every response, and logs it once per action", async () => {
    const log = { warn: vi.fn() }
    shop = await whmcsShop({}, { log })
    shop.whmcs.quirks.html = "warning"
    expect(await sale()).toEqual(await usualSale)
    const logged = log.warn.mock.calls.map(([{ action }]) => action)
    expect(logged).toEqual([...new Set(logged)])
    expect(logged).toContain("AddOrder")
    expect(JSON.stringify(log.warn.mock.calls)).not.toContain("Undefined array key")
  })

  test("returns the expected plans, gateways, promotion and service", async () => {
    shop = await whmcsShop()
    const body = await sale()
    expect(body.plans.map(({ id, pricing }) => [id, pricing.EUR])).toEqual([
      ["1", { monthly: 1_200 }],
      ["2", { semiannually: 5_400 }],
      ["3", { annually: 7_900 }],
    ])
    expect(body.resellerPlans.map(({ id, credits }) => [id, credits])).toEqual([
      ["11", 10],
      ["12", 25],
      ["13", undefined],
    ])
    expect(body).toMatchObject({
      gateways: ["offshore", "coinbase", "cryptomusgateway", "btcpay"],
      promotion: { code: "WELCOME10", maxUses: null, discount: { kind: "percentage", basisPoints: 1_000 } },
      nothing: null,
      service: { status: "Active", connections: 2, proxyProtection: true },
    })
  })
})

describe("openWhmcs", () => {
  test.each([
    ["is down", { down: true }, "unavailable", /got no response/],
    ["serves its installer page", { html: "page" }, "unreadable", /did not respond with JSON/],
    ["rejects the IP address", { deny: denied({ address: true }) }, "unavailable", /Invalid IP 127/],
    ["rejects the credentials", { deny: denied({ credentials: true }) }, "unavailable", /credentials/i],
    [
      "forbids the action",
      { deny: denied({ actions: ["getproducts"] }) },
      "unavailable",
      /Invalid Permissions/,
    ],
  ])("throws an error without secrets if WHMCS %s", async (_, quirks, kind, pattern) => {
    shop = await whmcsShop()
    Object.assign(shop.whmcs.quirks, quirks)
    const failure = await shop.office.plans().catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind, message: expect.stringMatching(pattern) })
    expect(String(failure)).not.toMatch(/shop-secret|shop-identifier/)
  })

  test("throws unavailable if WHMCS exceeds the timeout", async () => {
    shop = await whmcsShop({}, { timeoutMs: 60 })
    shop.whmcs.quirks.slowMs = 400
    await expect(shop.office.plans()).rejects.toMatchObject({ kind: "unavailable" })
  })

  test("calls an installation under a path with an access key", async () => {
    shop = await whmcsShop({ path: "/clients/billing", accessKey: "let-me-in" })
    expect((await shop.office.plans()).length).toBe(3)
    await expect(shop.office.identify(visitor)).resolves.toMatchObject({ customerId: "1" })
  })

  test("retries a read without a response, but never a write", async () => {
    shop = await whmcsShop({}, { retryDelaysMs: [1, 1] })
    shop.whmcs.quirks.dropResponse("GetProducts", 2)
    expect((await shop.office.plans()).length).toBe(3)
    shop.whmcs.quirks.dropResponse("AddClient", 2)
    await expect(shop.office.identify(visitor)).rejects.toMatchObject({ kind: "unavailable" })
    expect(shop.whmcs.calls.filter(({ action }) => action === "AddClient").length).toBe(1)
  })
})

function denied(changes: object) {
  return { address: false, credentials: false, actions: [], ...changes }
}
