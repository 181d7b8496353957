import { rmSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { HOUR } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import {
  catalogueFixture,
  NOON,
  opened,
  paymentUpdate,
  placed,
  plan,
  promotions,
} from "../../../../tests/contracts/billing/billing-fixtures"
import {
  createEmbeddedBilling,
  type SeedableBilling,
} from "../../../../tests/contracts/billing/embedded-billing"
import { temporaryFolder } from "../../../../tests/support/temporary-folder"

let folder: string
let backend: SeedableBilling

beforeEach(async () => {
  folder = temporaryFolder()
  backend = await createEmbeddedBilling(join(folder, "boxoffice.db"), catalogueFixture)
})
afterEach(async () => {
  await backend.close()
  rmSync(folder, { recursive: true })
})

test("operator.orders lists orders newest first, optionally of one status", async () => {
  const old = await placed(backend, { at: NOON - HOUR })
  const free = await placed(backend, {}, promotions.free)
  expect((await backend.operator.orders({ limit: 10 })).map(({ id }) => id)).toEqual([free.id, old.id])
  expect(await backend.operator.orders({ limit: 10, status: "placed" })).toEqual([
    {
      id: old.id,
      kind: "plan",
      paidAt: null,
      status: "placed",
      email: expect.stringMatching(/@example\.test$/),
      gateway: "offshore",
      country: "MA",
      promoCode: null,
      total: money(2_000, "EUR"),
      received: money(0, "EUR"),
      placedAt: NOON - HOUR,
    },
  ])
  expect(await backend.operator.orders({ limit: 1 })).toHaveLength(1)
})

test("operator.order returns the ledger, credit, service and timeline of an order, and null for an unknown id", async () => {
  const order = await placed(backend, { affiliateId: "12" })
  const attempt = await opened(backend, order)
  await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_300), NOON)
  expect(await backend.operator.order(order.id)).toMatchObject({
    order: { id: order.id, status: "paid" },
    service: { username: "TVABCDEFGH" },
    address: "192.0.2.7",
    affiliateId: "12",
    email: expect.stringMatching(/@example\.test$/),
    movements: [{ amount: money(2_300, "EUR"), transactionId: `tx-${attempt.id}` }],
    accountCredit: [money(300, "EUR")],
    timeline: await backend.billing.timeline(order.id),
  })
  expect(await backend.operator.order("none")).toBeNull()
})

test("operator.jobs lists parked jobs with the reason", async () => {
  const order = await placed(backend, {}, promotions.free)
  for (const job of await backend.outbox.claim(NOON, HOUR, 1))
    await backend.outbox.reschedule(job, { at: NOON, due: null, reason: "no panel" })
  expect(await backend.operator.jobs()).toMatchObject([
    { topic: "provision", orderId: order.id, state: "parked", tries: 1, reason: "no panel" },
  ])
})

test("importing an exported catalogue leaves the catalogue unchanged", async () => {
  const before = await backend.operator.exportCatalogue()
  await backend.operator.importCatalogue(before)
  expect(await backend.operator.exportCatalogue()).toEqual(before)
  expect(before.products).toEqual(catalogueFixture.products)
})

test("importing a catalogue replaces the old one and keeps the use count of promo codes in both", async () => {
  await placed(backend, {}, promotions.five)
  const { promotions: listed } = await backend.operator.exportCatalogue()
  const cheaper = { ...plan, pricing: { EUR: { monthly: 1_000 } } }
  await backend.operator.importCatalogue({
    products: [cheaper],
    promotions: listed.filter(({ code }) => code === "FIVE"),
  })
  expect(await backend.billing.plans()).toEqual([cheaper])
  expect(await backend.billing.resellerPlans()).toEqual([])
  expect(await backend.billing.promotion("FIVE")).toMatchObject({ remainingUses: 4 })
  expect(await backend.billing.promotion("LAST")).toBeNull()
})

test("importing a catalogue does not change placed orders", async () => {
  const order = await placed(backend)
  await backend.operator.importCatalogue({ products: [{ ...plan, id: "99" }], promotions: [] })
  expect(await backend.billing.order(order.id)).toEqual(order)
})
