import { afterAll, beforeAll, describe, expect, inject, test } from "vitest"
import { SECOND } from "~/domain/calendar"
import type { BlockKind } from "~/domain/orders/fraud"
import {
  catalogueFixture,
  NOON,
  placed,
  promotions,
} from "../../../../tests/contracts/billing/billing-fixtures"
import {
  createEmbeddedBilling,
  type SeedableBilling,
} from "../../../../tests/contracts/billing/embedded-billing"
import { freshMigratedDatabase } from "../../../../tests/support/db/migrated-postgres"

const anonymous = { browser: null, customer: null }

const engines: [string, () => string | Promise<string>][] = [
  ["SQLite", () => ":memory:"],
  ["PostgreSQL", () => freshMigratedDatabase(inject("postgres"))],
]

describe.each(engines)("on %s", (_, databaseUrl) => {
  let backend: SeedableBilling
  beforeAll(async () => {
    backend = await createEmbeddedBilling(await databaseUrl(), catalogueFixture)
  })
  afterAll(() => backend.close())

  test.each<{ what: string; blocked: [BlockKind, string]; from: [string | null, string]; held: boolean }>([
    { what: "a blocked address", blocked: ["address", "192.0.2.7"], from: ["192.0.2.7", "ES"], held: true },
    {
      what: "a blocked address in IPv4-mapped IPv6 form",
      blocked: ["address", "192.0.2.7"],
      from: ["::ffff:192.0.2.7", "ES"],
      held: true,
    },
    {
      what: "the address next to a blocked one",
      blocked: ["address", "192.0.2.7"],
      from: ["192.0.2.8", "ES"],
      held: false,
    },
    {
      what: "a blocked IPv6 address in another notation",
      blocked: ["address", "2001:db8::7"],
      from: ["2001:DB8:0:0::7", "ES"],
      held: true,
    },
    {
      what: "a blocked network",
      blocked: ["network", "192.0.2.0/24"],
      from: ["192.0.2.255", "ES"],
      held: true,
    },
    {
      what: "a blocked network in IPv4-mapped IPv6 form",
      blocked: ["network", "192.0.2.0/24"],
      from: ["::ffff:192.0.2.9", "ES"],
      held: true,
    },
    {
      what: "an address outside the blocked network",
      blocked: ["network", "192.0.2.0/24"],
      from: ["192.0.3.0", "ES"],
      held: false,
    },
    {
      what: "a blocked IPv6 network",
      blocked: ["network", "2001:db8::/32"],
      from: ["2001:db8:ffff::1", "ES"],
      held: true,
    },
    {
      what: "an IPv4 address with a blocked IPv6 network",
      blocked: ["network", "2001:db8::/32"],
      from: ["192.0.2.7", "ES"],
      held: false,
    },
    { what: "a blocked country", blocked: ["country", "DE"], from: ["192.0.2.7", "DE"], held: true },
    {
      what: "a blocked country, address unknown",
      blocked: ["country", "DE"],
      from: [null, "DE"],
      held: true,
    },
    { what: "an unknown country", blocked: ["country", "DE"], from: [null, "XX"], held: false },
    { what: "an unknown address", blocked: ["network", "0.0.0.0/0"], from: [null, "ES"], held: false },
  ])("checkFraud with $what: on hold is $held", async ({ blocked: [kind, value], from, held }) => {
    const [address, country] = from
    await backend.operator.block({ kind, value, reason: "chargebacks", at: NOON })
    const verdict = await backend.billing.checkFraud({ address, country, ...anonymous, at: NOON })
    expect(verdict).toEqual(held ? { valid: false, reason: `blocked ${kind} ${value}` } : { valid: true })

    expect(await backend.operator.unblock({ kind, value })).toBe(true)
    expect(await backend.billing.checkFraud({ address, country, ...anonymous, at: NOON })).toEqual({
      valid: true,
    })
  })

  test("blocking a value again replaces its reason and keeps one entry", async () => {
    const block = { kind: "country", value: "DE", reason: null, at: NOON } as const
    await backend.operator.block(block)
    await backend.operator.block({ kind: "address", value: "192.0.2.7", reason: null, at: NOON })
    await backend.operator.block({ ...block, reason: "chargebacks", at: NOON + SECOND })
    expect(await backend.operator.blocks()).toEqual([
      { kind: "address", value: "192.0.2.7", reason: null, at: NOON },
      { kind: "country", value: "DE", reason: "chargebacks", at: NOON + SECOND },
    ])
  })

  test("unblock returns false for a value that is not blocked", async () => {
    expect(await backend.operator.unblock({ kind: "address", value: "192.0.2.99" })).toBe(false)
  })

  test("affiliates are listed with clicks, orders and paid orders, in numeric order", async () => {
    const click = { affiliateId: "9", visitor: "ana", day: "2026-06-15", referer: null, at: NOON }
    for (const changes of [{}, {}, { visitor: "bob" }, { day: "2026-06-16" }, { affiliateId: "11" }]) {
      await backend.billing.recordClick({ ...click, ...changes })
    }
    await placed(backend, { affiliateId: "9" })
    const free = await placed(backend, { affiliateId: "9" }, promotions.free)
    await placed(backend, { affiliateId: "100" }, promotions.free)
    await placed(backend)
    await backend.billing.activateService(free.serviceId, { host: "https://tv.test" }, NOON)
    expect(await backend.operator.affiliates()).toEqual([
      { id: "9", clicks: 3, orders: 2, paid: 1 },
      { id: "11", clicks: 1, orders: 0, paid: 0 },
      { id: "100", clicks: 0, orders: 1, paid: 1 },
    ])
  })
})
