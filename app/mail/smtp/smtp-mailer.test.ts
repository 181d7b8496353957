import { generateKeyPairSync } from "node:crypto"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { createServer, type Server, type Socket } from "node:net"
import { text } from "node:stream/consumers"
import PostalMime from "postal-mime"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import { afterEach, describe, expect, test } from "vitest"
import type { OutgoingMail } from "../mailer"
import { type SmtpSettings, smtpMailer } from "./smtp-mailer.server"

const closing: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const mail: OutgoingMail = {
  id: "AAECAwQFBgcICQoLDA0ODw",
  to: { name: "", address: "ana@example.test" },
  subject: "Ihre Bestellung ist bezahlt – 98,90 €",
  html: "<p>Danke</p>",
  text: "Danke\n",
  unsubscribeUrl: null,
}
const never = new AbortController().signal

type Received = { readonly raw: string; readonly from: string; readonly to: readonly string[] }

/** A real SMTP server on loopback; `answer` decides about a message once its final dot has arrived. */
async function startServer(
  options: SMTPServerOptions = {},
  answer: (socket: Socket) => Error | null | "hang" = () => null,
) {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    async onData(stream, session, done) {
      const raw = await text(stream)
      const { mailFrom, rcptTo } = session.envelope
      received.push({
        raw,
        from: mailFrom === false ? "" : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
      })
      const decided = answer([...sockets].at(-1) as Socket)
      if (decided !== "hang") done(decided)
    },
    ...options,
  })
  server.server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
  })
  server.on("error", () => {})
  server.listen(0, "127.0.0.1")
  await once(server.server, "listening")
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  const { port } = server.server.address() as AddressInfo
  return { received, port, url: `smtp://127.0.0.1:${port}` }
}

/** A server of bytes: `talk` gets the socket, and says what it wants. */
async function startTalker(talk: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    talk(socket)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function mailerOn(url: string, settings: Partial<SmtpSettings> = {}) {
  const mailer = smtpMailer({
    url,
    from: { name: "Kino, Sport & „mehr“", address: "shop@shop.example" },
    replyTo: null,
    bounceAddress: (id) => `shop+${id.toLowerCase()}@shop.example`,
    dkim: null,
    ...settings,
  })
  closing.push(() => mailer.close())
  return mailer
}

function answered(code: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode: code })
}

describe("a message", () => {
  test("is accepted with its own Message-ID, envelope sender, recipient and both forms", async () => {
    const { url, received } = await startServer()
    expect(await mailerOn(url).send(mail, never)).toMatchObject({ kind: "sent" })
    const [only] = received
    expect(only).toMatchObject({
      from: "shop+aaecawqfbgcicqolda0odw@shop.example",
      to: ["ana@example.test"],
    })
    const parsed = await PostalMime.parse(only?.raw ?? "")
    expect(parsed).toMatchObject({
      messageId: `<${mail.id}@shop.example>`,
      subject: mail.subject,
      html: expect.stringContaining("<p>Danke</p>"),
      text: expect.stringMatching(/^Danke\s*$/),
      from: { name: "Kino, Sport & „mehr“", address: "shop@shop.example" },
      to: [{ address: "ana@example.test" }],
    })
    expect(headersOf(only).get("auto-submitted")).toBe("auto-generated")
    expect(headersOf(only).has("list-unsubscribe")).toBe(false)
  })

  test("of a second try has the same Message-ID", async () => {
    const { url, received } = await startServer()
    const mailer = mailerOn(url)
    for (let tries = 0; tries < 2; tries++) await mailer.send(mail, never)
    const ids = received.map((it) => headersOf(it).get("message-id"))
    expect(ids).toEqual(Array(2).fill(`<${mail.id}@shop.example>`))
  })

  test("is sent over pooled connections, several at once", async () => {
    let connections = 0
    const { url, received } = await startServer({
      onConnect(_session, done) {
        connections++
        done()
      },
    })
    const mailer = mailerOn(url)
    const sent = await Promise.all(
      Array.from({ length: 40 }, (_, nth) => mailer.send({ ...mail, id: `mail${nth}` }, never)),
    )
    expect(sent.filter(({ kind }) => kind === "sent")).toHaveLength(40)
    expect(new Set(received.map((it) => headersOf(it).get("message-id"))).size).toBe(40)
    expect(connections).toBeLessThanOrEqual(5)
  })
})

