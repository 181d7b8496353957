/** The library's country and kind of a number for tax, by its prefix. */
const kinds: Readonly<Record<string, readonly [country: string, kind: string]>> = {
  AT: ["AT", "uid"],
  BE: ["BE", "vat"],
  BG: ["BG", "vat"],
  CY: ["CY", "vat"],
  CZ: ["CZ", "dic"],
  DE: ["DE", "vat"],
  DK: ["DK", "cvr"],
  EE: ["EE", "kmkr"],
  EL: ["GR", "vat"],
  ES: ["ES", "nif"],
  FI: ["FI", "alv"],
  FR: ["FR", "tva"],
  HR: ["HR", "oib"],
  HU: ["HU", "anum"],
  IE: ["IE", "vat"],
  IT: ["IT", "iva"],
  LT: ["LT", "pvm"],
  LU: ["LU", "tva"],
  LV: ["LV", "pvn"],
  MT: ["MT", "vat"],
  NL: ["NL", "btw"],
  PL: ["PL", "nip"],
  PT: ["PT", "nif"],
  RO: ["RO", "cif"],
  SE: ["SE", "vat"],
  SI: ["SI", "ddv"],
  SK: ["SK", "dph"],
  GB: ["GB", "vat"],
  // Northern Ireland: British numbers with another prefix.
  XI: ["GB", "vat"],
}

/** Swiss numbers name the tax behind them, in one of the country's languages. */
const swiss = /^CHE(\d{9})(?:MWST|TVA|IVA)?$/

/** More than any number has with all its separators. */
const MAX_TYPED = 40

/**
 * A number for tax as typed, with its prefix and without separators: see `VatNumbers.parse`. The library, which knows the
 * numbers of all countries, is loaded with the first one: most shops never see any.
 */
export async function parseVatNumber(typed: string): Promise<string | null> {
  if (typed.length > MAX_TYPED) return null
  const plain = typed.toUpperCase().replaceAll(/[\s.\-–/]/g, "")
  return (await swissNumber(plain)) ?? (await numberWithPrefix(plain))
}

async function swissNumber(plain: string): Promise<string | null> {
  const uid = swiss.exec(plain)?.[1]
  if (uid === undefined) return null
  const { stdnum } = await import("stdnum")
  return stdnum.CH?.uid?.validate(`CHE${uid}`).isValid ? `CHE${uid}` : null
}

async function numberWithPrefix(plain: string): Promise<string | null> {
  // The European Commission writes Greece as EL.
  const written = plain.replace(/^GR/, "EL")
  const prefix = written.slice(0, 2)
  const own = written.slice(2)
  if (!Object.hasOwn(kinds, prefix) || !/^[A-Z0-9+*]+$/.test(own)) return null
  const [country = "", kind = ""] = kinds[prefix] ?? []
  const { stdnum } = await import("stdnum")
  const result = stdnum[country]?.[kind]?.validate(own)
  return result?.isValid ? `${prefix}${result.compact}` : null
}
