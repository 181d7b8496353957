import { once } from "node:events"
import type { AddressInfo, Socket } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { text } from "node:stream/consumers"
import { expect } from "playwright/test"
import { SMTPServer } from "smtp-server"
import { chooseAndPay, goToGateway } from "../../fixtures/no-script-purchase"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import { startShop, type TestServer } from "../start-shop"
import { deep } from "../tags"

/** Where the shop's process is killed. */
const points = [
  "after the transaction",
  "before the message",
  "in the message",
  "after the message",
  "after the answer",
] as const
type Point = (typeof points)[number]

const ROUNDS = 4

/** A mail server that counts messages by Message-ID, and kills the shop once at a point. */
async function startMailServer() {
  const received = new Map<string, number>()
  let armed: { point: Point; kill: () => void } | null = null
  const killAt = (point: Point) => {
    if (armed?.point !== point) return false
    const { kill } = armed
    armed = null
    kill()
    return true
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    onMailFrom(_address, _session, done) {
      if (!killAt("before the message")) done()
    },
    async onData(stream, _session, done) {
      const isKilled = killAt("in the message")
      const source = await text(stream).catch(() => "")
      if (isKilled || source === "") return
      const id = /^message-id: <(.+?)@/im.exec(source)?.[1] ?? ""
      received.set(id, (received.get(id) ?? 0) + 1)
      if (killAt("after the message")) return
      done(null)
      setImmediate(() => killAt("after the answer"))
    },
  })
  server.on("error", () => {})
  server.server.on("connection", (socket: Socket) => socket.on("error", () => {}))
  server.listen(0, "127.0.0.1")
  await once(server.server, "listening")
  return {
    received,
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    /** Kills the shop at the point; resolves when it is dead. */
    killShopAt(shop: TestServer, point: Point): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      armed = { point, kill: () => resolve(shop.kill9()) }
      return promise
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

type Mail = { id: string; state: string; tries: number }

/** The newest message of a name, in the database of the shop. */
function newestMail(shop: TestServer, name: string): Mail | undefined {
  const database = new DatabaseSync(join(shop.dataDir, "boxoffice.db"), { readOnly: true })
  const row = database
    .prepare("SELECT id, state, tries FROM mails WHERE name = ? ORDER BY created_at DESC, id LIMIT 1")
    .get(name)
  database.close()
  return row as Mail | undefined
}

/** Makes the messages of a stopped shop due: a reminder's three hours are over, and so is the lease of a dead process. */
function makeDue(shop: TestServer): void {
  const database = new DatabaseSync(join(shop.dataDir, "boxoffice.db"))
  database.exec("DELETE FROM leases")
  database
    .prepare("UPDATE outbox SET due = :now, renewed_until = :now WHERE topic IN ('mail', 'sign-in-mail')")
    .run({ now: Date.now() - 1 })
  database.close()
}

/** Whether all messages of a name are settled: one that waits still would be sent beside the next round's. */
function areSettled(shop: TestServer, name: string): boolean {
  const database = new DatabaseSync(join(shop.dataDir, "boxoffice.db"), { readOnly: true })
  const states = database
    .prepare("SELECT state FROM mails WHERE name = ?")
    .all(name)
    .map(({ state }) => String(state))
  database.close()
  return states.length > 0 && !states.some((state) => state === "waiting" || state === "sending")
}

type Scene = { shop: TestServer; server: Awaited<ReturnType<typeof startMailServer>> }

/** Asks for a sign-in message, kills the shop at a point, starts it again, and counts what has arrived. */
async function killSignIn({ shop, server }: Scene, point: Point, email: string): Promise<string> {
  const asked = async () => {
    const start = await new Browser({ "user-agent": BROWSER_AGENT }).visit(`${shop.url}/checkout/?signin`)
    return start.submit({ button: { value: "sign-in-mail" }, fields: { email } })
  }
  if (point === "after the transaction") {
    await asked()
    await shop.kill9()
  } else {
    const killed = server.killShopAt(shop, point)
    await asked().catch(() => null)
    await killed
  }
  return outcomeOf({ shop, server }, point, "sign-in")
}

/** The same for the reminder of an unpaid order, which becomes due while the shop is down. */
async function killReminder({ shop, server }: Scene, point: Point): Promise<string> {
  await goToGateway(
    await chooseAndPay(new Browser({ "user-agent": BROWSER_AGENT }), { shop, email: uniqueEmail() }),
  )
  await shop.kill9()
  makeDue(shop)
  if (point !== "after the transaction") {
    const killed = server.killShopAt(shop, point)
    await shop.restart()
    await killed
  }
  return outcomeOf({ shop, server }, point, "order-unpaid")
}

async function outcomeOf({ shop, server }: Scene, point: Point, name: string): Promise<string> {
  makeDue(shop)
  await shop.restart()
  await expect.poll(() => areSettled(shop, name), { timeout: 30_000 }).toBe(true)
  const mail = newestMail(shop, name)
  return `${point}: ${mail?.state}, ${server.received.get(mail?.id ?? "") ?? 0} received`
}

const signInOutcomes: Record<Point, string[]> = {
  // The queue may have begun before the answer to the browser.
  "after the transaction": ["sent, 1 received", "sent, 2 received"],
  "before the message": ["sent, 1 received"],
  "in the message": ["sent, 1 received"],
  "after the message": ["sent, 2 received"],
  // The state is written before the kill, or not.
  "after the answer": ["sent, 1 received", "sent, 2 received"],
}

const reminderOutcomes: Record<Point, string[]> = {
  "after the transaction": ["sent, 1 received"],
  "before the message": ["unknown, 0 received"],
  "in the message": ["unknown, 0 received"],
  "after the message": ["unknown, 1 received"],
  "after the answer": ["unknown, 1 received", "sent, 1 received"],
}

const kinds = [
  [
    "a sign-in message is never lost, and comes twice at most, under one Message-ID",
    killSignIn,
    signInOutcomes,
  ],
  ["a reminder never comes twice", killReminder, reminderOutcomes],
] as const

for (const [promise, killed, expected] of kinds) {
  test(`kill -9 of the shop between transaction, message and answer: ${promise}`, deep, async () => {
    test.setTimeout(ROUNDS * points.length * 30_000)
    const server = await startMailServer()
    const env = { SMTP_URL: server.url, MAIL_FROM: "Shop <shop@shop.example>", MAIL_REMINDERS: "on" }
    const shop = await startShop({ env })
    const email = uniqueEmail()
    await goToGateway(await chooseAndPay(new Browser({ "user-agent": BROWSER_AGENT }), { shop, email }))
    const tally: Record<string, number> = {}
    for (let kill = 0; kill < ROUNDS * points.length; kill++) {
      const point = points[kill % points.length] ?? points[0]
      const outcome = await killed({ shop, server }, point, email)
      tally[outcome] = (tally[outcome] ?? 0) + 1
      expect(expected[point].map((it) => `${point}: ${it}`)).toContain(outcome)
    }
    process.stdout.write(`${JSON.stringify(tally, null, 2)}\n`)
    await shop.stop()
    await server.close()
  })
}
