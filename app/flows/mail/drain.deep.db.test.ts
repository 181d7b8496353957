import { describe, expect, test } from "vitest"
import { DAY, MINUTE } from "~/domain/calendar"
import type { Mailer } from "~/mail/mailer"
import { buyPlan, request } from "../../../tests/fixtures/purchase"
import { engines, openTemporaryDatabase } from "../../../tests/fixtures/temporary-database"
import { openTestShop } from "../../../tests/fixtures/test-shop"
import { runMailQueue } from "./run-mail-queue.server"

const DUE = 10_000

describe.each(engines)("on %s", (engine) => {
  test("10,000 due messages are sent once each, while orders are provisioned and sign-in messages pass them", async () => {
    const database = await openTemporaryDatabase(engine)
    const handed = new Map<string, number>()
    const signIns: number[] = []
    const mailer: Mailer = {
      async send({ id, subject }) {
        handed.set(id, (handed.get(id) ?? 0) + 1)
        if (/sign|code/i.test(subject)) signIns.push(handed.size)
        return { kind: "sent", response: "250 ok" }
      },
    }
    const mail = { orders: true, reminders: false, operator: true, creditsLow: 5 }
    const shop = await openTestShop({ databaseUrl: database.url, mailer, mail })
    const { customerId } = await buyPlan(shop)
    const { services } = shop
    for (let nth = 0; nth < DUE; nth++) {
      const onceKey = `password-changed ${nth}`
      await services.mails.enqueue({
        name: "password-changed",
        onceKey,
        clientId: customerId,
        at: services.now(),
      })
    }
    const run = { signal: new AbortController().signal }
    const draining = runMailQueue({ ...services, mailer }, { queue: "mail", ...run })

    const provisioned: number[] = []
    for (let nth = 0; nth < 5; nth++) {
      const email = `buyer${nth}@example.test`
      const started = performance.now()
      const order = await buyPlan(shop, { key: `draft-${nth + 2}`, choices: { ...request().choices, email } })
      expect((await services.billing.order(order.id))?.status).toBe("active")
      provisioned.push(performance.now() - started)
    }
    const before = handed.size
    expect(before).toBeLessThan(DUE)
    await services.signInRequests.create({
      id: "request",
      email: "ana@example.test",
      locale: "en-en",
      sessionId: "session",
      at: services.now(),
    })
    await runMailQueue({ ...services, mailer }, { queue: "sign-in-mail", ...run })
    expect(signIns[0]).toBeLessThan(DUE)
    await draining
    expect(handed.size).toBeGreaterThanOrEqual(DUE + 6)
    expect([...handed.values()].filter((times) => times > 1)).toEqual([])
    const { oldestUnsent } = await services.mails.stats(services.now() + MINUTE, services.now() - DAY)
    expect(oldestUnsent).toBeNull()
    process.stdout.write(`${engine}: orders provisioned meanwhile in ms: ${provisioned.map(Math.round)}\n`)
    await shop.billing.close()
    await database.close()
  })
})