describe("the answer of the mail server", () => {
  const answers: [string, number, string, object][] = [
    ["no such mailbox", 550, "5.1.1 <ana@example.test> unknown", { kind: "rejected", status: "5.1.1" }],
    ["a refusal for policy", 554, "5.7.1 spam", { kind: "rejected", status: "5.7.1" }],
    ["a refusal without an enhanced code", 550, "go away", { kind: "rejected", status: null }],
    ["greylisting", 451, "4.7.1 later", { kind: "try-later", cause: "recipient" }],
    ["a full mailbox", 452, "4.2.2 full", { kind: "try-later", cause: "recipient" }],
    ["a bad sequence of commands", 503, "5.5.1 bad sequence", { kind: "try-later", cause: "server" }],
    ["a shutdown", 421, "4.3.2 going down", { kind: "try-later", cause: "server" }],
  ]
  test.each(answers)("%s after the message", async (_, code, message, outcome) => {
    const { url } = await startServer({}, () => answered(code, message))
    expect(await mailerOn(url).send(mail, never)).toMatchObject(outcome)
  })

  test.each(answers)("%s to the recipient", async (_, code, message, outcome) => {
    const { url, received } = await startServer({
      onRcptTo: (_address, _session, done) => done(answered(code, message)),
    })
    expect(await mailerOn(url).send(mail, never)).toMatchObject(outcome)
    expect(received).toEqual([])
  })

  test("a refusal of the shop as the sender is the server's, whoever the recipient is", async () => {
    const { url } = await startServer({
      onMailFrom: (_address, _session, done) => done(answered(451, "4.7.0 too many messages of this sender")),
    })
    expect(await mailerOn(url).send(mail, never)).toMatchObject({ kind: "try-later", cause: "server" })
  })

  test("never brings an address into the outcome", async () => {
    const { url } = await startServer({}, () =>
      answered(550, '5.1.1 <ana@example.test>: "ana@example.test" unknown, see postmaster@example.test'),
    )
    const outcome = await mailerOn(url).send(mail, never)
    expect(JSON.stringify(outcome)).not.toContain("@")
    expect(outcome).toMatchObject({ reason: expect.stringContaining("unknown") })
  })

  test("that the password is wrong, or that TLS is missing, is no answer to the message", async () => {
    const { port } = await startServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(answered(535, "5.7.8 wrong password")),
    })
    const signedIn = mailerOn(`smtp://shop:wrong%20one@127.0.0.1:${port}`)
    expect(await signedIn.send(mail, never)).toMatchObject({ kind: "try-later", cause: "server" })
  })
})

