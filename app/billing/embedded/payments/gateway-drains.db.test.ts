import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { GatewayDrains } from "~/billing/payments/gateway-drains"
import { NOON } from "../../../../tests/contracts/billing/billing-fixtures"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { embeddedBilling } from "../billing.server"
import { gatewayDrainsOf } from "./gateway-drains.server"

const offered = ["offshore", "coinbase"] as const

describe.each(engines)("drained gateways on %s", (engine) => {
  let backend: TemporaryDatabase
  let drains: GatewayDrains
  beforeEach(async () => {
    backend = await openTemporaryDatabase(engine)
    drains = gatewayDrainsOf(backend)
  })
  afterEach(() => backend.close())

  const inCatalogue = () => embeddedBilling(backend).gateways()

  test("a drained gateway is not in the catalogue until it is offered again, and keeps its time", async () => {
    expect(await inCatalogue()).toContain("coinbase")
    expect(await drains.drain("coinbase", { at: NOON, offered })).toBe(true)
    expect(await drains.drain("coinbase", { at: NOON + 1, offered })).toBe(true)
    expect(await drains.list()).toEqual([{ gateway: "coinbase", since: NOON }])
    expect(await inCatalogue()).not.toContain("coinbase")
    await drains.offer("coinbase")
    await drains.offer("coinbase")
    expect([await drains.list(), await inCatalogue()]).toEqual([[], expect.arrayContaining(["coinbase"])])
  })

  test("the last gateway that is offered is not drained", async () => {
    await drains.drain("coinbase", { at: NOON, offered })
    expect(await drains.drain("offshore", { at: NOON, offered })).toBe(false)
    expect(await inCatalogue()).toContain("offshore")
  })

  test("draining a gateway again changes nothing, also once no other one is offered", async () => {
    await drains.drain("offshore", { at: NOON, offered })
    expect(await drains.drain("offshore", { at: NOON + 1, offered: ["offshore"] })).toBe(true)
    expect(await drains.list()).toEqual([{ gateway: "offshore", since: NOON }])
  })

  test("two operators who drain the last two gateways at once leave one", async () => {
    await Promise.all(offered.map((gateway) => drains.drain(gateway, { at: NOON, offered })))
    const remaining = await inCatalogue()
    expect(offered.some((gateway) => remaining.includes(gateway))).toBe(true)
  })
})
