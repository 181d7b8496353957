import { open, type Reader } from "maxmind"
import type { Logger } from "pino"
import { z } from "zod"
import { UNKNOWN_COUNTRY } from "~/domain/customers/country"
import type { CountrySource } from "./cached-lookup.server"
import { reasonOf, reloadOnChange } from "./reload-table.server"

const Code = z.string().regex(/^[A-Z]{2}$/)
/** Entries as MaxMind writes them, or as flat tables do. */
const Entry = z.union([
  z.object({ country: z.object({ iso_code: Code }) }).transform(({ country }) => country.iso_code),
  z.object({ country_code: Code }).transform(({ country_code }) => country_code),
])

export type CountryTable = { readonly source: CountrySource; close(): void }

type Table = Reader<Record<string, never>>

/**
 * Looks up a file in the MaxMind DB format, so that no visitor's address leaves the machine. A newer file at the same path
 * is read while the shop runs; one that cannot be read is logged, and the previous one stays in use. Throws when the file
 * is missing or is no such table.
 */
export async function openMmdb(file: string, log: Logger): Promise<CountryTable> {
  let table = await tableIn(file).catch((error: unknown) => {
    throw new Error(`Invalid COUNTRY_TABLE ${file}: ${reasonOf(error)}`)
  })
  async function reload() {
    table = await tableIn(file)
    return { builtAt: table.metadata.buildEpoch }
  }
  return {
    close: reloadOnChange(file, reload, log),
    async source(address) {
      if (address.kind() === "ipv6" && table.metadata.ipVersion === 4) return UNKNOWN_COUNTRY
      const entry = Entry.safeParse(table.get(address.toString()))
      return entry.success ? entry.data : UNKNOWN_COUNTRY
    },
  }
}

/** The library's own watcher is not used: a damaged update would end the process. */
async function tableIn(file: string): Promise<Table> {
  return open<Record<string, never>>(file)
}
