import type { ReactNode } from "react"
import { renderToString } from "react-dom/server"
import { createRoutesStub } from "react-router"
import { type LocaleCode, localeOfCode } from "~/domain/locales"
import { createLanguage, loadCatalogue } from "~/locales/language"
import { LanguageContext } from "~/locales/use-translation"
import { readHtml } from "../html-tree"

/** A screen as the server writes it and a reader without script has it. */
export async function rendered(screen: ReactNode, code: LocaleCode = "en-en") {
  const locale = localeOfCode(code)
  if (!locale) throw new Error(`No language ${code}`)
  const language = createLanguage(locale, await loadCatalogue(code))
  const Stub = createRoutesStub([{ path: "*", Component: () => screen }])
  const page = renderToString(
    <LanguageContext value={language}>
      <Stub initialEntries={["/"]} />
    </LanguageContext>,
  )
  return readHtml(page)
}
