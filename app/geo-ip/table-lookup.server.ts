import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { Logger } from "pino"
import { type CountryRows, countryAt, readCountryRows } from "./ip-country-table.server"
import type { CountryTable } from "./mmdb-lookup.server"
import { reloadOnChange } from "./reload-table.server"

/** When the included table was built. Its publisher declares its data wrong and has ended its updates. */
export const SEED_OF = Date.UTC(2026, 5, 17)

const IPV4 = { file: "asn-country-ipv4-num.csv", width: 4 }
const IPV6 = { file: "asn-country-ipv6-num.csv", width: 16 }

/**
 * Looks up a local table, so that no visitor's address leaves the machine. `folder` holds the two files of the package
 * `@ip-location-db/asn-country` under their names; default: the package's own, of June 2026 (data: nro.net). Throws at
 * once if a file is missing; the first look-up of an address of its kind reads a file, a fifth of a second of processor time,
 * and others wait for it. A file that changes after that is read again; one that cannot be read is logged, and the rows
 * before stay in use.
 */
export function openCountryTable(log: Logger, folder = seedFolder()): CountryTable {
  const [ipv4, ipv6] = [openRows(folder, IPV4, log), openRows(folder, IPV6, log)]
  return {
    async source(address) {
      const rows = await (address.kind() === "ipv4" ? ipv4.rows() : ipv6.rows())
      return countryAt(rows, Buffer.from(address.toByteArray()))
    },
    close() {
      ipv4.close()
      ipv6.close()
    },
  }
}

function openRows(folder: string, { file, width }: typeof IPV4, log: Logger) {
  const path = join(folder, file)
  if (!existsSync(path)) throw new Error(`Invalid COUNTRY_TABLE ${folder}: ${file} not found`)
  let current: Promise<CountryRows> | null = null
  let stopWatching: (() => void) | null = null
  async function reload() {
    const newer = await readCountryRows(path, width)
    current = Promise.resolve(newer)
    return { file }
  }
  return {
    rows(): Promise<CountryRows> {
      // Watched from the first look-up on: before that the file has not been read.
      stopWatching ??= reloadOnChange(path, reload, log)
      current ??= readCountryRows(path, width)
      return current
    },
    close: () => stopWatching?.(),
  }
}

/** Resolved as a module, since the built server is in another folder than this file. */
function seedFolder(): string {
  const require = createRequire(import.meta.url)
  return dirname(require.resolve("@ip-location-db/asn-country/package.json"))
}
