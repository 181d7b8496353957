import { statSync } from "node:fs"
import type { Logger } from "pino"
import type { Diagnostic } from "~/billing/diagnostic"
import type { Config } from "~/config/environment.server"
import { DAY, type Instant } from "~/domain/calendar"
import { UNKNOWN_COUNTRY } from "~/domain/customers/country"
import { cachedLookup } from "~/geo-ip/cached-lookup.server"
import type { CountryLookup } from "~/geo-ip/country-lookup"
import { headerCountry } from "~/geo-ip/header-lookup.server"
import { countryServiceCircuit, onlineCountry } from "~/geo-ip/online-lookup.server"
import { openCountryTable, SEED_OF } from "~/geo-ip/table-lookup.server"

type Surroundings = { readonly now: () => Instant; readonly log: Logger }
type Countries = { readonly countryOf: CountryLookup; close(): void }

const unknown: CountryLookup = async () => UNKNOWN_COUNTRY

/**
 * Opens the look-up of a visitor's country. A public shop without a table of its own starts with unknown countries: the
 * included table is for trying the shop out. Throws when the operator's table cannot be read.
 */
export async function openCountries(config: Config, around: Surroundings): Promise<Countries> {
  const { COUNTRY_SOURCE, COUNTRY_URL: url = "", UPSTREAM_TIMEOUT_MS: timeoutMs } = config
  const opened = (countryOf: CountryLookup, close = () => {}) => ({ countryOf, close })
  if (COUNTRY_SOURCE === "header") return opened(headerCountry(config.COUNTRY_HEADER))
  if (COUNTRY_SOURCE === "online") {
    const service = onlineCountry({ url, timeoutMs, now: around.now })
    return opened(cachedLookup(service, { ...around, circuit: countryServiceCircuit(around) }))
  }
  if (COUNTRY_SOURCE === "off") return opened(unknown)
  return openTable(config, around)
}

async function openTable(config: Config, around: Surroundings): Promise<Countries> {
  const { COUNTRY_TABLE: file, CURRENCY: currency } = config
  if (file !== undefined && !isFolder(file)) {
    const { openMmdb } = await import("~/geo-ip/mmdb-lookup.server")
    const table = await openMmdb(file, around.log)
    return { countryOf: cachedLookup(table.source, around), close: table.close }
  }
  if (file === undefined && !config.loopback) {
    around.log.warn({ currency }, "country unknown: visitors pay in CURRENCY")
    return { countryOf: unknown, close: () => {} }
  }
  const table = openCountryTable(around.log, file)
  return { countryOf: cachedLookup(table.source, around), close: table.close }
}

/** A folder holds the two files of the included table, as earlier versions took them. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

const sources = {
  header: ({ COUNTRY_HEADER }: Config) => `from the header ${COUNTRY_HEADER}`,
  online: () => "from the service at COUNTRY_URL",
  off: ({ CURRENCY }: Config) => `off: every visitor pays in ${CURRENCY}`,
} as const

/** Reports where countries come from, how old the table is, and a public shop that cannot look them up. */
export async function diagnoseCountries(config: Config, now: Instant): Promise<Diagnostic> {
  const check = "countries"
  const { COUNTRY_SOURCE, COUNTRY_TABLE: file, CURRENCY } = config
  if (COUNTRY_SOURCE !== "table") return { ok: null, check, message: sources[COUNTRY_SOURCE](config) }
  if (file !== undefined && !isFolder(file)) return diagnoseFile(file, now)
  const warning = "its publisher declares its data wrong and has ended its updates"
  if (file !== undefined)
    return { ok: null, check, message: `from ${file}, in the format of the included table: ${warning}` }
  if (config.loopback) {
    const included = `from the included table, ${Math.floor((now - SEED_OF) / DAY)} days old`
    const need = "A public shop needs another one in COUNTRY_TABLE"
    return { ok: null, check, message: `${included}: ${warning}. ${need}` }
  }
  const advice = "Name a table in COUNTRY_TABLE, or set COUNTRY_SOURCE=header behind a CDN"
  return { ok: false, check, message: `unknown: every visitor pays in ${CURRENCY}. ${advice}` }
}

/** A table is renewed by its publisher every week or month. */
const MAX_AGE = 90 * DAY

async function diagnoseFile(file: string, now: Instant): Promise<Diagnostic> {
  const check = "countries"
  try {
    const { open } = await import("maxmind")
    const { metadata } = await open(file)
    const days = Math.floor((now - metadata.buildEpoch.getTime()) / DAY)
    const isFresh = days * DAY <= MAX_AGE
    return { ok: isFresh, check, message: `from ${file} (${metadata.databaseType}), ${days} days old` }
  } catch (error) {
    return { ok: false, check, message: `COUNTRY_TABLE cannot be read: ${(error as Error).message}` }
  }
}