describe("a mail server that fails", () => {
  test("a server that nobody can reach: later", async () => {
    const { url } = await startServer()
    await closing.pop()?.()
    expect(await mailerOn(url).send(mail, never)).toMatchObject({ kind: "try-later", cause: "server" })
  })

  test.each([
    ["closes the connection without a greeting", (socket: Socket) => void socket.end()],
    ["greets with nonsense", (socket: Socket) => void socket.write("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["refuses to serve", (socket: Socket) => void socket.end("554 5.7.1 blocked\r\n")],
    [
      "answers every command with nonsense",
      (socket: Socket) => {
        socket.write("220 ready\r\n")
        socket.on("data", () => socket.write("hello\r\n"))
      },
    ],
  ])("a server that %s: later, and never a refusal", async (_, talk) => {
    expect(await mailerOn(await startTalker(talk)).send(mail, never)).toMatchObject({
      kind: "try-later",
      cause: "server",
    })
  })

  test.each(["MAIL FROM", "RCPT TO", "DATA"])("a connection lost at %s: later", async (command) => {
    const url = await startTalker(conversation({ [command]: (socket) => socket.destroy() }))
    expect(await mailerOn(url).send(mail, never)).toMatchObject({ kind: "try-later", cause: "server" })
  })

  test("a connection lost after the final dot: unknown", async () => {
    const { url, received } = await startServer({}, (socket) => {
      socket.destroy()
      return "hang"
    })
    expect(await mailerOn(url).send(mail, never)).toMatchObject({ kind: "unknown" })
    expect(received).toHaveLength(1)
  })

  test("the same with a DKIM signature, for which the library reads the message beforehand", async () => {
    const dkim = { selector: "key1", privateKey: newKey() }
    const lostEarly = await startTalker(conversation({ "RCPT TO": (socket) => socket.destroy() }))
    expect(await mailerOn(lostEarly, { dkim }).send(mail, never)).toMatchObject({
      kind: "try-later",
      cause: "server",
    })
    const { url } = await startServer({}, (socket) => {
      socket.destroy()
      return "hang"
    })
    expect(await mailerOn(url, { dkim }).send(mail, never)).toMatchObject({ kind: "unknown" })
  })

  test("nonsense after the final dot: unknown", async () => {
    const url = await startTalker(conversation({ ".": (socket) => void socket.write("thank you\r\n") }))
    expect(await mailerOn(url).send(mail, never)).toMatchObject({ kind: "unknown" })
  })

  test.each([
    ["accepts", "250 2.0.0 ok \0\u001b[2Jqueued\r\n", { kind: "sent" }],
    ["rejects", "550 5.7.1 no \0\u001b[2Jthanks\r\n", { kind: "rejected" }],
  ])("control characters in an answer that %s it are not in the outcome", async (_, answer, kind) => {
    const url = await startTalker(conversation({ ".": (socket) => void socket.write(answer) }))
    const outcome = await mailerOn(url).send(mail, never)
    expect(outcome).toMatchObject(kind)
    expect(Object.values(outcome).join("")).not.toMatch(/\p{Cc}/u)
  })

  test("a server that hangs: the signal ends the try, unknown after the dot and later before it", async () => {
    const after = new AbortController()
    const { url } = await startServer({}, () => {
      after.abort()
      return "hang"
    })
    expect(await mailerOn(url).send(mail, after.signal)).toMatchObject({ kind: "unknown" })
    const before = new AbortController()
    const silent = await startTalker(() => before.abort())
    expect(await mailerOn(silent).send(mail, before.signal)).toMatchObject({
      kind: "try-later",
      cause: "server",
    })
  })

  test("a message after a lost connection is sent on a new one", async () => {
    let lost = 0
    const { url } = await startServer({}, (socket) => {
      if (lost++ > 0) return null
      socket.destroy()
      return "hang"
    })
    const mailer = mailerOn(url)
    const outcomes = [await mailer.send(mail, never), await mailer.send(mail, never)]
    expect(outcomes.map(({ kind }) => kind)).toEqual(["unknown", "sent"])
  })
})

describe("TLS", () => {
  test("is required off loopback: a server without it gets neither password nor message", async () => {
    const { port, received } = await startServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(null, { user: "shop" }),
    })
    // The loopback interface under a name that is not one of loopback.
    const mailer = mailerOn(`smtp://shop:secret@[::ffff:7f00:1]:${port}`)
    expect(await mailer.send(mail, never)).toMatchObject({
      kind: "try-later",
      cause: "server",
      reason: expect.stringMatching(/TLS/i),
    })
    expect(received).toEqual([])
  })
})

