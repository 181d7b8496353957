import { expect, test } from "vitest"
import { MINUTE } from "~/domain/calendar"
import { watchForEvents } from "~/flows/webhooks/publish-events.server"
import type { Mailer, OutgoingMail } from "~/mail/mailer"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { openTestShop } from "../../../tests/fixtures/test-shop"
import { operatorAlerts } from "./alert-operator.server"
import { runMailQueue } from "./run-mail-queue.server"

async function openWatchedShop() {
  const handed: OutgoingMail[] = []
  const mailer: Mailer = {
    async send(mail) {
      handed.push(mail)
      return { kind: "sent", response: "250 ok" }
    },
  }
  const shop = await openTestShop({
    mailer,
    mail: { orders: true, reminders: false, operator: true, creditsLow: 5 },
  })
  const services = { ...shop.services, mailer }
  const watch = operatorAlerts(services, "an instance")
  const subjects = () => handed.map(({ subject }) => subject)
  const send = () => runMailQueue(services, { queue: "mail", signal: new AbortController().signal })
  return { ...shop, services, watch, send, subjects }
}

test("a gateway that is down for ten minutes is alerted, and when it is up again", async () => {
  const shop = await openWatchedShop()
  shop.gateway.isDegraded()
  for (let minute = 0; minute < 10; minute++) {
    await shop.watch()
    shop.wait(MINUTE)
  }
  await shop.send()
  expect(shop.subjects()).toEqual([])
  await shop.watch()
  await shop.watch()
  await shop.send()
  expect(shop.subjects()).toEqual([expect.stringMatching(/offshore does not respond/)])
  shop.gateway.isDegraded(false, { downSince: null, lastSuccessAt: shop.services.now() })
  await shop.watch()
  await shop.send()
  expect(shop.subjects()[1]).toMatch(/offshore responds again/)
})

test("a restart during an outage tells nobody that the gateway responds again", async () => {
  const shop = await openWatchedShop()
  const { webhooks, now } = shop.services
  const answered = now()
  await webhooks.addEndpoint({
    id: "whe_1",
    url: "https://crm.test/",
    description: "",
    subscriptions: ["*"],
    sealedSecret: "sealed",
    at: answered,
  })
  const watches = [shop.watch, watchForEvents(shop.services, "an instance")]
  shop.gateway.isDegraded()
  for (let minute = 0; minute <= 10; minute++) {
    shop.wait(MINUTE)
    for (const watch of watches) await watch()
  }
  const alerts = async () => {
    await shop.send()
    await webhooks.publish(9)
    const events = (await webhooks.eventsAfter(0, 9)).map(({ event }) => event.type)
    return [shop.subjects().length, events]
  }
  expect(await alerts()).toEqual([1, ["gateway.down"]])
  // Another process has not called it yet, or not since before the outage.
  for (const lastSuccessAt of [null, answered]) {
    shop.gateway.isDegraded(false, { downSince: null, lastSuccessAt })
    for (const watch of watches) await watch()
  }
  expect(await alerts()).toEqual([1, ["gateway.down"]])
  shop.gateway.isDegraded(false, { downSince: null, lastSuccessAt: now() })
  for (const watch of watches) await watch()
  expect(await alerts()).toEqual([2, ["gateway.down", "gateway.up"]])
})

test("a gateway that recovers within ten minutes is not alerted", async () => {
  const shop = await openWatchedShop()
  for (const isDown of [true, false, true]) {
    shop.gateway.isDegraded(isDown)
    await shop.watch()
    shop.wait(6 * MINUTE)
  }
  await shop.watch()
  await shop.send()
  expect(shop.subjects()).toEqual([])
})

test("only one instance watches", async () => {
  const shop = await openWatchedShop()
  await shop.watch()
  shop.gateway.isDegraded()
  const other = operatorAlerts(shop.services, "another instance")
  for (let minute = 0; minute < 20; minute++) {
    await shop.watch()
    await other()
    shop.wait(MINUTE / 2)
  }
  shop.wait(MINUTE)
  await shop.watch()
  await shop.send()
  expect(shop.subjects()).toHaveLength(1)
})

test("messages that wait are an alert in the log after fifteen minutes, and every fifteen minutes", async () => {
  const shop = await openWatchedShop()
  const lines = () => shop.log.filter(({ msg }) => msg === "mail not going out").map(({ reason }) => reason)
  await buyPlan(shop)
  shop.wait(14 * MINUTE)
  await shop.watch()
  expect(lines()).toEqual([])
  for (let minutes = 0; minutes < 20; minutes += 5) {
    shop.wait(5 * MINUTE)
    await shop.watch()
  }
  expect(lines()).toEqual([
    "messages wait and none was accepted for 19 minutes",
    "messages wait and none was accepted for 34 minutes",
  ])
})
