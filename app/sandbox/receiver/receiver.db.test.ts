import { pino } from "pino"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { createEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import { MINUTE, SECOND } from "~/domain/calendar"
import { deliveries } from "~/flows/webhooks/deliver-events.server"
import { addEndpoint } from "~/flows/webhooks/manage-endpoints.server"
import { type Sandbox, startSandbox } from "~/sandbox/sandbox.server"
import { sealWith } from "~/security/cookie-encryption.server"
import { standardWebhookSender } from "~/webhooks/standard-webhook-sender.server"
import { NOON, unique } from "../../../tests/contracts/billing/billing-fixtures"
import { OFFSHORE_SECRET } from "../../../tests/fakes/offshore"
import { openTemporaryDatabase, type TemporaryDatabase } from "../../../tests/fixtures/temporary-database"
import type { ReceivedEvent } from "./received-events.server"
import { type ReceiverAnswer, receiverAnswers } from "./receiver-answers"

const log = pino({ level: "silent" })
const LATE = 300

let sandbox: Sandbox
let database: TemporaryDatabase
let now: number
beforeEach(async () => {
  now = NOON
  database = await openTemporaryDatabase("SQLite")
  sandbox = await startSandbox({
    port: 0,
    host: "127.0.0.1",
    file: ":memory:",
    callbackSecret: OFFSHORE_SECRET,
    receiver: { lateMs: LATE },
    now: () => now,
    log,
  })
})
afterEach(async () => {
  await sandbox.close()
  await database.close()
})

const post = (path: string, fields: Record<string, string>) =>
  fetch(`${sandbox.origin}/webhooks/${path}`, {
    method: "POST",
    body: new URLSearchParams(fields),
    redirect: "manual",
  })
const answers = (answer: ReceiverAnswer) => post("answer", { answer })
const page = async () =>
  (await fetch(`${sandbox.origin}/webhooks`, { headers: { accept: "text/html" } })).text()
/** Oldest first. */
async function received(): Promise<readonly ReceivedEvent[]> {
  const events: readonly ReceivedEvent[] = await (
    await fetch(`${sandbox.origin}/webhooks/events.json`)
  ).json()
  return events.toReversed()
}

/** The shop's own delivery, and an endpoint that leads to the sandbox. */
async function openShop() {
  const { outbox, webhooks } = createEmbeddedBilling(database)
  const policy = { allow: [], loopback: true }
  const webhookSender = standardWebhookSender({
    seal: sealWith(["x".repeat(32)], "webhooks"),
    policy,
    now: Date.now,
  })
  const services = {
    webhooks,
    outbox,
    now: () => now,
    log,
    randomInt: () => 0,
    newId: unique,
    webhookSender,
  }
  const fields = { url: `${sandbox.origin}/webhooks`, types: "*", description: "sandbox" }
  const outcome = await addEndpoint({ ...services, now }, fields)
  if (outcome.kind === "invalid") throw new Error(outcome.problem.kind)
  const { id, secret } = outcome.added
  const sending = deliveries(services, new AbortController().signal)
  let isDown = false
  return {
    webhooks,
    id,
    secret,
    /** Each event says that a gateway is down or up. */
    async happen(count = 1) {
      for (let index = 0; index < count; index++) {
        isDown = !isDown
        await webhooks.recordGateway("offshore", isDown, now)
        await webhooks.publish(100)
      }
    },
    async deliver() {
      await sending.start()
      await sending.idle()
    },
    process: (signal: AbortSignal) => deliveries(services, signal),
    states: async () => (await webhooks.deliveries(id, { state: null, limit: 99 })).map((it) => it.state),
    last: async () => (await webhooks.deliveries(id, { state: null, limit: 1 }))[0],
  }
}

describe("the sandbox's receiver", () => {
  test("verifies events by the secret that it is given, and shows their bodies as text", async () => {
    const shop = await openShop()
    await shop.happen()
    await shop.deliver()
    expect((await received()).map((it) => it.verdict)).toEqual(["unknown"])
    await post("secret", { secret: shop.secret })
    await shop.happen()
    await shop.deliver()
    await post("secret", { secret: `whsec_${"A".repeat(43)}=` })
    await shop.happen()
    await shop.deliver()
    expect((await received()).map((it) => it.verdict)).toEqual(["unknown", "verified", "invalid"])
    const shown = await page()
    expect(shown).toContain("signature INVALID")
    expect(shown).toContain("&quot;type&quot;:&quot;gateway.down&quot;")
    expect(shown).not.toContain(shop.secret)
    await post("empty", {})
    expect(await received()).toEqual([])
  })

  test("refuses a secret and an answer that there are not, and says so", async () => {
    const secret = await post("secret", { secret: "hunter2" })
    expect([secret.status, await secret.text()]).toEqual([400, expect.stringContaining("not a secret")])
    const answer = await post("answer", { answer: "maybe" })
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("Choose one")])
    for (const it of receiverAnswers) expect((await answers(it)).status).toBe(303)
  })

  test("is not there on a sandbox that strangers reach", async () => {
    const open = await startSandbox({
      port: 0,
      host: "127.0.0.1",
      file: ":memory:",
      callbackSecret: OFFSHORE_SECRET,
      now: () => now,
      log,
    })
    expect((await fetch(`${open.origin}/webhooks`)).status).toBe(404)
    await open.close()
  })
})

