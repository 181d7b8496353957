import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pino } from "pino"
import { afterAll, describe, expect, onTestFinished, type TestContext, test } from "vitest"
import { ipAddress } from "~/http/ip-address.server"
import type { CountryTable } from "./mmdb-lookup.server"
import { openCountryTable } from "./table-lookup.server"

const tables = await mkdtemp(join(tmpdir(), "countries-"))
afterAll(() => rm(tables, { recursive: true }))

const silent = pino({ level: "silent" })
const seed = openCountryTable(silent)
afterAll(() => seed.close())

test.each([
  ["193.0.6.139", "NL"],
  ["2001:67c:2e8:22::c100:68b", "NL"],
  ["212.58.244.20", "GB"],
  ["1.0.0.0", "AU"],
  ["1.0.0.255", "AU"],
  ["1.0.1.0", "CN"],
  ["2001:200::", "JP"],
])("the bundled table locates %s in %s", async (address, country) => {
  expect(await lookUp(seed, address)).toBe(country)
})

const own = await tableWith({
  ipv4: "134744064,134744319,GB\r\n134744576,134744831,ES\r\n",
  // 2001:200:: to 2001:200:ffff:…, then a single address after a gap.
  ipv6:
    "42540528726795050063891204319802818560,42540528806023212578155541913346768895,JP\n" +
    "42540528806023212578155541913346768897,42540528806023212578155541913346768897,FR",
})

test.each([
  ["before the first row", "8.8.7.255", "XX"],
  ["at the start of a row", "8.8.8.0", "GB"],
  ["at the end of a row", "8.8.8.255", "GB"],
  ["in a gap", "8.8.9.0", "XX"],
  ["at the start of the last row", "8.8.10.0", "ES"],
  ["behind the last row", "8.8.11.0", "XX"],
  ["at the start of a range of IPv6", "2001:200::", "JP"],
  ["at the end of a range of IPv6", "2001:200:ffff:ffff:ffff:ffff:ffff:ffff", "JP"],
  ["in a gap of one address", "2001:201::", "XX"],
  ["in a range of one address", "2001:201::1", "FR"],
  ["behind it", "2001:201::2", "XX"],
])("the operator's own table locates an address %s", async (_, address, country) => {
  expect(await lookUp(opened(own), address)).toBe(country)
})

test.each([
  ["rows out of order", "134744576,134744831,ES\n134744064,134744319,GB\n"],
  ["rows that overlap", "134744064,134744319,GB\n134744319,134744831,ES\n"],
  // A read has 64 KiB: 3,120 of these rows.
  ["rows of another table behind its own", [rowsFrom(16_777_216, 3_120), rowsFrom(16_777_216, 9)].join("")],
  ["a row that ends before it begins", "134744319,134744064,GB\n"],
  ["a row without its first address", ",134744319,GB\n"],
  ["addresses as text", "8.8.8.0,8.8.8.255,GB\n"],
  ["addresses that are too large", "134744064,4294967296,GB\n"],
  ["a country in words", "134744064,134744319,United Kingdom\n"],
  ["a page", "<!doctype html>\n"],
])("a file with %s is rejected by name", async (_, ipv4) => {
  const table = opened(await tableWith({ ipv4, ipv6: "" }))
  await expect(lookUp(table, "8.8.8.8")).rejects.toThrow(/^Invalid country table asn-country-ipv4-num\.csv/)
})

test("a folder without the files stops the start", () => {
  expect(() => openCountryTable(silent, "/nowhere")).toThrow(
    /^Invalid COUNTRY_TABLE \/nowhere: asn-country-ipv4-num\.csv not found$/,
  )
})

// Both wait for the next look at the file.
describe.concurrent("a file that changes", { timeout: 30_000 }, () => {
  test("is read again after it was damaged, which is logged once", async (context) => {
    const folder = await tableWith({ ipv4: "<!doctype html>\n", ipv6: "" })
    const lines: { msg: string }[] = []
    const table = opened(
      folder,
      pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) }),
      context,
    )
    await context.expect(lookUp(table, "8.8.8.8")).rejects.toThrow(/^Invalid country table/)
    await context.expect(lookUp(table, "8.8.8.8")).rejects.toThrow(/^Invalid country table/)
    await replace(folder, "134744064,134744319,GB\n")
    await context.expect
      .poll(() => lookUp(table, "8.8.8.8").catch(() => "damaged"), { timeout: 20_000 })
      .toBe("GB")
    context.expect(lines).toMatchObject([{ msg: "country table reloaded", file: "asn-country-ipv4-num.csv" }])
  })

  test("leaves the rows before in use when it is damaged", async (context) => {
    const folder = await tableWith({ ipv4: "134744064,134744319,GB\n", ipv6: "" })
    const lines: { msg: string }[] = []
    const table = opened(
      folder,
      pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) }),
      context,
    )
    context.expect(await lookUp(table, "8.8.8.8")).toBe("GB")
    await replace(folder, "<!doctype html>\n")
    await context.expect
      .poll(() => lines.map(({ msg }) => msg), { timeout: 20_000 })
      .toEqual(["country table not reloaded"])
    context.expect(await lookUp(table, "8.8.8.8")).toBe("GB")
  })
})

function opened(
  folder: string,
  log = silent,
  context: Pick<TestContext, "onTestFinished"> = { onTestFinished },
): CountryTable {
  const table = openCountryTable(log, folder)
  context.onTestFinished(() => table.close())
  return table
}

function lookUp(table: CountryTable, text: string) {
  const address = ipAddress(text)
  if (address === null) throw new Error(`${text} is no address`)
  return table.source(address)
}

/** Replaces the file at once, as a newer table should be. */
async function replace(folder: string, ipv4: string): Promise<void> {
  const newer = join(folder, "newer.csv")
  await writeFile(newer, ipv4)
  await rename(newer, join(folder, "asn-country-ipv4-num.csv"))
}

async function tableWith({ ipv4, ipv6 }: { ipv4: string; ipv6: string }): Promise<string> {
  const folder = join(tables, crypto.randomUUID())
  await mkdir(folder)
  await writeFile(join(folder, "asn-country-ipv4-num.csv"), ipv4)
  await writeFile(join(folder, "asn-country-ipv6-num.csv"), ipv6)
  return folder
}

/** So many rows of 21 bytes, one after the other. */
function rowsFrom(first: number, count: number): string {
  const start = (row: number) => first + 256 * row
  return Array.from({ length: count }, (_, row) => `${start(row)},${start(row + 1) - 1},AU\n`).join("")
}
