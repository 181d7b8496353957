import { pino } from "pino"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { locales } from "~/domain/locales"
import { classOf, messageNames } from "~/domain/shop/mail"
import { startSandbox } from "~/sandbox/sandbox.server"
import { OFFSHORE_SECRET } from "../../../tests/fakes/offshore"
import { messageSetting } from "../message-setting"
import { smtpMailer } from "../smtp/smtp-mailer.server"
import { exampleContent } from "./example-content"
import { renderMessage } from "./render-message.server"

const NOW = Date.UTC(2026, 10, 22, 15, 44)
const URL = "https://tv.example/checkout/success?order=7BQ697JNZK&a=b"
const shop = {
  brand: { name: "Süßes & Saures", colours: { light: "#405db1", dark: null } },
  publicUrl: "https://tv.example",
  timeZone: "Europe/Berlin",
  links: { support: "mailto:help@tv.example" },
  mail: { seller: "Northlight Media Ltd, 12 Harbour Road, Valletta, Malta", messages: {} },
} as const

const sandbox = await startSandbox({
  port: 0,
  host: "127.0.0.1",
  file: ":memory:",
  callbackSecret: OFFSHORE_SECRET,
  now: () => NOW,
  log: pino({ level: "silent" }),
  mailbox: { port: 0 },
})
const mailer = smtpMailer({
  url: sandbox.smtpUrl ?? "",
  from: { name: shop.brand.name, address: "tv@tv.example" },
  replyTo: null,
  bounceAddress: (id) => `bounce-${id}@tv.example`,
  dkim: null,
})
afterAll(async () => {
  mailer.close()
  await sandbox.close()
})
beforeEach(() => fetch(`${sandbox.origin}/mailbox/empty`, { method: "POST" }))

type Received = {
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly to: string
}

async function received(): Promise<Received[]> {
  const response = await fetch(`${sandbox.origin}/mailbox/messages.json`)
  return (await response.json()) as Received[]
}

describe.each(locales)("in $name", ({ code }) => {
  test("every message arrives in the mailbox as it was rendered", async () => {
    const sent = messageNames.map((name) => {
      const unsubscribeUrl = classOf(name) === "reminder" ? "https://tv.example/checkout/u?m=1" : null
      const setting = messageSetting(shop, { name, locale: code, now: NOW, unsubscribeUrl })
      return { name, unsubscribeUrl, ...renderMessage(exampleContent(name, URL, NOW), setting) }
    })
    for (const { name, ...mail } of sent) {
      const to = { name: "", address: `${name}@example.com` }
      const outcome = await mailer.send({ id: name, to, ...mail }, AbortSignal.timeout(20_000))
      expect(outcome).toMatchObject({ kind: "sent" })
    }
    const arrived = (await received()).toReversed()
    expect(arrived.map(({ to, subject, html, text }) => [to, subject, html.trim(), text.trim()])).toEqual(
      sent.map(({ name, subject, html, text }) => [`${name}@example.com`, subject, html.trim(), text.trim()]),
    )
  })
})
