import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { invoiceOf } from "~/billing-api/contract/orders"
import { documentSums } from "~/domain/accounting/tax-document"
import { HOUR, MINUTE } from "~/domain/calendar"
import type { Business, NumberAnswer } from "~/domain/customers/business"
import { money } from "~/domain/money/money"
import { runMailQueue } from "~/flows/mail/run-mail-queue.server"
import type { Mailer, OutgoingMail } from "~/mail/mailer"
import { documentPolicy } from "../../../tests/fixtures/document-policy"
import { nothingWrong } from "../../../tests/fixtures/need-query"
import { buy, pay } from "../../../tests/fixtures/purchase"
import { germanTax } from "../../../tests/fixtures/tax-rules"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../tests/fixtures/temporary-database"
import { NOON, openTestShop, pricing, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { answering, FRENCH } from "../../../tests/fixtures/vat-numbers"
import { checkTaxNumbers } from "./check-tax-number.server"

/** The tax in the total at 20 %, rounded once. */
const FRENCH_TAX = 1_648

describe.each(engines)("on %s", (engine) => {
  let database: TemporaryDatabase
  let shop: TestShop
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
    shop = await openTestShop({ databaseUrl: database.url, tax: germanTax })
  })
  afterEach(async () => {
    await shop.billing.close()
    await database.close()
  })

  const company = (answer: NumberAnswer): Business => ({
    company: "Lumière SARL",
    address: ["1 rue de la Paix", "75002 Paris"],
    taxNumber: FRENCH,
    check: { result: answer, at: NOON, requestId: null },
  })

  /** Buys for a French company whose number has been answered like that. */
  async function bought(answer: NumberAnswer, agreedTotal = TOTAL) {
    const buyer = { named: "FR", located: "FR", business: company(answer) }
    const { order } = await buy(shop, { agreedTotal, pricing: { ...pricing, country: "FR", buyer } })
    await pay(shop, order)
    return order.id
  }

  /** Asks again after a while, with what the register answers then. */
  async function askedAgain(answer: NumberAnswer, after: number) {
    shop.wait(after)
    const { now } = shop.services
    await checkTaxNumbers({ ...shop.services, vatNumbers: answering(answer, now) })
  }

  const needs = async () => {
    const query = { now: shop.services.now(), yesterday: "2026-11-19", ...nothingWrong }
    return (await shop.billing.overview.needs(query)).filter(({ kind }) => kind === "tax-owed-back")
  }

  test("a business that is confirmed after the sale is owed the tax, and the operator is told until it is paid back", async () => {
    const id = await bought("unanswered")
    const before = await shop.services.billing.order(id)
    expect([before?.total.minor, before?.tax?.place.kind]).toEqual([TOTAL, "taxed"])

    await askedAgain("valid", 5 * MINUTE)
    const order = await shop.services.billing.order(id)
    expect(order?.tax).toMatchObject({
      place: { kind: "taxed" },
      buyer: { business: { check: { result: "valid", requestId: "WAPIAAAAY1" } } },
      correction: { place: { kind: "reverse-charge", country: "FR" }, back: FRENCH_TAX },
    })
    expect(order?.total.minor).toBe(TOTAL)
    expect(await needs()).toMatchObject([
      { orderId: id, amount: money(FRENCH_TAX, "EUR"), detail: FRENCH, takenBy: null },
    ])
    // Its next order is without tax at once.
    expect(await shop.services.billing.businessOf(order?.customerId ?? "")).toMatchObject({
      check: { result: "valid" },
    })

    shop.wait(HOUR)
    const refund = { key: "r1", amount: money(FRENCH_TAX, "EUR"), reason: "tax", at: shop.services.now() }
    await shop.billing.operator.recordRefund(id, refund)
    expect(await needs()).toEqual([])
  })

  test.each(["as account credit", "in cash"])(
    "the operator is told until the tax was paid back %s, of an order that was marked as paid",
    async (way) => {
      const buyer = { named: "FR", located: "FR", business: company("unanswered") }
      const { order } = await buy(shop, { agreedTotal: TOTAL, pricing: { ...pricing, country: "FR", buyer } })
      await shop.services.billing.applyOrderEvent(order.id, "paid", shop.services.now(), "operator: cash")
      await askedAgain("valid", 5 * MINUTE)
      expect(await needs()).toMatchObject([{ orderId: order.id }])
      shop.wait(MINUTE)
      const refund = { key: "r1", amount: money(FRENCH_TAX, "EUR"), reason: "tax", at: shop.services.now() }
      const toCredit = way === "as account credit"
      await shop.billing.operator.recordRefund(order.id, { ...refund, toCredit })
      expect(await needs()).toEqual([])
    },
  )

  test("the billing API answers without the tax that is owed back, once the order is paid", async () => {
    const id = await bought("unanswered")
    const apiTax = async () => {
      const order = await shop.services.billing.order(id)
      if (!order) throw new Error("There is no order")
      const { total, tax, taxrate } = invoiceOf(order)
      return { total, tax, taxrate }
    }
    expect(await apiTax()).toEqual({ total: "98.90", tax: "16.48", taxrate: "20.00" })
    await askedAgain("valid", 5 * MINUTE)
    expect(await apiTax()).toEqual({ total: "98.90", tax: "0.00", taxrate: "0.00" })
  })

  test("events tell of no tax in the order any more", async () => {
    await shop.billing.close()
    const webhooks = { always: true, creditsLow: 5 }
    shop = await openTestShop({ databaseUrl: database.url, tax: germanTax, webhooks })
    const id = await bought("unanswered")
    await askedAgain("valid", 5 * MINUTE)
    const refund = { key: "r1", amount: money(FRENCH_TAX, "EUR"), reason: "tax", at: shop.services.now() }
    await shop.billing.operator.recordRefund(id, refund)
    await shop.services.webhooks.publish(1_000)
    const [last] = (await shop.services.webhooks.eventsAfter(0, 1_000)).toReversed()
    expect(last?.event).toMatchObject({
      type: "payment.refunded",
      data: { order: { total: { amount: "98.90" }, tax: { amount: "0.00" } } },
    })
  })

  test("the invoice is replaced by one without tax, and refunds pay back the tax before they correct it", async () => {
    await shop.billing.close()
    shop = await openTestShop({ databaseUrl: database.url, tax: germanTax, documents: documentPolicy })
    const id = await bought("unanswered")
    await askedAgain("valid", 5 * MINUTE)
    const NET = TOTAL - FRENCH_TAX
    const issued = () => shop.services.documents.taxDocumentsOf(id)
    const shown = async () =>
      (await issued()).map((it) => [
        it.kind,
        it.place.kind,
        documentSums(it.lines),
        it.corrects?.number ?? null,
      ])
    const replaced = [
      ["invoice", "taxed", { net: NET, tax: FRENCH_TAX, gross: TOTAL }, null],
      ["credit-note", "taxed", { net: NET, tax: FRENCH_TAX, gross: TOTAL }, "2026-000001"],
      ["invoice", "reverse-charge", { net: NET, tax: 0, gross: NET }, "2026-000001"],
    ]
    expect(await shown()).toEqual(replaced)
    const [invoice, note, other] = await issued()
    expect([note?.suppliedOn, other?.suppliedOn]).toEqual([invoice?.suppliedOn, invoice?.suppliedOn])
    expect(other?.payments).toEqual([{ by: "set-off", amount: NET, at: expect.any(Number) }])
    const doctor = async () =>
      (await shop.billing.operator.diagnose(shop.services.now())).find(
        ({ check }) => check === "invoices and ledgers",
      )
    expect(await doctor()).toMatchObject({ ok: true })

    const refund = (key: string, minor: number) =>
      shop.billing.operator.recordRefund(id, {
        key,
        amount: money(minor, "EUR"),
        reason: "tax",
        at: shop.services.now(),
      })
    await refund("r1", 1_000)
    expect((await shop.services.billing.order(id))?.tax?.correction).toMatchObject({
      back: FRENCH_TAX,
      repaid: 1_000,
    })
    expect(await shown()).toEqual(replaced)
    expect(await doctor()).toMatchObject({ ok: true })
    await refund("r2", FRENCH_TAX - 1_000 + 500)
    expect((await shown()).slice(3)).toEqual([
      ["credit-note", "reverse-charge", { net: 500, tax: 0, gross: 500 }, other?.number],
    ])
    expect(await doctor()).toMatchObject({ ok: true })
  })

  /** What the gateway reports of an order's only payment, and what its documents say then. */
  function accountsOf(id: string) {
    const attemptId = shop.gateway.opened[0]?.attemptId ?? ""
    /** The gateway reports what it has received and paid back in all. */
    const reports = async (eventKey: string, received: number, refunded: number) => {
      const sums = { received: money(received, "EUR"), refunded: money(refunded, "EUR") }
      const status = received - refunded < TOTAL ? "refunded" : "paid"
      const update = { eventKey, attemptId, status, transactionId: null, ...sums } as const
      await shop.services.payments.recordPaymentUpdate("offshore", update, shop.services.now())
    }
    const state = async () => {
      const diagnosis = await shop.billing.operator.diagnose(shop.services.now())
      const last = (await shop.services.documents.taxDocumentsOf(id)).at(-1)
      const { back, repaid = 0 } = (await shop.services.billing.order(id))?.tax?.correction ?? { back: 0 }
      return {
        agrees: diagnosis.find(({ check }) => check === "invoices and ledgers")?.ok,
        last: [last?.kind, last?.place.kind, documentSums(last?.lines ?? []).tax],
        owed: back - repaid,
      }
    }
    return { reports, state }
  }

  test("what is paid again after a chargeback, once the invoice was replaced, is invoiced without tax, which is owed back, too", async () => {
    await shop.billing.close()
    shop = await openTestShop({ databaseUrl: database.url, tax: germanTax, documents: documentPolicy })
    const id = await bought("unanswered")
    const { reports, state } = accountsOf(id)
    await reports("charged back", TOTAL, 90_00)
    await askedAgain("valid", 5 * MINUTE)
    expect(await state()).toMatchObject({ agrees: true, last: ["invoice", "reverse-charge", 0] })
    await reports("paid again", TOTAL + 90_00, 90_00)
    expect(await state()).toEqual({
      agrees: true,
      last: ["invoice", "reverse-charge", 0],
      owed: FRENCH_TAX,
    })
    await reports("charged back again", TOTAL + 90_00, TOTAL + 90_00)
    expect(await state()).toEqual({ agrees: true, last: ["credit-note", "reverse-charge", 0], owed: 0 })
    await reports("and paid again", 2 * TOTAL + 90_00, TOTAL + 90_00)
    expect(await state()).toEqual({
      agrees: true,
      last: ["invoice", "reverse-charge", 0],
      owed: FRENCH_TAX,
    })
  })

  test("an invoice that was paid back whole before its business was confirmed, and is paid again, is invoiced without tax", async () => {
    await shop.billing.close()
    shop = await openTestShop({ databaseUrl: database.url, tax: germanTax, documents: documentPolicy })
    const { reports, state } = accountsOf(await bought("unanswered"))
    await reports("charged back", TOTAL, TOTAL)
    await askedAgain("valid", 5 * MINUTE)
    expect(await state()).toEqual({ agrees: true, last: ["credit-note", "taxed", FRENCH_TAX], owed: 0 })
    const untaxed = { agrees: true, last: ["invoice", "reverse-charge", 0] }
    await reports("paid again in part", TOTAL + 60_00, TOTAL)
    expect(await state()).toEqual({ ...untaxed, owed: 10_00 })
    await reports("paid again whole", 2 * TOTAL, TOTAL)
    expect(await state()).toEqual({ ...untaxed, owed: FRENCH_TAX })
    await reports("charged back again", 2 * TOTAL, 2 * TOTAL)
    expect(await state()).toEqual({ agrees: true, last: ["credit-note", "reverse-charge", 0], owed: 0 })
    await reports("and paid again", 3 * TOTAL, 2 * TOTAL)
    expect(await state()).toEqual({ ...untaxed, owed: FRENCH_TAX })
  })

  test("an answer and refunds that arrive together all count, and the documents agree with the money", async () => {
    await shop.billing.close()
    shop = await openTestShop({ databaseUrl: database.url, tax: germanTax, documents: documentPolicy })
    const id = await bought("unanswered")
    const at = shop.services.now()
    const refunds = ["r1", "r2"].map((key) =>
      shop.billing.operator.recordRefund(id, { key, amount: money(500, "EUR"), reason: "asked", at }),
    )
    const answer = { result: "valid", at, requestId: null } as const
    await Promise.all([...refunds, shop.services.billing.recordNumberCheck(id, answer)])
    const order = await shop.services.billing.order(id)
    expect([order?.received.minor, order?.tax?.correction?.place.kind]).toEqual([
      TOTAL - 1_000,
      "reverse-charge",
    ])
    const checks = await shop.billing.operator.diagnose(at)
    expect(checks.find(({ check }) => check === "invoices and ledgers")).toMatchObject({ ok: true })
  })

  test("an order that is confirmed before it is paid has its invoice and the one in its place at once", async () => {
    await shop.billing.close()
    shop = await openTestShop({ databaseUrl: database.url, tax: germanTax, documents: documentPolicy })
    const buyer = { named: "FR", located: "FR", business: company("unanswered") }
    const { order } = await buy(shop, { agreedTotal: TOTAL, pricing: { ...pricing, country: "FR", buyer } })
    await askedAgain("valid", 5 * MINUTE)
    expect(await shop.services.documents.taxDocumentsOf(order.id)).toEqual([])
    await pay(shop, order)
    const documents = await shop.services.documents.taxDocumentsOf(order.id)
    expect(documents.map(({ kind, place }) => [kind, place.kind])).toEqual([
      ["invoice", "taxed"],
      ["credit-note", "taxed"],
      ["invoice", "reverse-charge"],
    ])
    expect((await shop.services.billing.order(order.id))?.tax?.correction).toMatchObject({ back: FRENCH_TAX })
  })

  test.each([
    ["once it is confirmed", ["pay", "confirm"]],
    ["once it has paid, when it was confirmed before", ["confirm", "pay"]],
  ] as const)(
    "a business gets a mail about its other invoice and the tax that it gets back %s",
    async (_, steps) => {
      await shop.billing.close()
      const handed: OutgoingMail[] = []
      const mailer: Mailer = {
        async send(mail) {
          handed.push(mail)
          return { kind: "sent", response: "250 ok" }
        },
      }
      shop = await openTestShop({
        databaseUrl: database.url,
        tax: germanTax,
        documents: documentPolicy,
        mailer,
      })
      const buyer = { named: "FR", located: "FR", business: company("unanswered") }
      const { order } = await buy(shop, { agreedTotal: TOTAL, pricing: { ...pricing, country: "FR", buyer } })
      const subjects = async () => {
        await runMailQueue(
          { ...shop.services, mailer },
          { queue: "mail", signal: new AbortController().signal },
        )
        return handed.map(({ subject }) => subject).filter((it) => it.includes("without tax"))
      }
      for (const step of steps) {
        expect(await subjects()).toEqual([])
        if (step === "pay") await pay(shop, order)
        else await askedAgain("valid", 5 * MINUTE)
      }
      expect(await subjects()).toEqual(["Your order is without tax: you get €16.48 back"])
    },
  )

  test("a register that stays away is asked again later, and a number that it does not know changes no price", async () => {
    const id = await bought("unanswered")
    await askedAgain("unanswered", 5 * MINUTE)
    expect((await shop.services.billing.order(id))?.tax?.buyer.business?.check.result).toBe("unanswered")
    await askedAgain("valid", MINUTE)
    expect((await shop.services.billing.order(id))?.tax?.buyer.business?.check.result).toBe("unanswered")
    await askedAgain("invalid", HOUR)
    const { tax } = (await shop.services.billing.order(id)) ?? {}
    expect(tax?.buyer.business?.check.result).toBe("invalid")
    expect(tax?.correction).toBeUndefined()
    expect(await needs()).toEqual([])
  })

  test("a register that stays away for three days leaves the question to the operator", async () => {
    const id = await bought("unanswered")
    const jobs = async () =>
      (await shop.billing.operator.jobs(id)).filter(({ topic }) => topic === "tax-number")
    for (let hours = 0; hours < 66; hours += 6) await askedAgain("unanswered", 6 * HOUR)
    expect(await jobs()).toMatchObject([{ state: "waiting" }])
    for (let tries = 0; tries < 33; tries++) await askedAgain("unanswered", 6 * HOUR)
    // With the order that the operator is to look at.
    expect(await jobs()).toMatchObject([{ state: "parked", orderId: id }])
    await askedAgain("valid", 6 * HOUR)
    expect((await shop.services.billing.order(id))?.tax?.buyer.business?.check.result).toBe("unanswered")
  })

  test("an answer is stored once: a second one changes nothing", async () => {
    const id = await bought("unanswered")
    const check = (answer: NumberAnswer, at: number) => ({ result: answer, at, requestId: null })
    await shop.services.billing.recordNumberCheck(id, check("valid", NOON + HOUR))
    await shop.services.billing.recordNumberCheck(id, check("invalid", NOON + 2 * HOUR))
    expect((await shop.services.billing.order(id))?.tax).toMatchObject({
      buyer: { business: { check: { result: "valid" } } },
      correction: { back: FRENCH_TAX, at: NOON + HOUR },
    })
  })

  test.each(["valid", "unchecked"] as const)(
    "a number that is %s at the sale is asked for no more",
    async (answer) => {
      await bought(answer, answer === "valid" ? 8_241 : TOTAL)
      shop.wait(HOUR)
      expect(await checkTaxNumbers(shop.services)).toBe(0)
    },
  )
})
