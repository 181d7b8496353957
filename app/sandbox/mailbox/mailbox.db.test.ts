import { createTransport } from "nodemailer"
import { pino } from "pino"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { locales } from "~/domain/locales"
import { OFFSHORE_SECRET } from "../../../tests/fakes/offshore"
import { startSandbox } from "../sandbox.server"
import { translationByLocale } from "../translations/translations"
import { type DeliveryOutcome, deliveryOutcomes } from "./delivery-outcomes"

const log = pino({ level: "silent" })
const settings = {
  port: 0,
  host: "127.0.0.1",
  file: ":memory:",
  callbackSecret: OFFSHORE_SECRET,
  now: () => Date.UTC(2026, 10, 22, 16, 44),
  log,
}
const sandbox = await startSandbox({ ...settings, mailbox: { port: 0 } })
afterAll(() => sandbox.close())
beforeEach(async () => {
  await post("empty")
  await post("outcome", "accept")
})

const hostile = "<script>alert(1)</script> & Co"
const mail = {
  from: { name: "Boxoffice", address: "shop@example.test" },
  to: { name: hostile, address: "ana@example.test" },
  subject: `Grüße ${hostile}`,
  html: '<!doctype html><html><head><title>x</title></head><body><a href="https://shop.example.test/a?b=1&c=2">Open</a></body></html>',
  text: "Open https://shop.example.test/a?b=1&c=2 now",
  messageId: "<m1@shop.example.test>",
}

test("a message sent over SMTP is listed with subject, recipient and time, and its text keeps working links", async () => {
  await send()
  const list = await page("/mailbox")
  expect(list.status).toBe(200)
  expect(list.body).toContain("Grüße &lt;script&gt;alert(1)&lt;/script&gt; &amp; Co")
  expect(list.body).toContain("22 Nov 2026, 16:44:00 UTC")
  const shown = await page(numbered(list.body))
  expect(shown.body).toContain(
    '<a href="https://shop.example.test/a?b=1&amp;c=2">https://shop.example.test/a?b=1&amp;c=2</a>',
  )
  expect(shown.body).not.toContain("<script>")
})

test("the HTML of a message is shown without script and remote content, and its links leave the frame", async () => {
  await send({ ...mail, html: `${mail.html}<script>alert(1)</script>` })
  const path = numbered((await page("/mailbox")).body)
  const shown = await page(`${path}/html`)
  expect(shown.body).toContain('<head><base target="_top">')
  expect(shown.headers.get("content-security-policy")).toMatch(/^sandbox allow-top.*default-src 'none'/)
  expect(shown.headers.get("content-security-policy")).not.toContain("allow-scripts")
})

test("text and source of a message are plain text", async () => {
  await send()
  const path = numbered((await page("/mailbox")).body)
  const [text, source] = [await page(`${path}/text`), await page(`${path}/source`)]
  expect(text.headers.get("content-type")).toBe("text/plain; charset=utf-8")
  expect(text.body).toBe(`${mail.text}\n`)
  expect(source.body).toContain("Message-ID: <m1@shop.example.test>")
})

test("the list is JSON for scripts, newest first", async () => {
  await send()
  await send({ ...mail, subject: "second", messageId: "<m2@shop.example.test>" })
  const listed = await fetch(`${sandbox.origin}/mailbox/messages.json`)
  expect(await listed.json()).toMatchObject([
    { subject: "second", messageId: "<m2@shop.example.test>" },
    { envelopeFrom: "shop@example.test", envelopeTo: "ana@example.test", text: `${mail.text}\n` },
  ])
})

describe("the chosen outcome", () => {
  test("of a rejection is 550 5.1.1 for the recipient, and nothing arrives", async () => {
    await post("outcome", "reject")
    await expect(send()).rejects.toMatchObject({ responseCode: 550, response: /^550 5\.1\.1/ })
    expect(await count()).toBe(0)
  })

  test("of putting off is 451 4.3.0 after the message, and nothing arrives", async () => {
    await post("outcome", "later")
    await expect(send()).rejects.toMatchObject({ responseCode: 451, command: "DATA" })
    expect(await count()).toBe(0)
  })

  test("of hanging gives no answer, and the message arrives", async () => {
    await post("outcome", "hang")
    await expect(send(mail, 300)).rejects.toMatchObject({ code: "ETIMEDOUT" })
    expect(await count()).toBe(1)
  })

  test("of cutting breaks the connection after the final dot, and the message arrives", async () => {
    await post("outcome", "cut")
    await expect(send()).rejects.toThrow(/closed|ECONNRESET/i)
    expect(await count()).toBe(1)
  })

  test("is shown, can be changed back, and an unknown one is refused", async () => {
    await post("outcome", "cut")
    expect((await page("/mailbox")).body).toContain(translationByLocale.en.mailCut)
    const refused = await post("outcome", "explode")
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('role="alert"')])
    await post("outcome", "accept")
    await send()
    expect(await count()).toBe(1)
  })
})

test.each(locales)("the mailbox speaks $name", async ({ iso }) => {
  const shown = await fetch(`${sandbox.origin}/mailbox`, { headers: { "accept-language": iso } })
  const body = await shown.text()
  expect(body).toContain(`<html lang="${iso}">`)
  expect(body).toContain(translationByLocale[iso].mailboxEmpty.replace("'", "&#x27;"))
})

test("the landing page leads to the mailbox", async () => {
  expect((await page("/")).body).toContain('<a class="button" href="/mailbox">Open the mailbox</a>')
})

test("an unknown number is a page with status 404", async () => {
  const shown = await page("/mailbox/99")
  expect(shown.status).toBe(404)
  expect(shown.body).toContain(translationByLocale.en.mailUnknown)
})

test("a sandbox that others can reach has no mailbox", async () => {
  const open = await startSandbox(settings)
  expect(open.smtpUrl).toBeNull()
  expect((await fetch(`${open.origin}/mailbox`)).status).toBe(404)
  await open.close()
})

async function send(message = mail, socketTimeout = 10_000): Promise<void> {
  const { hostname: host, port } = new URL(sandbox.smtpUrl ?? "")
  const transport = createTransport({ host, port: Number(port), socketTimeout })
  try {
    await transport.sendMail(message)
  } finally {
    transport.close()
  }
}

function post(path: "empty" | "outcome", outcome?: DeliveryOutcome | "explode") {
  const body = new URLSearchParams(outcome ? { outcome } : {})
  return fetch(`${sandbox.origin}/mailbox/${path}`, { method: "POST", body, redirect: "manual" })
}

async function page(path: string) {
  const response = await fetch(`${sandbox.origin}${path}`, { headers: { "accept-language": "en" } })
  return { status: response.status, headers: response.headers, body: await response.text() }
}

async function count(): Promise<number> {
  const listed: unknown = await (await fetch(`${sandbox.origin}/mailbox/messages.json`)).json()
  return Array.isArray(listed) ? listed.length : -1
}

/** Path of the first message in the list. */
function numbered(body: string): string {
  return /href="(\/mailbox\/\d+)"/.exec(body)?.[1] ?? "none"
}

test("every outcome has a button or is the current one", async () => {
  const { body } = await page("/mailbox")
  for (const outcome of deliveryOutcomes.filter((it) => it !== "accept"))
    expect(body).toContain(`value="${outcome}"`)
})
