import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, HOUR } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { TaxFile, taxRulesOf } from "~/domain/tax/tax-file"
import { checkTaxNumbers } from "~/flows/jobs/check-tax-number.server"
import { documentPolicy as documents } from "../../../../tests/fixtures/document-policy"
import { buy, buyPlan, pay } from "../../../../tests/fixtures/purchase"
import { openShopOn, type ShopOnEngine } from "../../../../tests/fixtures/shop-on-engine"
import { engines } from "../../../../tests/fixtures/temporary-database"
import { NOON, pricing, TOTAL } from "../../../../tests/fixtures/test-shop"
import { answering, FRENCH } from "../../../../tests/fixtures/vat-numbers"

const zlotys = (rate: string, from: string) => ({ base: "EUR", quote: "PLN", rate, from }) as const

const atHome = { ...pricing, country: "PL", buyer: { named: "PL", located: "PL" } }

/** A Polish seller, whose catalogue is in euros. */
const polish = TaxFile.parse({
  country: "PL",
  confirmedOn: "2026-11-01",
  registrations: [{ country: "PL", number: "PL8567346215" }],
  oneStopShop: true,
})
const withRates = (...exchangeRates: readonly ReturnType<typeof zlotys>[]): TaxFile => ({
  ...polish,
  accounting: { currency: "PLN", exchangeRates: [...exchangeRates] },
})

describe.each(engines)("tax in the accounting currency on %s", (engine) => {
  let opened: ShopOnEngine
  async function open(taxFile: TaxFile) {
    opened = await openShopOn(engine, { taxFile, tax: taxRulesOf(taxFile) ?? undefined, documents })
  }
  beforeEach(() => open(withRates(zlotys("4.2534", "2026-11-01"), zlotys("4.3", "2026-12-01"))))
  afterEach(() => opened.close())

  /** Buys as a consumer at home, where the tax is 23 %. */
  const bought = (changes = {}) => buyPlan(opened.shop, { pricing: atHome, ...changes })
  const of = ({ id }: Pick<Order, "id">) => opened.shop.billing.documents.taxDocumentsOf(id)
  const stated = async (order: Pick<Order, "id">) => (await of(order)).map(({ accounting }) => accounting)
  const change = (content: TaxFile, seenVersion = 0) =>
    opened.shop.billing.tax?.change(content, { author: "owner", reason: "rates", at: NOON, seenVersion })
  async function refund({ id }: Pick<Order, "id">, minor: number) {
    const { billing, services, wait } = opened.shop
    wait(HOUR)
    const at = services.now()
    const asked = { key: `${id} ${at}`, amount: money(minor, "EUR"), reason: "asked", at }
    expect(await billing.operator.recordRefund(id, asked)).toMatchObject({ kind: "recorded" })
  }

  test("is stated on the invoice at the rate of the day of supply, and kept whatever rates come later", async () => {
    const order = await bought()
    const before = await of(order)
    expect(before).toMatchObject([
      {
        currency: "EUR",
        accounting: {
          currency: "PLN",
          exchange: zlotys("4.2534", "2026-11-01"),
          sums: [{ basisPoints: 2_300, net: 34_202, tax: 7_865 }],
        },
      },
    ])
    await change(withRates(zlotys("4.9", "2026-11-01")))
    expect(await of(order)).toEqual(before)
    opened.shop.wait(HOUR)
    const [next] = await stated(await bought({ key: "next" }))
    expect(next?.exchange.rate).toBe("4.9")
  })

  test("has the day of supply by the time zone of the documents", async () => {
    opened.shop.wait(Date.parse("2026-11-30T23:30:00Z") - NOON)
    const [invoice] = await stated(await bought())
    expect(invoice?.exchange).toEqual(zlotys("4.3", "2026-12-01"))
  })

  test("is taken back by credit notes at the rate of the invoice, which come to what it states", async () => {
    const order = await bought()
    opened.shop.wait(20 * DAY)
    await change(withRates(zlotys("4.9", "2026-11-01")))
    for (const part of [1, 3_333, TOTAL - 3_334]) await refund(order, part)
    const [invoice, ...notes] = await stated(order)
    expect(notes.map((it) => it?.exchange)).toEqual(Array(3).fill(invoice?.exchange))
    const sums = notes.flatMap((it) => it?.sums ?? [])
    expect([sums.map(({ net }) => net), sums.map(({ tax }) => tax)]).toEqual([
      [4, 11_527, 22_671],
      [0, 2_650, 5_215],
    ])
    expect(sums.reduce((sum, { net }) => sum + net, 0)).toBe(invoice?.sums[0]?.net)
    expect(sums.reduce((sum, { tax }) => sum + tax, 0)).toBe(invoice?.sums[0]?.tax)
  })

  test("is left out where no rate is known for the day: the order is sold, and its credit note states none either", async () => {
    await opened.close()
    await open(withRates(zlotys("4.3", "2026-12-01")))
    const order = await bought()
    expect((await opened.shop.services.billing.order(order.id))?.status).toBe("active")
    await change(withRates(zlotys("4.2534", "2026-11-01")))
    await refund(order, TOTAL)
    expect(await stated(order)).toEqual([undefined, undefined])
  })

  test("is left out where the seller names no accounting currency, or sells in it, and nothing of it is stored", async () => {
    const euros: TaxFile = {
      ...polish,
      accounting: { currency: "EUR", exchangeRates: [{ ...zlotys("0.87", "2026-11-01"), quote: "GBP" }] },
    }
    for (const file of [polish, euros]) {
      await opened.close()
      await open(file)
      expect(await stated(await bought())).toEqual([undefined])
      const rows = await opened.database.db.selectFrom("tax_documents").select("content").execute()
      expect(rows.map(({ content }) => Object.keys(JSON.parse(content)))).toEqual([
        expect.not.arrayContaining(["accounting"]),
      ])
    }
  })

  test("is stated of an order that was placed before tax was switched off", async () => {
    const { order } = await buy(opened.shop, { pricing: atHome })
    await change({ ...withRates(zlotys("4.2534", "2026-11-01")), confirmedOn: null })
    await pay(opened.shop, order)
    expect(await stated(order)).toMatchObject([{ currency: "PLN" }])
  })

  test("goes back with the invoice that is replaced by one without tax, which states none", async () => {
    const { shop } = opened
    const check = { result: "unanswered", at: NOON, requestId: null } as const
    const business = { company: "Lumière SARL", address: ["1 rue de la Paix"], taxNumber: FRENCH, check }
    const buyer = { named: "FR", located: "FR", business }
    const { order } = await buy(shop, { agreedTotal: TOTAL, pricing: { ...pricing, country: "FR", buyer } })
    await pay(shop, order)
    shop.wait(HOUR)
    await checkTaxNumbers({ ...shop.services, vatNumbers: answering("valid", shop.services.now) })
    const [invoice, note, untaxed] = await of(order)
    expect([note?.kind, note?.accounting]).toEqual(["credit-note", invoice?.accounting])
    expect(invoice?.accounting?.currency).toBe("PLN")
    expect([untaxed?.kind, untaxed?.accounting]).toEqual(["invoice", undefined])
  })
})
