import { once } from "node:events"
import type { AddressInfo, Socket } from "node:net"
import { text } from "node:stream/consumers"
import { SMTPServer } from "smtp-server"
import { describe, expect, test } from "vitest"
import { MINUTE } from "~/domain/calendar"
import type { MessageName } from "~/domain/shop/mail"
import type { Mailer } from "~/mail/mailer"
import { smtpMailer } from "~/mail/smtp/smtp-mailer.server"
import { buy, request } from "../../../tests/fixtures/purchase"
import { openTestShop } from "../../../tests/fixtures/test-shop"
import { runMailQueue } from "./run-mail-queue.server"

/** Where a process is killed while it sends a message. */
const points = [
  "before the mark",
  "after the mark",
  "in the message",
  "after the message",
  "after the answer",
] as const
type Point = (typeof points)[number]

class Killed extends Error {
  override name = "Killed"
}

/** An SMTP server that counts messages by Message-ID, and cuts the connection in or after the next one if told to. */
async function startServer() {
  const received = new Map<string, number>()
  let cut: "in" | "after" | null = null
  const sockets = new Set<Socket>()
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    async onData(stream, _session, done) {
      const how = cut
      cut = null
      if (how === "in") cutAll()
      const id = /^message-id: <(.+?)@/im.exec(await text(stream).catch(() => ""))?.[1] ?? ""
      if (how !== "in") received.set(id, (received.get(id) ?? 0) + 1)
      if (how === "after") cutAll()
      done(null)
    },
  })
  server.on("error", () => {})
  server.server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
  })
  server.listen(0, "127.0.0.1")
  await once(server.server, "listening")
  const { port } = server.server.address() as AddressInfo
  return {
    received,
    url: `smtp://127.0.0.1:${port}`,
    cutNext: (how: "in" | "after") => {
      cut = how
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

type Services = Parameters<typeof runMailQueue>[0]

/** The services of a process that dies at a point: nothing it would have done afterwards happens. */
function dyingAt(point: Point, services: Services, cutNext: (how: "in" | "after") => void): Services {
  const { mails, mailer } = services
  const die = async () => Promise.reject(new Killed(point))
  const sending: Partial<Record<Point, Mailer["send"]>> = {
    "after the mark": die,
    "in the message": async (mail, signal) => {
      cutNext("in")
      await mailer.send(mail, signal)
      return die()
    },
    "after the message": async (mail, signal) => {
      cutNext("after")
      await mailer.send(mail, signal)
      return die()
    },
    "after the answer": async (mail, signal) => {
      await mailer.send(mail, signal)
      return die()
    },
  }
  return {
    ...services,
    mails: {
      ...mails,
      begin: point === "before the mark" ? die : mails.begin,
      // A dead process writes nothing.
      settle: die,
    },
    mailer: { send: sending[point] ?? mailer.send },
    log: services.log.child({}, { level: "silent" }),
  }
}

const outcomes = {
  receipt: {
    "before the mark: 1": 20,
    "after the mark: 1": 20,
    "in the message: 1": 20,
    "after the message: 2": 20,
    "after the answer: 2": 20,
  },
  "order-unpaid": {
    "before the mark: 1": 20,
    "after the mark: none": 20,
    "in the message: none": 20,
    "after the message: 1": 20,
    "after the answer: 1": 20,
  },
} as const

describe("200 kills between transaction, message and acknowledgement", () => {
  test.each([
    ["receipt", "no message is lost; at most one more under the same Message-ID"],
    ["order-unpaid", "no message is sent twice"],
  ] as const)("%s: %s", async (name, _) => {
    const server = await startServer()
    const transport = smtpMailer({
      url: server.url,
      from: { name: "Shop", address: "shop@shop.example" },
      replyTo: null,
      bounceAddress: () => "shop@shop.example",
      dkim: null,
    })
    const mail = { orders: true, reminders: name === "order-unpaid", operator: false, creditsLow: 5 }
    const shop = await openTestShop({ mailer: transport, mail })
    const tally: Record<string, number> = {}
    for (let kill = 0; kill < 100; kill++) {
      const outcome = await killedOnce({ shop, server, transport }, name, kill)
      tally[outcome] = (tally[outcome] ?? 0) + 1
    }
    process.stdout.write(`${name}: ${JSON.stringify(tally)}\n`)
    expect(tally).toEqual(outcomes[name])
    transport.close()
    await server.close()
    await shop.billing.close()
  })
})

type Setup = {
  readonly shop: Awaited<ReturnType<typeof openTestShop>>
  readonly server: Awaited<ReturnType<typeof startServer>>
  readonly transport: Mailer
}

/** Enqueues a message, kills the process that sends it, and starts the next one. Returns the point and what arrived. */
async function killedOnce(
  { shop, server, transport }: Setup,
  name: MessageName,
  kill: number,
): Promise<string> {
  const point = points[kill % points.length] ?? "before the mark"
  const services: Services = { ...shop.services, mailer: transport }
  const run = { queue: "mail", signal: new AbortController().signal } as const
  server.received.clear()
  const about = await openOrder(shop, kill)
  await shop.services.mails.enqueue({ name, onceKey: `kill ${kill}`, ...about, at: shop.services.now() })
  await runMailQueue(dyingAt(point, services, server.cutNext), run).catch((error) => {
    if (!(error instanceof Killed)) throw error
  })
  // The lease of the dead process ends, and the next one takes over.
  shop.wait(2 * MINUTE)
  await runMailQueue(services, run)
  return `${point}: ${[...server.received.values()].join("+") || "none"}`
}

async function openOrder(shop: Awaited<ReturnType<typeof openTestShop>>, kill: number) {
  const choices = { ...request().choices, email: `buyer${kill}@example.test` }
  const { order } = await buy(shop, { key: `draft-${kill}`, choices })
  return { orderId: order.id, clientId: order.customerId }
}
