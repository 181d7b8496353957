import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { CountrySource } from "./cached-lookup.server"
import { type CountryRows, countryAt, readCountryRows } from "./ip-country-table.server"

/** When the included table was built. Its publisher declares its data wrong and has ended its updates. */
export const SEED_OF = Date.UTC(2026, 5, 17)

const IPV4 = { file: "asn-country-ipv4-num.csv", width: 4 }
const IPV6 = { file: "asn-country-ipv6-num.csv", width: 16 }

/**
 * Looks up a local table, so that no visitor's address leaves the machine. `folder` holds the two files of the package
 * `@ip-location-db/asn-country` under their names; default: the package's own, of June 2026 (data: nro.net). Throws at
 * once if a file is missing; the first look-up of an address of its kind reads a file, a fifth of a second of processor time,
 * and others wait for it.
 */
export function openCountryTable(folder = seedFolder()): CountrySource {
  const [ipv4, ipv6] = [rowsIn(folder, IPV4), rowsIn(folder, IPV6)]
  return async (address) => {
    const rows = await (address.kind() === "ipv4" ? ipv4() : ipv6())
    return countryAt(rows, Buffer.from(address.toByteArray()))
  }
}

function rowsIn(folder: string, { file, width }: typeof IPV4): () => Promise<CountryRows> {
  const path = join(folder, file)
  if (!existsSync(path)) throw new Error(`Invalid COUNTRY_TABLE ${folder}: ${file} not found`)
  let rows: Promise<CountryRows> | null = null
  return () => (rows ??= readCountryRows(path, width))
}

/** Resolved as a module, since the built server is in another folder than this file. */
function seedFolder(): string {
  const require = createRequire(import.meta.url)
  return dirname(require.resolve("@ip-location-db/asn-country/package.json"))
}
