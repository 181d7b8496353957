import { expect, test } from "vitest"
import { DAY, MINUTE, SECOND } from "~/domain/calendar"
import { isAboutEnd } from "~/domain/shop/mail"
import { dunningPass } from "~/flows/jobs/dunning.server"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { pollOrderPayment } from "~/flows/payments/poll-gateway.server"
import { buy } from "../../../tests/fixtures/purchase"
import { openTestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { renewFromBalance, renewFromBalances } from "./renew-from-balance.server"

/** A shop with a service whose customer has paid this much more than it costs. */
async function withCredit(more: number) {
  const shop = await openTestShop({ mailer: { send: async () => ({ kind: "sent", response: "250 ok" }) } })
  const { order } = await buy(shop)
  shop.gateway.reports("paid", TOTAL + more)
  shop.wait(3 * SECOND)
  await pollOrderPayment(shop.services, order.id)
  shop.gateway.reports("pending", 0)
  await runJobs(shop.services)
  const service = async () => {
    const found = await shop.services.billing.service(order.serviceId)
    if (!found?.paidUntil) throw new Error("no term")
    return { ...found, paidUntil: found.paidUntil }
  }
  const renewAt = async (at: number) => {
    shop.wait(at - shop.services.now())
    await renewFromBalances(shop.services, "an instance")
    await runJobs(shop.services, "terms")
  }
  const credit = async () => (await shop.services.payments.accountCredit(order.customerId, "EUR")).minor
  return { shop, order, service, renewAt, credit }
}

test("a service with consent is renewed at its end, once, at its price, and the panel is told", async () => {
  const { shop, service, renewAt, credit } = await withCredit(TOTAL * 3)
  const { id, paidUntil } = await service()
  await shop.services.billing.setBalanceRenewal(id, true, shop.services.now())
  await renewAt(paidUntil - MINUTE)
  expect(await service()).toMatchObject({ paidUntil })
  await renewAt(paidUntil)
  await renewAt(paidUntil + 10 * MINUTE)
  const renewed = await service()
  expect(renewed.paidUntil - paidUntil).toBeGreaterThan(364 * DAY)
  expect(renewed.paidUntil - paidUntil).toBeLessThan(367 * DAY)
  expect(await credit()).toBe(TOTAL * 2)
  expect(shop.panel.received.at(-1)).toMatchObject({ what: "extend", line: { paidUntil: renewed.paidUntil } })
})

test("a blocked customer's service is not renewed until the operator has unblocked them", async () => {
  const { shop, order, service, renewAt, credit } = await withCredit(TOTAL * 3)
  const { id, paidUntil } = await service()
  await shop.services.billing.setBalanceRenewal(id, true, shop.services.now())
  const blocked = { kind: "customer", value: order.customerId } as const
  await shop.billing.operator.block({ ...blocked, reason: "chargebacks", at: 0 })
  await renewAt(paidUntil + MINUTE)
  expect(await service()).toMatchObject({ paidUntil })
  expect(await credit()).toBe(TOTAL * 3)
  await shop.billing.operator.unblock(blocked)
  await renewAt(paidUntil + 2 * MINUTE)
  expect(await credit()).toBe(TOTAL * 2)
})

test("two instances at once renew it once", async () => {
  const { shop, service, credit } = await withCredit(TOTAL * 3)
  const { id, paidUntil } = await service()
  await shop.services.billing.setBalanceRenewal(id, true, shop.services.now())
  shop.wait(paidUntil - shop.services.now())
  const { outbox } = shop.services
  const services = { ...shop.services, outbox: { ...outbox, lease: async () => true } }
  await Promise.all(["one", "another"].map((holder) => renewFromBalances(services, holder)))
  expect(await credit()).toBe(TOTAL * 2)
})

test("a service without consent, and one whose credit does not suffice, stay as they are", async () => {
  for (const [more, consents] of [
    [TOTAL * 3, false],
    [TOTAL - 1, true],
  ] as const) {
    const { shop, service, renewAt, credit } = await withCredit(more)
    const { id, paidUntil } = await service()
    if (consents) await shop.services.billing.setBalanceRenewal(id, true, shop.services.now())
    await renewAt(paidUntil + MINUTE)
    expect(await service()).toMatchObject({ paidUntil, status: "Active" })
    expect(await credit()).toBe(more)
  }
})

test.each([
  ["is renewed and not asked to renew, though the instance that renews from credit has died", TOTAL, []],
  ["is asked to renew at its end if the credit does not suffice", TOTAL - 1, ["renewal-due"]],
])("a service with consent %s", async (_, more, messages) => {
  const { shop, service, credit } = await withCredit(more)
  const { id, paidUntil } = await service()
  const { services, billing } = shop
  await services.billing.setBalanceRenewal(id, true, services.now())
  shop.wait(paidUntil - services.now())
  await services.outbox.lease("balance renewals", "a dead instance", services.now(), DAY)
  const pass = dunningPass(services, {
    holder: "an instance",
    steadyNow: services.now,
    renewFromBalance: (serviceId) => renewFromBalance(services, serviceId),
  })
  await pass()
  expect((await service()).paidUntil > paidUntil).toBe(messages.length === 0)
  expect(await credit()).toBe(messages.length === 0 ? 0 : more)
  const sent = await billing.operator.mails({ limit: 20 })
  expect(sent.map(({ name }) => name).filter((name) => isAboutEnd(name))).toEqual(messages)
})
