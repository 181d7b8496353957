import { afterEach, beforeEach, describe, expect, inject, test } from "vitest"
import { DAY, HOUR, type Instant, MINUTE } from "~/domain/calendar"
import { STORED_BYTES, STORED_IN_ALL, STORED_OF_A_DAY } from "~/domain/payments/rejected-callback"
import {
  byAdminCli,
  catalogueFixture,
  NOON,
  opened,
  paymentUpdate,
  placed,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import {
  createEmbeddedBilling,
  type SeedableBilling,
} from "../../../../tests/contracts/billing/embedded-billing"
import { nothingWrong } from "../../../../tests/fixtures/need-query"
import { freshMigratedDatabase } from "../../../../tests/support/db/migrated-postgres"

const engines: [string, () => Promise<string>][] = [
  ["SQLite", async () => ":memory:"],
  ["PostgreSQL", () => freshMigratedDatabase(inject("postgres"))],
]

describe.each(engines)("on %s", (_, address) => {
  let backend: SeedableBilling
  beforeEach(async () => {
    backend = await createEmbeddedBilling(await address(), catalogueFixture)
  })
  afterEach(() => backend.close())

  async function paidAt(at: Instant) {
    const order = await placed(backend, { at })
    const attempt = await opened(backend, order)
    await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), at)
    return order
  }
  const needs = async (now: Instant, down: { id: "offshore"; since: Instant }[] = []) =>
    backend.overview.needs({ now, yesterday: "2026-06-14", ...nothingWrong, down })
  const kinds = async (now: Instant) => (await needs(now)).map(({ kind }) => kind)
  const hours = (from: Instant, until: Instant, now: Instant) => backend.overview.hours({ from, until, now })

  test("a shop needs a person whose enabled gateways are all drained, since the last one was", async () => {
    const query = { now: NOON, yesterday: "2026-06-14", ...nothingWrong }
    const offered = ["offshore", "btcpay"] as const
    await backend.drains.drain("offshore", { at: NOON - HOUR, offered })
    expect(await backend.overview.needs({ ...query, enabledGateways: offered })).toEqual([])
    expect(await backend.overview.needs({ ...query, enabledGateways: ["offshore"] })).toMatchObject([
      { key: "no-gateway", kind: "no-gateway", detail: "offshore", since: NOON - HOUR },
    ])
  })

  test("fields of the shop file that nothing reads need a person", async () => {
    const query = { now: NOON, yesterday: "2026-06-14", ...nothingWrong }
    expect(
      await backend.overview.needs({ ...query, unknownShopFields: ["taxes", "document"] }),
    ).toMatchObject([{ key: "shop-file", kind: "shop-file", detail: "taxes, document", count: 2 }])
    expect(await backend.overview.needs({ ...query, unknownShopFields: [] })).toEqual([])
  })

  test("currencies without an exchange rate need a person", async () => {
    const query = { now: NOON, yesterday: "2026-06-14", ...nothingWrong }
    expect(await backend.overview.needs({ ...query, currenciesWithoutRate: ["GBP", "USD"] })).toMatchObject([
      { key: "exchange-rate", kind: "exchange-rate", detail: "GBP, USD", count: 2 },
    ])
  })

  describe("rejected callbacks that are stored as they were sent", () => {
    const sent = {
      address: "192.0.2.7",
      headers: [
        ["a", "b"],
        ["cookie", "session"],
      ],
      body: Buffer.from("{}"),
    } as const
    const reject = (gateway: "offshore" | "btcpay", reason: string, at: Instant) =>
      backend.payments.recordRejectedCallback(gateway, reason, "2026-06-15", { ...sent, at })
    const stored = (since: Instant, gateways: readonly ("offshore" | "btcpay")[] = ["offshore", "btcpay"]) =>
      backend.overview.storedCallbacks({ gateways, since, limit: 1_000 })

    test("are the first of a gateway, day and reason, each with what it has sent", async () => {
      for (let nth = 0; nth < STORED_OF_A_DAY + 5; nth++) await reject("offshore", "signature", NOON)
      await reject("btcpay", "signature", NOON + 1)
      const [newest, ...others] = await stored(NOON)
      expect(others).toHaveLength(STORED_OF_A_DAY)
      expect(newest).toEqual({
        id: expect.any(String),
        gateway: "btcpay",
        reason: "signature",
        at: NOON + 1,
        address: "192.0.2.7",
        headers: [
          ["a", "b"],
          ["cookie", "...(7 characters)"],
        ],
        body: "e30=",
        size: 2,
        digest: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
      })
      expect(await backend.overview.storedCallback(newest?.id ?? "")).toEqual(newest)
      expect(await backend.overview.storedCallback("none")).toBeNull()
      expect(await stored(NOON + 1, ["offshore"])).toEqual([])
    })

    test("are the newest of all, however many reasons there are", async () => {
      for (let nth = 0; nth <= STORED_IN_ALL; nth++) await reject("offshore", `reason ${nth}`, NOON + nth)
      const all = await stored(0)
      expect(all).toHaveLength(STORED_IN_ALL)
      expect([all[0]?.reason, all.at(-1)?.reason]).toEqual([`reason ${STORED_IN_ALL}`, "reason 1"])
    })

    test("of a large body the beginning, with the size and the digest of the whole, and a part of many and long headers", async () => {
      const bytes = Buffer.concat([Buffer.from([0, 255, 254, 128]), Buffer.alloc(60_000)])
      const headers = Array.from({ length: 200 }, (_, nth) => [`x-${nth}`, "v".repeat(5_000)] as const)
      const big = { address: null, headers, body: bytes, at: NOON }
      await backend.payments.recordRejectedCallback("offshore", "signature", "2026-06-15", big)
      const [found] = await stored(NOON)
      expect(Buffer.from(found?.body ?? "", "base64")).toEqual(bytes.subarray(0, STORED_BYTES))
      expect(found?.size).toBe(60_004)
      expect(found?.headers).toHaveLength(60)
      expect(found?.headers[0]?.[1]).toHaveLength(1_000)
    })

    test("are deleted by the retention", async () => {
      await reject("offshore", "signature", NOON)
      await reject("btcpay", "signature", NOON + 1)
      await backend.payments.deleteRejectedCallbacks(NOON + 1)
      expect((await stored(0)).map(({ gateway }) => gateway)).toEqual(["btcpay"])
    })
  })

  describe("what needs a person", () => {
    test("is nothing in a new shop, and not an order that waits for its payment or was just paid", async () => {
      await placed(backend)
      await paidAt(NOON)
      expect(await needs(NOON)).toEqual([])
    })

    test("an order that was paid five minutes ago and has no access, with its amount and tries", async () => {
      const order = await paidAt(NOON)
      expect(await kinds(NOON + 5 * MINUTE - 1)).toEqual([])
      expect(await needs(NOON + 5 * MINUTE)).toMatchObject([
        {
          key: `order ${order.id}`,
          kind: "not-provisioned",
          since: NOON,
          amount: { minor: 2_000 },
          count: 0,
        },
      ])
    })

    test("an order on hold until it is decided, and a gateway that does not answer", async () => {
      const held = await placed(backend)
      await backend.billing.fraudOrder(held.id, "blocked country XK", NOON)
      expect(await kinds(NOON + MINUTE)).toEqual(["on-hold"])
      expect(
        (await needs(NOON, [{ id: "offshore", since: NOON - HOUR }])).map(({ key, since }) => [key, since]),
      ).toEqual([
        ["gateway offshore", NOON - HOUR],
        [`order ${held.id}`, NOON],
      ])
      await backend.billing.refuseOrder(held.id, { at: NOON, reference: "operator: known" })
      expect(await kinds(NOON + MINUTE)).toEqual([])
    })

    test("money that matches nothing, and callbacks rejected since yesterday", async () => {
      const report = {
        gateway: "offshore",
        eventKey: "e1",
        reason: "unknown-payment",
        attemptId: null,
      } as const
      await backend.payments.recordUnapplied({ ...report, detail: "54.00 EUR" }, NOON)
      for (const day of ["2026-06-13", "2026-06-15"])
        await backend.payments.recordRejectedCallback("offshore", "signature", day)
      expect(await needs(NOON)).toMatchObject([
        { kind: "unmatched-money", detail: "offshore: 54.00 EUR" },
        { kind: "rejected-callbacks", detail: "offshore: signature", count: 1 },
      ])
    })

    test("callbacks rejected on a day of the shop, since the first of them that is stored", async () => {
      const sent = (at: Instant) => ({ headers: [], body: new Uint8Array(), address: null, at })
      const early = Date.parse("2026-06-14T22:30:00Z")
      const reject = (day: string, at?: Instant) =>
        backend.payments.recordRejectedCallback(
          "offshore",
          "signature",
          day,
          at === undefined ? undefined : sent(at),
        )
      for (const at of [NOON - MINUTE, early, NOON]) await reject("2026-06-15", at)
      await reject("2026-06-14", early - HOUR)
      const found = await backend.overview.needs({
        now: NOON,
        yesterday: "2026-06-14",
        ...nothingWrong,
        timeZone: "Europe/Berlin",
      })
      expect(found.map(({ since, count }) => [since, count])).toEqual([
        [early - HOUR, 1],
        [early, 3],
      ])
    })

    test("an endpoint that the shop has paused, until it is resumed; not one that an operator has paused", async () => {
      const endpoint = { description: "", subscriptions: ["*"], sealedSecret: "sealed", at: NOON } as const
      for (const id of ["gone", "failing", "operator"] as const) {
        await backend.webhooks.addEndpoint({ ...endpoint, id, url: `https://${id}.test/hooks?key=hidden` })
        await backend.webhooks.pauseEndpoint(id, id, NOON + MINUTE)
      }
      const found = await needs(NOON + HOUR)
      expect(found.toSorted((a, b) => a.key.localeCompare(b.key))).toMatchObject([
        {
          key: "webhook failing",
          kind: "webhook-paused",
          since: NOON + MINUTE,
          detail: "failing.test: no success for 3 days",
        },
        { key: "webhook gone", since: NOON + MINUTE, detail: "gone.test: answered 410" },
      ])
      for (const id of ["gone", "failing"]) await backend.webhooks.resumeEndpoint(id, NOON + HOUR)
      expect(await needs(NOON + HOUR)).toEqual([])
    })

    test("orders wait for a gateway as long as they have an open payment there", async () => {
      const order = await placed(backend)
      expect(await backend.overview.waitingOrders("offshore")).toBe(0)
      await opened(backend, order, 1_000)
      const attempt = await opened(backend, await placed(backend))
      expect(await backend.overview.waitingOrders("offshore")).toBe(2)
      expect(await backend.overview.waitingOrders("coinbase")).toBe(0)
      await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
      expect(await backend.overview.waitingOrders("offshore")).toBe(1)
    })

    test("is taken by one operator, and given back by the same one", async () => {
      const [marta, jonas] = [unique(), unique()]
      for (const id of [marta, jonas]) {
        const access = { linkHash: id, linkUntil: NOON, totpSecret: "sealed" }
        await backend.operators.add(
          { ...access, id, email: `${id}@shop.test`, role: "owner", at: NOON },
          byAdminCli,
        )
      }
      const order = await paidAt(NOON)
      const need = `order ${order.id}`
      const take = (operatorId: string) => backend.overview.take({ need, operatorId, at: NOON })
      expect([await take(marta), await take(jonas), await take(marta)]).toEqual([true, false, false])
      expect(await needs(NOON + HOUR)).toMatchObject([{ takenBy: `${marta}@shop.test` }])
      expect(await backend.overview.leave(need, jonas)).toBe(false)
      expect(await backend.overview.leave(need, marta)).toBe(true)
      expect(await needs(NOON + HOUR)).toMatchObject([{ takenBy: null }])
    })
  })

  describe("sums by hour", () => {
    const figuresAt = async (hour: Instant, now: Instant) => {
      const sums = (await hours(hour, hour + HOUR, now)).filter(({ count }) => count > 0)
      return Object.fromEntries(sums.map(({ figure, count, amount }) => [figure, [count, amount]]))
    }

    test("count the present hour as it goes on", async () => {
      await paidAt(NOON)
      expect(await figuresAt(NOON, NOON + MINUTE)).toEqual({ orders: [1, 2_000], received: [1, 2_000] })
      await paidAt(NOON + MINUTE)
      expect(await figuresAt(NOON, NOON + 2 * MINUTE)).toEqual({ orders: [2, 4_000], received: [2, 4_000] })
    })

    test("are kept once the hour is closed, which is five minutes after its end", async () => {
      await paidAt(NOON)
      const almost = NOON + HOUR + 5 * MINUTE - 1
      expect(await figuresAt(NOON, almost)).toMatchObject({ orders: [1, 2_000] })
      await paidAt(NOON + MINUTE)
      expect(await figuresAt(NOON, almost + 1)).toMatchObject({ orders: [2, 4_000] })
      await paidAt(NOON + 2 * MINUTE)
      expect(await figuresAt(NOON, NOON + DAY)).toMatchObject({ orders: [2, 4_000] })
    })

    test("of two days equal what was paid, each order in its own hour", async () => {
      for (const at of [NOON, NOON + HOUR - 1, NOON + HOUR, NOON + 30 * HOUR]) await paidAt(at)
      const sums = await hours(NOON - 2 * HOUR, NOON + 31 * HOUR, NOON + 40 * HOUR)
      const orders = sums.filter(({ figure, count }) => figure === "orders" && count > 0)
      expect(orders.map(({ hour, count }) => [(hour - NOON) / HOUR, count])).toEqual([
        [0, 2],
        [1, 1],
        [30, 1],
      ])
      expect(await hours(NOON - 2 * HOUR, NOON + 31 * HOUR, NOON + 40 * HOUR)).toEqual(sums)
    })
  })
})
