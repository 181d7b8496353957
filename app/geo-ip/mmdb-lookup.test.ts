import { mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pino } from "pino"
import { afterAll, describe, expect, onTestFinished, type TestContext, test } from "vitest"
import { ipAddress } from "~/http/ip-address.server"
import { type MmdbForm, mmdbOf } from "../../tests/fixtures/mmdb"
import { type CountryTable, openMmdb } from "./mmdb-lookup.server"

const folder = await mkdtemp(join(tmpdir(), "mmdb-"))
afterAll(() => rm(folder, { recursive: true }))
const log = pino({ level: "silent" })

/** Networks of the test, and addresses at both ends, within and outside of them. */
const networks = {
  "8.8.8.0/24": "GB",
  "8.8.10.0/24": "ES",
  "1.0.0.0/24": "AU",
  "1.0.4.0/22": "AU",
  "193.0.0.0/21": "NL",
  "212.58.224.0/19": "GB",
  "85.0.0.0/13": "CH",
  "41.248.0.0/14": "MA",
  "203.0.112.0/32": "SG",
  "223.255.255.0/24": "PH",
  "2001:200::/32": "JP",
  "2001:67c:2e8::/48": "NL",
  "2a02:1200::/27": "CH",
  "2a00:23c0::/26": "GB",
  "2001:4860::/32": "US",
}

const known = [
  ["8.8.8.0", "GB"],
  ["8.8.8.8", "GB"],
  ["8.8.8.255", "GB"],
  ["8.8.7.255", "XX"],
  ["8.8.9.0", "XX"],
  ["8.8.9.255", "XX"],
  ["8.8.10.0", "ES"],
  ["8.8.10.255", "ES"],
  ["8.8.11.0", "XX"],
  ["0.255.255.255", "XX"],
  ["1.0.0.0", "AU"],
  ["1.0.0.255", "AU"],
  ["1.0.1.0", "XX"],
  ["1.0.3.255", "XX"],
  ["1.0.4.0", "AU"],
  ["1.0.7.255", "AU"],
  ["1.0.8.0", "XX"],
  ["193.0.0.0", "NL"],
  ["193.0.6.139", "NL"],
  ["193.0.7.255", "NL"],
  ["193.0.8.0", "XX"],
  ["212.58.244.20", "GB"],
  ["212.58.255.255", "GB"],
  ["85.7.255.255", "CH"],
  ["85.8.0.0", "XX"],
  ["41.251.255.255", "MA"],
  ["41.252.0.0", "XX"],
  ["203.0.112.0", "SG"],
  ["203.0.112.1", "XX"],
  ["223.255.255.255", "PH"],
  ["2001:200::", "JP"],
  ["2001:200:ffff:ffff:ffff:ffff:ffff:ffff", "JP"],
  ["2001:201::", "XX"],
  ["2001:1ff:ffff::1", "XX"],
  ["2001:67c:2e8:22::c100:68b", "NL"],
  ["2001:67c:2e9::1", "XX"],
  ["2a02:1210::1", "CH"],
  ["2a02:1220::1", "XX"],
  ["2a00:23ff::1", "GB"],
  ["2001:4860:4860::8888", "US"],
] as const

test.each(["nested", "flat"] as const)(
  "locates forty addresses of IPv4 and IPv6 in a table (%s)",
  async (form) => {
    const { source } = await opened(await fileWith(networks, form))
    expect(known).toHaveLength(40)
    const found = await Promise.all(known.map(async ([text]) => [text, await source(addressOf(text))]))
    expect(found).toEqual(known)
  },
)

test("a table of IPv4 alone knows no country of an IPv6 address, whose beginning is another IPv4 address", async () => {
  const file = join(folder, "ipv4.mmdb")
  await writeFile(file, mmdbOf({ "8.8.8.0/24": "GB", "32.0.0.0/8": "US" }, "nested", 4))
  const { source } = await opened(file)
  expect(await source(addressOf("8.8.8.8"))).toBe("GB")
  expect(await source(addressOf("2001:4860:4860::8888"))).toBe("XX")
})

// Both wait for the next look at the file.
describe.concurrent("a file that changes", { timeout: 30_000 }, () => {
  test("reads a newer file at the same path while it runs", async (context) => {
    const file = await fileWith({ "8.8.8.0/24": "GB" })
    const { source } = await opened(file, log, context)
    context.expect(await source(addressOf("8.8.8.8"))).toBe("GB")
    await rename(await fileWith({ "8.8.8.0/24": "IE" }), file)
    await context.expect.poll(() => source(addressOf("8.8.8.8")), { timeout: 20_000 }).toBe("IE")
  })

  test("keeps the previous table when a newer file is damaged", async (context) => {
    const file = await fileWith({ "8.8.8.0/24": "GB" })
    const lines: string[] = []
    const logger = pino({ base: null }, { write: (line) => lines.push(line) })
    const { source } = await opened(file, logger, context)
    await writeFile(file, "<!doctype html>")
    await context.expect
      .poll(() => lines.join(""), { timeout: 20_000 })
      .toContain("country table not reloaded")
    context.expect(await source(addressOf("8.8.8.8"))).toBe("GB")
  })
})

test("a missing file stops the start by its name", async () => {
  await expect(openMmdb("/nowhere.mmdb", log)).rejects.toThrow(
    "Invalid COUNTRY_TABLE /nowhere.mmdb: not found",
  )
})

test("a file in another format stops the start by its name", async () => {
  const file = join(folder, "page.mmdb")
  await writeFile(file, "<!doctype html>")
  await expect(openMmdb(file, log)).rejects.toThrow(`Invalid COUNTRY_TABLE ${file}: `)
})

type Context = Pick<TestContext, "onTestFinished">

async function opened(
  file: string,
  logger = log,
  context: Context = { onTestFinished },
): Promise<CountryTable> {
  const table = await openMmdb(file, logger)
  context.onTestFinished(() => table.close())
  return table
}

async function fileWith(countries: Readonly<Record<string, string>>, form?: MmdbForm): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.mmdb`)
  await writeFile(file, mmdbOf(countries, form))
  return file
}

function addressOf(text: string) {
  const address = ipAddress(text)
  if (address === null) throw new Error(`${text} is no address`)
  return address
}