describe("the delivery of events to the sandbox's receiver", () => {
  test("an answer that is lost makes the event come again, with the same id", async () => {
    const shop = await openShop()
    await answers("cut")
    await shop.happen()
    await shop.deliver()
    await answers("accept")
    now += 5 * SECOND
    await shop.deliver()
    const [first, second] = await received()
    expect(second?.id).toBe(first?.id)
    expect(await page()).toContain("came before")
    expect(await shop.states()).toEqual(["delivered"])
  })

  test("a slow answer is waited for", async () => {
    const shop = await openShop()
    await answers("late")
    await shop.happen()
    await shop.deliver()
    expect(await shop.last()).toMatchObject({ state: "delivered", status: 200 })
    // A timer counts whole milliseconds, so it may end up to one early.
    expect((await shop.last())?.tookMs).toBeGreaterThanOrEqual(LATE - 1)
  })

  test("of a long hostile answer with status 500 at most 2 kB are kept", async () => {
    const shop = await openShop()
    await answers("error")
    await shop.happen()
    await shop.deliver()
    const last = await shop.last()
    expect(last).toMatchObject({ state: "waiting", status: 500, error: "status 500" })
    expect(last?.response).toContain("<script>")
    expect(Buffer.byteLength(last?.response ?? "")).toBeLessThanOrEqual(2_000)
  })

  test("a redirect is not followed", async () => {
    const shop = await openShop()
    await answers("redirect")
    await shop.happen()
    await shop.deliver()
    expect((await received()).map((it) => it.path)).toEqual(["/webhooks"])
    expect(await shop.last()).toMatchObject({ state: "waiting", error: "redirect (307)" })
  })

  test("429 with Retry-After holds all events for a minute, and none is lost", async () => {
    const shop = await openShop()
    await answers("too-many")
    await shop.happen()
    await shop.deliver()
    await shop.happen(3)
    now += MINUTE - 1
    await shop.deliver()
    expect(await received()).toHaveLength(1)
    await answers("accept")
    now += 1
    await shop.deliver()
    expect(new Set((await received()).map((it) => it.id)).size).toBe(4)
    expect(await shop.states()).toEqual(Array(4).fill("delivered"))
  })

  test("410 pauses the endpoint; resumed, it gets what it has missed", async () => {
    const shop = await openShop()
    await answers("gone")
    await shop.happen()
    await shop.deliver()
    expect(await shop.webhooks.endpoint(shop.id)).toMatchObject({ state: "paused", pauseReason: "gone" })
    await shop.happen(2)
    await answers("accept")
    await shop.webhooks.resumeEndpoint(shop.id, now)
    await shop.deliver()
    expect(await shop.states()).toEqual(Array(3).fill("delivered"))
  })

  test("a shop that stops while a receiver hangs sends the event again after its start", async () => {
    const shop = await openShop()
    await answers("hang")
    await shop.happen()
    const stopping = new AbortController()
    const sending = shop.process(stopping.signal)
    await sending.start()
    await expect.poll(received).toHaveLength(1)
    stopping.abort()
    await sending.idle()
    await answers("accept")
    now += 90 * SECOND
    await shop.deliver()
    expect(await received()).toHaveLength(2)
    expect(await shop.states()).toEqual(["delivered"])
  })
})
