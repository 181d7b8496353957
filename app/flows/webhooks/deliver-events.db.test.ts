import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import pino from "pino"
import { Webhook } from "standardwebhooks"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { createEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import type { WebhookRepository } from "~/billing/webhook-repository"
import { DAY, HOUR, MINUTE, SECOND } from "~/domain/calendar"
import { SECRETS_OVERLAP } from "~/domain/webhooks/delivery"
import { sealWith } from "~/security/cookie-encryption.server"
import { standardWebhookSender } from "~/webhooks/standard-webhook-sender.server"
import { NOON, unique } from "../../../tests/contracts/billing/billing-fixtures"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../tests/fixtures/temporary-database"
import { deliveries } from "./deliver-events.server"
import { publishEvents } from "./publish-events.server"
import { testEndpoint } from "./test-endpoint.server"

type Received = {
  readonly id: string
  readonly path: string
  readonly body: string
  readonly message: IncomingMessage
}
type Answer = (response: ServerResponse, received: Received) => void

/** A receiver on loopback, whose answers the test decides. */
async function openReceiver() {
  const received: Received[] = []
  const answers = new Map<string, Answer>()
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    const path = request.url ?? ""
    const one = { id: String(request.headers["webhook-id"]), path, body, message: request }
    received.push(one)
    const answer = answers.get(path) ?? ((it: ServerResponse) => it.writeHead(204).end())
    answer(response, one)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    received,
    url: (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    answers: (path: string, answer: Answer) => answers.set(path, answer),
    ids: (path: string) => received.filter((it) => it.path === path).map(({ id }) => id),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const status =
  (code: number, headers = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end("why")

test("all events that wait are published at once, however many", async () => {
  const left = [500, 500, 7]
  const publish = async () => left.shift() ?? 0
  await publishEvents({ webhooks: { publish } as unknown as WebhookRepository })
  expect(left).toEqual([])
})

describe.each(engines)("webhooks on %s", (engine) => {
  let database: TemporaryDatabase
  let receiver: Awaited<ReturnType<typeof openReceiver>>
  let now: number
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
    receiver = await openReceiver()
    now = NOON
  })
  afterEach(async () => {
    receiver.close()
    await database.close()
  })

  const sender = standardWebhookSender({
    seal: sealWith(["x".repeat(32)], "webhooks"),
    policy: { allow: [], loopback: true },
    now: () => Date.now(),
  })

  function open() {
    const { outbox, webhooks, ...rest } = createEmbeddedBilling({
      ...database,
      mail: { orders: true, reminders: true, operator: true, creditsLow: 5 },
    })
    const services = {
      webhooks,
      outbox,
      now: () => now,
      log: pino({ level: "silent" }),
      randomInt: () => 0,
      newId: unique,
      webhookSender: sender,
    }
    return { ...rest, webhooks, services, sending: deliveries(services, new AbortController().signal) }
  }
  type Shop = ReturnType<typeof open>

  async function add({ webhooks }: Shop, path: string, subscriptions = ["*"] as const) {
    const { secret, sealed } = sender.newSecret()
    const id = `whe_${unique()}`
    const endpoint = {
      id,
      url: receiver.url(path),
      description: "",
      subscriptions,
      sealedSecret: sealed,
      at: now,
    }
    await webhooks.addEndpoint(endpoint)
    return { id, secret }
  }

  /** Writes events: each is a change of a gateway. */
  async function happen({ webhooks }: Shop, count = 1) {
    for (let index = 0; index < count; index++) {
      const [last] = (await webhooks.eventsAfter(0, 10_000)).slice(-1)
      await webhooks.recordGateway("offshore", last?.event.type !== "gateway.down", now)
      await webhooks.publish(100)
    }
  }

  async function deliver({ sending }: Pick<Shop, "sending">) {
    await sending.start()
    await sending.idle()
  }

  const statesOf = async ({ webhooks }: Shop, id: string) =>
    (await webhooks.deliveries(id, { state: null, limit: 100 })).map(({ state }) => state)

  test("an endpoint gets each event after its creation once, signed by its secret", async () => {
    const shop = open()
    await add(shop, "/first")
    await happen(shop)
    const { id, secret } = await add(shop, "/late")
    await happen(shop, 2)
    await deliver(shop)
    await deliver(shop)
    expect(receiver.ids("/first")).toHaveLength(3)
    expect(receiver.ids("/late")).toHaveLength(2)
    expect(await statesOf(shop, id)).toEqual(["delivered", "delivered"])
    const [got] = receiver.received.filter(({ path }) => path === "/late")
    const headers = got?.message.headers as Record<string, string>
    expect(new Webhook(secret).verify(got?.body ?? "", headers)).toMatchObject({
      id: got?.id,
      type: "gateway.up",
    })
    expect(() => new Webhook(sender.newSecret().secret).verify(got?.body ?? "", headers)).toThrow()
  })

  test("after a rotation both secrets verify for 24 hours, then the new one alone", async () => {
    const shop = open()
    const { id, secret: former } = await add(shop, "/")
    const { secret, sealed } = sender.newSecret()
    const replaced = (await shop.webhooks.endpoint(id))?.sealedSecret ?? ""
    const formerUntil = now + SECRETS_OVERLAP
    await shop.webhooks.rotateSecret(id, { sealedSecret: sealed, formerUntil, replaced })
    await happen(shop)
    await deliver(shop)
    now += SECRETS_OVERLAP
    await happen(shop)
    await deliver(shop)
    const verified = receiver.received.map(({ body, message }) =>
      [former, secret].map((it) => {
        try {
          new Webhook(it).verify(body, message.headers as Record<string, string>)
          return true
        } catch {
          return false
        }
      }),
    )
    expect(verified).toEqual([
      [true, true],
      [false, true],
    ])
  })

  test.each([500, 404, 302, 400])(
    "status %s is tried again by the schedule, with the same id",
    async (code) => {
      const shop = open()
      const { id } = await add(shop, "/")
      receiver.answers("/", status(code, { location: receiver.url("/elsewhere") }))
      await happen(shop)
      await deliver(shop)
      now += 5 * SECOND - 1
      await deliver(shop)
      expect(receiver.ids("/")).toHaveLength(1)
      receiver.answers("/", status(204))
      now += 1
      await deliver(shop)
      expect(new Set(receiver.ids("/")).size).toBe(1)
      expect(receiver.received).toHaveLength(2)
      expect(await statesOf(shop, id)).toEqual(["delivered"])
    },
  )

  test("410 pauses the endpoint at once and tells the operator; resuming sends all that is missing, oldest first", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    await happen(shop)
    await deliver(shop)
    receiver.answers("/", status(410))
    await happen(shop, 1)
    await deliver(shop)
    expect(await shop.webhooks.endpoint(id)).toMatchObject({ state: "paused", pauseReason: "gone" })
    const alerts = await database.db.selectFrom("mails").select("name").execute()
    expect(alerts).toEqual([{ name: "operator-webhook-paused" }])
    now += 5 * DAY
    await happen(shop, 3)
    await deliver(shop)
    expect(receiver.received).toHaveLength(2)
    receiver.answers("/", status(204))
    expect(await shop.webhooks.resumeEndpoint(id, now)).toBe(true)
    now += 1
    await deliver(shop)
    expect(await statesOf(shop, id)).toEqual(Array(5).fill("delivered"))
    // The second is the one that was refused.
    const [, second] = receiver.ids("/")
    expect(receiver.ids("/")[2]).toBe(second)
    expect(new Set(receiver.ids("/")).size).toBe(5)
  })

  test("410 keeps what else is due from being sent, but for what is on its way", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    receiver.answers("/", status(410))
    await happen(shop, 12)
    await deliver(shop)
    expect(receiver.received.length).toBeLessThanOrEqual(4)
    expect(await shop.webhooks.endpoint(id)).toMatchObject({ state: "paused", pauseReason: "gone" })
  })

  test("an endpoint that has failed for an hour is told once, and paused after 3 days", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    receiver.answers("/", status(500))
    await happen(shop)
    await deliver(shop)
    now += 59 * MINUTE
    // Tried once more, and in vain.
    await deliver(shop)
    await shop.webhooks.watchEndpoints(now)
    expect(await database.db.selectFrom("mails").select("name").execute()).toEqual([])
    now += 1 * MINUTE
    for (const _ of ["first pass", "second pass"]) await shop.webhooks.watchEndpoints(now)
    // Path and query of the receiver may be secret.
    expect(await database.db.selectFrom("mails").select(["name", "detail"]).execute()).toEqual([
      { name: "operator-webhook-failing", detail: `${new URL(receiver.url("/")).host} (${id})` },
    ])
    now += 3 * DAY - 1 * HOUR
    await shop.webhooks.watchEndpoints(now)
    expect(await shop.webhooks.endpoint(id)).toMatchObject({ state: "paused", pauseReason: "failing" })
    expect(await statesOf(shop, id)).toEqual(["waiting"])
  })

  test("an endpoint that is resumed gets what was given up, and is not paused again for what it had failed with", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    receiver.answers("/", status(500))
    await happen(shop)
    for (let tries = 0; tries < 10; tries++) {
      await deliver(shop)
      now += 2 * DAY
    }
    await shop.webhooks.watchEndpoints(now)
    expect(await shop.webhooks.endpoint(id)).toMatchObject({ state: "paused", pauseReason: "failing" })
    expect(await statesOf(shop, id)).toEqual(["failed"])
    await shop.webhooks.resumeEndpoint(id, now)
    await shop.webhooks.watchEndpoints(now)
    expect(await shop.webhooks.endpoint(id)).toMatchObject({ state: "active", failingSince: null })
    receiver.answers("/", status(204))
    await deliver(shop)
    expect(await statesOf(shop, id)).toEqual(["delivered"])
    expect(await shop.webhooks.endpoint(id)).toMatchObject({ succeededAt: now })
    expect(await shop.webhooks.resumeEndpoint(id, now)).toBe(false)
  })

  test("a resumed endpoint gets its events at once, although its receiver had asked for a pause", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    receiver.answers("/", status(429, { "retry-after": "86400" }))
    await happen(shop)
    await deliver(shop)
    await shop.webhooks.pauseEndpoint(id, "operator", now)
    receiver.answers("/", status(204))
    await shop.webhooks.resumeEndpoint(id, now)
    await deliver(shop)
    expect(await statesOf(shop, id)).toEqual(["delivered"])
  })

  test("an edit of what another operator has changed meanwhile changes nothing", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    const seen = await shop.webhooks.endpoint(id)
    if (!seen) throw new Error("no endpoint")
    const others = { url: receiver.url("/new"), description: "CRM", subscriptions: ["order.*"] } as const
    for (const [name, value] of Object.entries(others)) {
      await shop.webhooks.editEndpoint(id, { [name]: value }, now)
      expect(await shop.webhooks.editEndpoint(id, { description: "mine" }, now, seen)).toBe(false)
      const { url, description, subscriptions } = seen
      await shop.webhooks.editEndpoint(id, { url, description, subscriptions }, now)
    }
    expect(await shop.webhooks.editEndpoint(id, { description: "mine" }, now, seen)).toBe(true)
  })

  test("an endpoint that is removed leaves none of its deliveries behind", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    await happen(shop)
    await deliver(shop)
    expect(await shop.webhooks.removeEndpoint(id)).toBe(true)
    expect(await shop.webhooks.removeEndpoint(id)).toBe(false)
    expect(await database.db.selectFrom("webhook_deliveries").selectAll().execute()).toEqual([])
  })

  test("an event is kept for 90 days, for pollers and a receiver that is away, and goes with its deliveries", async () => {
    const shop = open()
    await add(shop, "/")
    await happen(shop)
    await deliver(shop)
    expect(await shop.webhooks.deleteOld(now + 90 * DAY)).toBe(0)
    expect(await shop.webhooks.deleteOld(now + 90 * DAY + 1)).toBe(1)
    for (const table of ["webhook_events", "webhook_deliveries"] as const)
      expect(await database.db.selectFrom(table).selectAll().execute()).toEqual([])
  })

  test("events that failed at the same moment are not all tried again at the same moment", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    receiver.answers("/", status(500))
    await happen(shop)
    const late = { ...shop.services, randomInt: (below: number) => below - 1 }
    await deliver({ sending: deliveries(late, new AbortController().signal) })
    const [delivery] = await shop.webhooks.deliveries(id, { state: null, limit: 1 })
    expect(delivery?.due).toBeGreaterThan(now + 5 * SECOND)
    expect(delivery?.due).toBeLessThanOrEqual(now + 6 * SECOND)
  })

  test("an event is not delivered on request before pollers can see it, and not twice afterwards", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    await shop.webhooks.recordGateway("offshore", true, now)
    const { id: eventId } = await database.db
      .selectFrom("webhook_events")
      .select("id")
      .executeTakeFirstOrThrow()
    expect(await shop.webhooks.redeliver(id, { eventId }, now)).toBe(0)
    await shop.webhooks.publish(100)
    await deliver(shop)
    expect(receiver.ids("/")).toEqual([eventId])
  })

  test("an operator who pauses an endpoint is sent no message about it", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    expect(await shop.webhooks.pauseEndpoint(id, "operator", now)).toBe(true)
    expect(await shop.webhooks.pauseEndpoint(id, "operator", now)).toBe(false)
    expect(await database.db.selectFrom("mails").select("name").execute()).toEqual([])
  })

  test("of two new secrets at the same moment one is made, so that none is shown that does not sign", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    const replaced = (await shop.webhooks.endpoint(id))?.sealedSecret ?? ""
    const rotate = () =>
      shop.webhooks.rotateSecret(id, {
        sealedSecret: sender.newSecret().sealed,
        formerUntil: now + SECRETS_OVERLAP,
        replaced,
      })
    expect([await rotate(), await rotate()]).toEqual([true, false])
  })

  test("without the secret that encrypts an endpoint's own nothing is sent, and the delivery says why", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    const webhookSender = standardWebhookSender({
      seal: sealWith(["y".repeat(32)], "webhooks"),
      policy: { allow: [], loopback: true },
      now: () => Date.now(),
    })
    await happen(shop)
    await deliver({ sending: deliveries({ ...shop.services, webhookSender }, new AbortController().signal) })
    expect(receiver.received).toEqual([])
    expect(await shop.webhooks.deliveries(id, { state: null, limit: 1 })).toMatchObject([
      { state: "waiting", tries: 1, error: "secret not readable: OPERATOR_SECRETS has changed" },
    ])
  })

  test("another URL gets what waits at once, and is not paused for what the former one has refused", async () => {
    const shop = open()
    const { id } = await add(shop, "/mistyped")
    receiver.answers("/mistyped", status(404))
    await happen(shop, 2)
    for (const wait of [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR]) {
      now += wait
      await deliver(shop)
    }
    const sent = receiver.received.length
    await shop.webhooks.editEndpoint(id, { url: receiver.url("/mistyped"), description: "CRM" }, now)
    await deliver(shop)
    expect(receiver.received).toHaveLength(sent)

    await shop.webhooks.editEndpoint(id, { url: receiver.url("/") }, now)
    await shop.webhooks.watchEndpoints(NOON + 3 * DAY)
    expect(await shop.webhooks.endpoint(id)).toMatchObject({ state: "active", failingSince: null })
    await deliver(shop)
    expect(await statesOf(shop, id)).toEqual(["delivered", "delivered"])
  })

  test("429 with Retry-After holds all of the endpoint until then", async () => {
    const shop = open()
    await add(shop, "/")
    receiver.answers("/", status(429, { "retry-after": "600" }))
    await happen(shop, 1)
    await deliver(shop)
    await happen(shop, 3)
    now += 10 * MINUTE - 1
    await deliver(shop)
    expect(receiver.received).toHaveLength(1)
    receiver.answers("/", status(204))
    now += 1
    await deliver(shop)
    expect(new Set(receiver.ids("/")).size).toBe(4)
  })

  test("a pause that the receiver has asked for ends when the operator edits the endpoint", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    receiver.answers("/", status(429, { "retry-after": "600" }))
    await happen(shop)
    await deliver(shop)
    await shop.webhooks.editEndpoint(id, { description: "CRM" }, now)
    receiver.answers("/", status(204))
    await happen(shop)
    await deliver(shop)
    expect(receiver.received).toHaveLength(2)
  })

  test.each([204, 500])(
    "an answer %s to an event that was on its way does not end the pause that 429 has asked for",
    async (late) => {
      const shop = open()
      const { id } = await add(shop, "/")
      await happen(shop, 3)
      const waiting: (() => void)[] = []
      receiver.answers("/", (response) => {
        waiting.push(() => response.writeHead(late).end())
        if (waiting.length === 3) status(429, { "retry-after": "600" })(response, {} as Received)
      })
      await shop.sending.start()
      await expect
        .poll(async () => (await shop.webhooks.endpoint(id))?.holdUntil, { timeout: 10_000 })
        .toBe(now + 10 * MINUTE)
      for (const answer of waiting.slice(0, 2)) answer()
      await shop.sending.idle()
      await happen(shop)
      now += 10 * MINUTE - 1
      await deliver(shop)
      expect(receiver.received).toHaveLength(3)
      receiver.answers("/", status(204))
      now += 1
      await deliver(shop)
      expect(await statesOf(shop, id)).toEqual(Array(4).fill("delivered"))
    },
  )

  test("a type that the endpoint no longer subscribes to is skipped, and what it has failed with does not pause it", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    receiver.answers("/", status(500))
    await happen(shop)
    await deliver(shop)
    await shop.webhooks.editEndpoint(id, { subscriptions: ["order.*"] }, now)
    now += 1 * HOUR
    await deliver(shop)
    expect(receiver.received).toHaveLength(1)
    expect(await statesOf(shop, id)).toEqual(["skipped"])
    await shop.webhooks.watchEndpoints(now + 4 * DAY)
    expect(await shop.webhooks.endpoint(id)).toMatchObject({ state: "active", failingSince: null })
  })

  test("one event or those of a time are delivered again on request", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    await happen(shop, 2)
    now += 1 * DAY
    await happen(shop)
    await deliver(shop)
    const [first = ""] = receiver.ids("/").toSorted()
    expect(await shop.webhooks.redeliver(id, { eventId: first }, now)).toBe(1)
    await deliver(shop)
    expect(receiver.ids("/").filter((it) => it === first)).toHaveLength(2)
    expect(await shop.webhooks.redeliver(id, { from: NOON, until: NOON + 1 }, now)).toBe(2)
    await deliver(shop)
    expect(receiver.received).toHaveLength(6)
    expect(await shop.webhooks.redeliver(id, { eventId: "evt_none" }, now)).toBe(0)
    // The end is no part of the time.
    expect(await shop.webhooks.redeliver(id, { from: NOON - 1, until: NOON }, now)).toBe(0)
  })

  test("an event of a type that the endpoint does not subscribe to is not delivered on request", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    await happen(shop)
    await deliver(shop)
    await shop.webhooks.editEndpoint(id, { subscriptions: ["order.*"] }, now)
    const [eventId = ""] = receiver.ids("/")
    expect(await shop.webhooks.redeliver(id, { eventId }, now)).toBe(0)
    expect(await statesOf(shop, id)).toEqual(["delivered"])
  })

  test("an event that was given up has all of its tries again when it is delivered on request", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    receiver.answers("/", status(500))
    await happen(shop)
    for (let tries = 0; tries < 10; tries++) {
      await deliver(shop)
      now += 2 * DAY
    }
    expect(await statesOf(shop, id)).toEqual(["failed"])
    const [eventId = ""] = receiver.ids("/")
    await shop.webhooks.redeliver(id, { eventId }, now)
    await deliver(shop)
    const [delivery] = await shop.webhooks.deliveries(id, { state: null, limit: 1 })
    expect(delivery).toMatchObject({ state: "waiting", tries: 1, due: now + 5 * SECOND })
  })

  test("a process that dies between sending and noting sends the event again, with the same id", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    await happen(shop)
    const dying = { ...shop.webhooks, noteTry: async () => Promise.reject(new Error("killed")) }
    const services = { ...shop.services, webhooks: dying }
    await deliver({ sending: deliveries(services, new AbortController().signal) })
    expect(await statesOf(shop, id)).toEqual(["waiting"])
    // Another process takes over once the lease has ended.
    await deliver(shop)
    expect(receiver.received).toHaveLength(1)
    now += 90 * SECOND
    await deliver(shop)
    expect(receiver.received).toHaveLength(2)
    expect(new Set(receiver.ids("/")).size).toBe(1)
    expect(await statesOf(shop, id)).toEqual(["delivered"])
  })

  test("a process that dies between the commit and the enqueuing loses nothing", async () => {
    const shop = open()
    const { id } = await add(shop, "/")
    await shop.webhooks.recordGateway("offshore", true, now)
    const next = open()
    await next.webhooks.publish(100)
    await deliver(next)
    expect(await statesOf(shop, id)).toEqual(["delivered"])
  })

  test("two processes at once send each event once", async () => {
    const shop = open()
    await add(shop, "/")
    await happen(shop, 5)
    await Promise.all([deliver(shop), deliver(open())])
    expect(receiver.received).toHaveLength(5)
  })

  test("a receiver that hangs delays none of nine others", async () => {
    const shop = open()
    const hanging = await add(shop, "/hang")
    const others = await Promise.all(Array.from({ length: 9 }, (_, index) => add(shop, `/${index}`)))
    receiver.answers("/hang", () => {})
    await happen(shop, 6)
    const stopping = new AbortController()
    const sending = deliveries(shop.services, stopping.signal)
    await sending.start()
    await expect
      .poll(() => receiver.received.filter(({ path }) => path !== "/hang").length, { timeout: 10_000 })
      .toBe(54)
    for (const { id } of others)
      await expect.poll(() => statesOf(shop, id), { timeout: 5_000 }).toEqual(Array(6).fill("delivered"))
    // Its own share, and not more.
    expect(receiver.ids("/hang")).toHaveLength(4)
    stopping.abort()
    await sending.idle()
    // What was being sent when the process stopped waits for the next one, and counts as no try.
    const left = await shop.webhooks.deliveries(hanging.id, { state: "waiting", limit: 100 })
    expect(left.map(({ tries }) => tries)).toEqual(Array(6).fill(0))
  })

  test("a sender with nothing more to send closes its connections", async () => {
    const shop = open()
    await add(shop, "/")
    await happen(shop)
    let [opened, closed] = [0, 0]
    const webhookSender = {
      ...sender,
      open(connections: number) {
        const connection = sender.open(connections)
        opened += 1
        return { ...connection, close: () => connection.close().finally(() => (closed += 1)) }
      },
    }
    await deliver({ sending: deliveries({ ...shop.services, webhookSender }, new AbortController().signal) })
    expect(receiver.received).toHaveLength(1)
    expect([opened, closed]).toEqual([1, 1])
  })

  test("a test message is signed and checked as events are, and not stored", async () => {
    const shop = open()
    const { id, secret } = await add(shop, "/")
    const endpoint = await shop.webhooks.endpoint(id)
    if (!endpoint) throw new Error("no endpoint")
    const result = await testEndpoint({ ...shop.services, now }, endpoint)
    expect(result).toMatchObject({ status: 204, error: null })
    const [got] = receiver.received
    const headers = got?.message.headers as Record<string, string>
    expect(new Webhook(secret).verify(got?.body ?? "", headers)).toMatchObject({ type: "webhook.test" })
    expect(await statesOf(shop, id)).toEqual([])
    const inside = await testEndpoint(
      { ...shop.services, now },
      { ...endpoint, url: "https://169.254.169.254/" },
    )
    expect(inside).toMatchObject({ status: null, error: "address not allowed" })
  })
})
