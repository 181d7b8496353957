import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type {
  CatalogueAdmin,
  CatalogueContent,
  ScheduledPriceFields,
} from "~/billing/catalogue/catalogue-admin"
import { DAY } from "~/domain/calendar"
import { buyPlan } from "../../../../tests/fixtures/purchase"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { NOON, openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"
import { readCatalogueFile, writeCatalogueFile } from "./catalogue-file"

const OWNER = "owner@shop.test"
const TOMORROW = NOON + DAY
const entry = {
  from: new Date(TOMORROW).toISOString(),
  currency: "EUR",
  cycle: "annually",
  price: "89.00",
  author: OWNER,
  at: new Date(NOON).toISOString(),
  reason: "channels cost more",
}

describe.each(engines)("scheduled prices on %s", (engine) => {
  let database: TemporaryDatabase
  let shop: TestShop
  let catalogue: CatalogueAdmin
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
    shop = await openTestShop({ databaseUrl: database.url })
    if (!shop.billing.catalogue) throw new Error("Embedded billing has the products")
    catalogue = shop.billing.catalogue
  })
  afterEach(async () => {
    await shop.billing.close()
    await database.close()
  })

  const year = async () => (await shop.billing.billing.plans()).find(({ id }) => id === "3")
  const price = async () => (await year())?.pricing.EUR?.annually
  const extra = async () => (await year())?.options[0]?.choices[0]?.pricing.EUR?.annually
  const made = (reason = "a sale") => ({ author: OWNER, reason, at: shop.services.now() })

  async function change(changed: (content: CatalogueContent) => CatalogueContent, seen?: number) {
    const { content, latest } = await catalogue.present()
    return catalogue.change(changed(content), { ...made(), seenVersion: seen ?? latest })
  }
  const scheduledAt = (list: readonly ScheduledPriceFields[]) => (content: CatalogueContent) => ({
    ...content,
    plans: content.plans.map((it) => (it.pid === "3" ? { ...it, scheduled_prices: list } : it)),
  })
  const pricedAt = (amount: string) => (content: CatalogueContent) => ({
    ...content,
    plans: content.plans.map((it) =>
      it.pid === "3" ? { ...it, pricing: { ...it.pricing, EUR: { annually: amount } } } : it,
    ),
  })

  test("plans cost the scheduled price from its instant on, without anything being written", async () => {
    expect(await change(scheduledAt([entry]))).toMatchObject({ kind: "saved" })
    shop.wait(DAY - 1)
    expect([await price(), (await year())?.scheduledPrices?.length]).toEqual([79_00, 1])
    shop.wait(1)
    expect([await price(), (await year())?.scheduledPrices]).toEqual([89_00, undefined])
  })

  test("the price of an option is scheduled too, for every plan that has it", async () => {
    const configoptions = (content: CatalogueContent) =>
      content.configoptions.map((option, index) => ({
        ...option,
        options: option.options.map((it) =>
          index === 0 ? { ...it, scheduled_prices: [{ ...entry, price: "24.90" }] } : it,
        ),
      }))
    await change((content) => ({ ...content, configoptions: configoptions(content) }))
    expect(await extra()).toBe(19_90)
    shop.wait(DAY)
    expect(await extra()).toBe(24_90)
  })

  test("the next change writes the scheduled price as a version of who has scheduled it, with its instant", async () => {
    await change(scheduledAt([entry]))
    shop.wait(2 * DAY)
    expect(await change(pricedAt("95.00"))).toMatchObject({ kind: "saved", version: 4 })
    const [last, scheduled, first] = await catalogue.versions({ limit: 3 })
    expect([last?.how, first?.how]).toEqual(["edit", "edit"])
    expect(scheduled).toMatchObject({
      number: 3,
      how: "scheduled",
      author: OWNER,
      reason: "channels cost more",
      at: TOMORROW,
    })
    const [, then] = await Promise.all([2, 3].map(async (it) => (await catalogue.version(it))?.products))
    expect(then?.find(({ id }) => id === "3")?.pricing.EUR?.annually).toBe(89_00)
    expect(await price()).toBe(95_00)
  })

  test("a form that was opened before the instant is refused, and does not bring the former price back", async () => {
    await change(scheduledAt([entry]))
    const seen = await catalogue.present()
    shop.wait(DAY)
    expect((await catalogue.present()).latest).toBe(seen.latest + 1)
    expect(await change(() => seen.content, seen.latest)).toEqual({ kind: "changed" })
    expect(await price()).toBe(89_00)
  })

  test("another change before the instant leaves what is ahead, and one that sells it no more drops it", async () => {
    await change(scheduledAt([entry]))
    await change(pricedAt("75.00"))
    shop.wait(DAY)
    expect(await price()).toBe(89_00)
    await change(scheduledAt([{ ...entry, from: new Date(NOON + 2 * DAY).toISOString() }]))
    await change((content) => ({
      ...content,
      plans: content.plans.map((it) =>
        it.pid === "3" ? { ...it, pricing: { GBP: { annually: "1.00" } } } : it,
      ),
    }))
    await change(pricedAt("75.00"))
    shop.wait(DAY)
    expect(await price()).toBe(75_00)
  })

  test("an earlier version is taken back with the price that it had, not with one that it had scheduled", async () => {
    await change(scheduledAt([entry]))
    shop.wait(DAY)
    const { latest } = await catalogue.present()
    const saved = await catalogue.takeBack(2, { ...made("a mistake"), seenVersion: latest })
    expect(saved).toMatchObject({ kind: "saved" })
    expect(await price()).toBe(79_00)
  })

  test("a catalogue file has the price in force and what is ahead, and leads to the same prices", async () => {
    await change(
      scheduledAt([entry, { ...entry, from: new Date(NOON + 9 * DAY).toISOString(), price: "99.00" }]),
    )
    shop.wait(DAY)
    const text = writeCatalogueFile(await shop.billing.operator.exportCatalogue())
    const file = readCatalogueFile(text)
    expect(file.products.find(({ id }) => id === "3")).toMatchObject({
      pricing: { EUR: { annually: 89_00 } },
      scheduledPrices: [{ price: 99_00, author: OWNER, reason: "channels cost more" }],
    })
    await shop.billing.operator.importCatalogue(file, made())
    expect(await price()).toBe(89_00)
    shop.wait(8 * DAY)
    expect(await price()).toBe(99_00)
  })

  test("an order that was placed before the instant keeps its total, and running services their price", async () => {
    await change(scheduledAt([entry]))

    const order = await buyPlan(shop)
    shop.wait(DAY)
    expect((await shop.billing.billing.order(order.id))?.total).toEqual(order.total)
    expect((await shop.billing.billing.renewalTerms(order.serviceId))?.price).toEqual(order.total)
  })
})
