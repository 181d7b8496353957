import { BASE } from "~/domain/base-path"
import { type Locale, type LocaleCode, locales } from "~/domain/locales"
import { builtFiles } from "~/http/browser-build.server"
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
  // So that the page can preload them before the first script runs.
  const chunks = builtFiles(`app/i18n/translations/${locale.code}.ts`).map((file) => `${BASE}${file}`)
  return [locale.code, { i18n: createI18n(locale, catalogue), chunks }]
}