describe("DKIM", () => {
  test("signs both fields of one-click unsubscription", async () => {
    const { url, received } = await startServer()
    const dkim = { selector: "key1", privateKey: newKey() }
    const unsubscribeUrl = `https://shop.example/checkout/api/mail/unsubscribe?token=${"x".repeat(120)}`
    await mailerOn(url, { dkim }).send({ ...mail, unsubscribeUrl }, never)
    const headers = headersOf(received[0])
    expect(headers.get("list-unsubscribe")).toBe(`<${unsubscribeUrl}>`)
    expect(headers.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click")
    const signature = headers.get("dkim-signature")?.replace(/\s/g, "") ?? ""
    expect(signature).toMatch(/;d=shop\.example;.*;s=key1;/)
    const signed = /(?:^|;)h=([^;]+)/.exec(signature)?.[1]?.toLowerCase().split(":")
    expect(signed).toEqual(
      expect.arrayContaining([
        "from",
        "to",
        "subject",
        "message-id",
        "list-unsubscribe",
        "list-unsubscribe-post",
      ]),
    )
  })
})

describe("header injection", () => {
  const payloads = [
    "Ana\r\nBcc: victim@example.test",
    "Ana\nBcc: victim@example.test",
    "Ana\rBcc: victim@example.test",
    'Ana", "Eve" <victim@example.test>',
    "ana@example.test, victim@example.test",
    "=?utf-8?q?=0d=0aBcc:_victim@example.test?=",
    "Ana\u2028Bcc: victim@example.test",
    "Ana\0Bcc: victim@example.test",
    "\r\n.\r\nMAIL FROM:<evil@example.test>\r\n",
  ]

  test.each(payloads)("%j as subject, name and text adds no header and no recipient", async (payload) => {
    const { url, received } = await startServer()
    const mailbox = { name: payload, address: "shop@shop.example" }
    const mailer = mailerOn(url, { from: mailbox, replyTo: mailbox })
    const injected = { ...mail, subject: payload, text: payload, html: payload }
    await mailer.send({ ...injected, to: { name: payload, address: "ana@example.test" } }, never)
    expect(received).toHaveLength(1)
    expect(received[0]?.to).toEqual(["ana@example.test"])
    const headers = headersOf(received[0])
    expect([...headers.keys()].toSorted()).toEqual(
      [
        "auto-submitted",
        "content-type",
        "date",
        "from",
        "message-id",
        "mime-version",
        "reply-to",
        "subject",
        "to",
      ].toSorted(),
    )
    const parsed = await PostalMime.parse(received[0]?.raw ?? "")
    expect(parsed.to?.map(({ address }) => address)).toEqual(["ana@example.test"])
    expect(parsed.from?.address).toBe("shop@shop.example")
  })

  test.each([
    ...payloads.slice(0, 4).map((payload) => `ana@example.test${payload}`),
    "ana@example.test, victim@example.test",
    "ana,victim@example.test",
    "<victim@example.test>ana@example.test",
    "ana victim@example.test",
    '"ana\\"@victim.test,"@example.test',
    "ana:victim@example.test;",
    "ana(victim)@example.test",
    "ana@example.test>\r\nRCPT TO:<victim@example.test",
  ])("%j as an address reaches nobody", async (address) => {
    const { url, received } = await startServer()
    const outcome = await mailerOn(url).send({ ...mail, to: { name: "", address } }, never)
    expect(outcome).toMatchObject({ kind: "rejected", status: "5.1.3" })
    expect(received).toEqual([])
  })

  test.each(["o'hara+tv@example.test", "a.b_c-d@example.test", "{ana}@example.test"])(
    "%j as an address is delivered as it is",
    async (address) => {
      const { url, received } = await startServer()
      await mailerOn(url).send({ ...mail, to: { name: "", address } }, never)
      expect(received.map(({ to }) => to)).toEqual([[address]])
    },
  )
})

/** The unfolded header fields of a message by name in lower case; a repeated one fails the test. */
function headersOf(message: Received | undefined): ReadonlyMap<string, string> {
  const [head = ""] = (message?.raw ?? "").split("\r\n\r\n", 1)
  const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n")
  const entries = lines.map((line) => [
    line.split(":", 1)[0]?.toLowerCase() ?? "",
    line.replace(/^[^:]*:\s*/, ""),
  ])
  expect(new Set(entries.map(([name]) => name)).size).toBe(entries.length)
  return new Map(entries as [string, string][])
}

/** A server that answers as it should, but where `instead` says otherwise. */
function conversation(instead: Readonly<Record<string, (socket: Socket) => unknown>>) {
  return (socket: Socket) => {
    socket.write("220 ready\r\n")
    const acts = { DATA: (it: Socket) => it.write("354 go\r\n"), ...instead }
    socket.on("data", (chunk: Buffer) => {
      // A small message arrives with its final dot in one piece.
      const said = chunk.toString("latin1").replace(/^.*\r\n\.\r\n$/s, ".")
      const act = Object.entries(acts).find(([command]) => said.startsWith(command))?.[1]
      if (act) act(socket)
      else if (said === "." || /^(EHLO|MAIL|RCPT|RSET|QUIT)/.test(said)) socket.write("250 ok\r\n")
    })
  }
}

function newKey(): string {
  return generateKeyPairSync("rsa", { modulusLength: 2_048 })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString()
}
