import pino from "pino"
import { readCatalogueFile } from "~/billing/embedded/catalogue-file"
import demonstration from "~/billing/embedded/demonstration-catalogue.json?raw"
import { type EmbeddedBooks, openEmbeddedBooks } from "~/billing/embedded/open-embedded.server"
import type { CompleteChoices } from "~/domain/choices"
import { rateLimits } from "~/rate-limits.server"
import type { Services } from "~/services.server"
import { sealWith } from "~/session-seal.server"
import { signWith } from "~/signature.server"
import { testGateway, testPanel } from "./shop-neighbours"

/** 20 November 2026, 12:00 UTC. */
export const NOON = Date.UTC(2026, 10, 20, 12)

export const choice: CompleteChoices = {
  ...{ kind: "plan", plan: "3", extraConnection: true, proxyProtection: false, promoCode: null },
  ...{ email: "ana@example.test", gateway: "offshore", coin: null },
}

/** What that choice comes to: a year and an extra connection, in cents. */
export const TOTAL = 79_00 + 19_90

/** What a new shop has on its shelf. */
export const catalogue = async () => readCatalogueFile(demonstration)

/** `openBooks`: opened by the test itself, with the shop's clock. */
type Settings = { databaseUrl?: string; openBooks?: (now: () => number) => Promise<EmbeddedBooks> }

/**
 * A whole shop: real books, in memory unless a database is named, a gateway and a panel that do what a test says, and
 * a clock in its hand.
 */
export async function openTestShop({ databaseUrl = ":memory:", openBooks }: Settings = {}) {
  let now = NOON
  let drawn = 0
  let names = 0
  const log: Record<string, unknown>[] = []
  const gateway = testGateway("offshore")
  const other = testGateway("coinbase")
  const { panel, provisioner } = testPanel()
  const newId = () => `name${++names}`
  const books = await (openBooks?.(() => now) ??
    openEmbeddedBooks({ databaseUrl, timeoutMs: 1_000, newId, catalogue }))
  const services: Services = {
    shop: {
      brand: { name: "Test", title: {}, guarantee: {}, colours: { light: "#405db1", dark: null } },
      ...{ logo: null, publicUrl: "https://shop.test", currency: "EUR", timeZone: "UTC" },
      ...{ defaultPlan: null, defaultResellerPlan: null, newResellerPlan: null },
      ...{ testMode: false, defaultCountry: "MA", fallbackAddress: "0.0.0.0" },
      ...{ fraudCheck: true, trustEmailLinks: false, analytics: null, apps: [], retention: null },
      links: { guides: null, speedTest: null, support: null },
    },
    ...{ billing: books.billing, till: books.till, outbox: books.outbox },
    catalogue: { ...books.billing, paused: () => false, pause: () => {} },
    gateways: new Map([gateway.gateway, other.gateway].map((it) => [it.id, it])),
    offered: ["offshore", "coinbase"],
    tolerance: {},
    provisioner,
    countryOf: async () => "XX",
    market: { country: "XX", currency: "EUR" },
    rateLimits: rateLimits(),
    sessionSeal: sealWith(["x".repeat(32)], "session"),
    served: null,
    signer: signWith(["x".repeat(32)], "links"),
    now: () => now,
    // Every number differs from the one before, as with a real die.
    draw: (below) => (drawn++ * 7 + Math.floor(drawn / below)) % below,
    newId,
    wakeJobs: () => {},
    healthy: books.healthy,
    log: pino({ base: null }, { write: (line: string) => void log.push(JSON.parse(line)) }),
  }
  const wait = (milliseconds: number) => {
    now += milliseconds
  }
  return { services, books, gateway, other, panel, log, wait }
}

export type TestShop = Awaited<ReturnType<typeof openTestShop>>
