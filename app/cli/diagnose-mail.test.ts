import { afterEach, expect, test } from "vitest"
import { readConfig } from "~/config/config.server"
import { type DnsAnswer, startDnsServer } from "../../tests/fakes/dns-server"
import { diagnoseSender, dnsResolver } from "./diagnose-mail.server"

let server: Awaited<ReturnType<typeof startDnsServer>> | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

const records: Record<string, DnsAnswer> = {
  "tv.example.com": [["google-site-verification=abc"], ["v=spf1 include:relay.example ", "-all"]],
  "_dmarc.tv.example.com": [["v=DMARC1; p=reject"]],
  // A key of 2048 bits does not fit into one string.
  "s1._domainkey.tv.example.com": [["v=DKIM1; k=rsa; p=", "A".repeat(200), "B".repeat(192)]],
}

/** Checks the sender's records as `doctor` does, with the resolver asking the fake server. */
async function diagnosed(changes: Record<string, DnsAnswer> = {}, environment: Record<string, string> = {}) {
  server = await startDnsServer(Object.fromEntries(Object.entries(records).concat(Object.entries(changes))))
  const config = readConfig({
    SMTP_URL: "smtp://127.0.0.1:25",
    MAIL_FROM: "TV <tv@tv.example.com>",
    MAIL_DKIM_SELECTOR: "s1",
    MAIL_DKIM_KEY_FILE: "/nowhere",
    ...environment,
  })
  const resolver = dnsResolver()
  resolver.setServers([server.address])
  const found = await diagnoseSender(config, resolver)
  return Object.fromEntries(found.map(({ check, ok, message }) => [check, { ok, message }]))
}

test("finds SPF, DMARC and DKIM among other records, also split over several strings", async () => {
  expect(await diagnosed()).toEqual({
    SPF: { ok: true, message: "found at tv.example.com" },
    DMARC: { ok: true, message: "found at _dmarc.tv.example.com" },
    DKIM: { ok: true, message: "found at s1._domainkey.tv.example.com" },
  })
})

test.each([
  ["no such name", "NXDOMAIN"],
  ["no TXT record", []],
  ["records of others", [["v=spf10"], ["p="], ["DMARC1"]]],
] as const)("%s is a finding for each record", async (_, answer) => {
  const nothing = Object.fromEntries(Object.keys(records).map((name) => [name, answer]))
  const found = await diagnosed(nothing)
  expect(Object.keys(found)).toEqual(["SPF", "DMARC", "DKIM"])
  for (const { ok, message } of Object.values(found)) {
    expect({ ok, message }).toEqual({ ok: false, message: expect.stringMatching(/^no record at /) })
  }
})

test.each([
  ["fails", "SERVFAIL", "ESERVFAIL"],
  ["does not answer", "silence", "ETIMEOUT"],
] as const)("a resolver that %s is no finding", async (_, answer, code) => {
  const { SPF, DMARC } = await diagnosed({ "tv.example.com": answer })
  expect(SPF).toEqual({ ok: null, message: `not checked: DNS does not answer (${code})` })
  expect(DMARC?.ok).toBe(true)
})

test("two SPF records are a finding: receivers use neither", async () => {
  const { SPF } = await diagnosed({ "tv.example.com": [["v=spf1 -all"], ["v=spf1 a -all"]] })
  expect(SPF).toEqual({
    ok: false,
    message: expect.stringContaining("more than one record at tv.example.com"),
  })
})

test("a domain without a DMARC record has that of the domain above it", async () => {
  const { DMARC } = await diagnosed({
    "_dmarc.tv.example.com": "NXDOMAIN",
    "_dmarc.example.com": [["v=DMARC1; p=none"]],
  })
  expect(DMARC).toEqual({ ok: true, message: "found at _dmarc.example.com" })
  expect(server?.asked).not.toContain("_dmarc.com")
})

test("SPF is that of the address to which bounces return", async () => {
  const { SPF } = await diagnosed(
    { "bounce.example.com": [["v=spf1 ip4:192.0.2.1 -all"]] },
    { MAIL_BOUNCE_ADDRESS: "tv@bounce.example.com" },
  )
  expect(SPF).toEqual({ ok: true, message: "found at bounce.example.com" })
})

test("without a selector, DKIM is the mail server's and is not checked", async () => {
  server = await startDnsServer(records)
  const resolver = dnsResolver()
  resolver.setServers([server.address])
  const config = readConfig({ SMTP_URL: "smtp://127.0.0.1:25", MAIL_FROM: "tv@tv.example.com" })
  expect((await diagnoseSender(config, resolver)).map(({ check }) => check)).toEqual(["SPF", "DMARC"])
})
