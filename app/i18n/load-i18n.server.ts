import { existsSync, readFileSync } from "node:fs"
import { BASE } from "~/domain/base-path"
import { type Locale, type LocaleCode, locales } from "~/domain/locales"
import { createI18n, type I18n, loadCatalogue } from "./i18n"

type Ready = { readonly i18n: I18n; readonly chunks: readonly string[] }

/** Languages are prepared once and shared by all pages. */
const loadedI18n: Promise<ReadonlyMap<LocaleCode, Ready>> = Promise.all(locales.map(prepare)).then(
  (pairs) => new Map(pairs),
)

export async function loadI18n({ code }: Locale): Promise<Ready> {
  const ready = (await loadedI18n).get(code)
  if (!ready) throw new Error(`No translations for ${code}`)
  return ready
}

async function prepare(locale: Locale): Promise<[LocaleCode, Ready]> {
  const catalogue = await loadCatalogue(locale.code)
  return [locale.code, { i18n: createI18n(locale, catalogue), chunks: chunksOf(locale) }]
}

/**
 * Chunks with a locale's translations, so that the page can preload them before the first script runs. Listed by the
 * build; empty in development.
 */
function chunksOf({ code }: Locale): readonly string[] {
  const manifest = new URL("../client/.vite/manifest.json", import.meta.url)
  if (!existsSync(manifest)) return []
  const chunks: Chunks = JSON.parse(readFileSync(manifest, "utf8"))
  const translation = chunks[`app/i18n/translations/${code}.ts`]
  const needed = [translation, ...(translation?.imports ?? []).map((name) => chunks[name])]
  return needed.flatMap((chunk) => (chunk ? [`${BASE}/${chunk.file}`] : []))
}

type Chunks = Readonly<Record<string, { file: string; imports?: string[] } | undefined>>
