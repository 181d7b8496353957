import { type ReactNode, useContext } from "react"
import { useLocation, useMatches } from "react-router"
import { defaultLocale } from "~/domain/locales"
import { createI18n } from "~/i18n/i18n"
import { enEn } from "~/i18n/translations/en-en"
import { useLocale } from "~/i18n/use-locale"
import { I18nContext, useTranslation } from "~/i18n/use-translation"
import { DocumentContext, inBrowser, type PageDocument, type PageHandle } from "~/ssr/document"
import { DocumentHead, SearchTags } from "~/ssr/document-head"
import { PageLayout } from "~/ui/layout/page-layout"
import { dataOf, pageOf } from "./captured-page"

const language = createI18n(defaultLocale, enEn)
const page = import.meta.env.SSR ? documentOf(pageOf("/checkout/").html) : inBrowser

type Document = { children: ReactNode; scripts: ReactNode }

/** The document around a page, like app/root.tsx, with the given scripts. */
export function ReferenceDocument(props: Document) {
  return (
    <DocumentContext value={page}>
      <I18nContext value={language}>
        <Html {...props} />
      </I18nContext>
    </DocumentContext>
  )
}

function Html({ children, scripts }: Document) {
  const { t } = useTranslation()
  const { shop } = useContext(DocumentContext)
  const { pathname, search } = useLocation()
  const handle = useMatches().at(-1)?.handle as PageHandle | undefined
  const locale = useLocale()
  const title = `${t(handle?.title ?? "title.error")} · ${shop.title}`
  return (
    <html lang={locale.iso}>
      <head>
        <DocumentHead title={title} refreshSeconds={handle?.public ? null : 5} shop={shop} locale={locale}>
          {handle && <SearchTags title={title} handle={handle} shop={shop} locale={locale} />}
        </DocumentHead>
      </head>
      <body>
        <PageLayout
          shopName={shop.name}
          testMode={shop.testMode}
          logo={shop.logo}
          path={pathname}
          query={search}
        >
          {children}
        </PageLayout>
        {scripts}
      </body>
    </html>
  )
}

/** Extracts the parts of the shop's document from one of its pages. */
function documentOf(html: string): PageDocument {
  const all = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, found = ""]) => found)
  return {
    ...inBrowser,
    nonce: all(/nonce="([^"]+)"/g)[0],
    style: all(/<style[^>]*>([\s\S]*?)<\/style>/g)[0] ?? "",
    fonts: all(/<link rel="preload" href="([^"]+\.woff2)"/g),
    chunks: all(/<link rel="(?:later|modulepreload)" href="([^"]+\/[a-z]{2}-[a-z]{2}-[\w-]+\.js)"/g),
    shop: dataOf<PageDocument["shop"]>("/checkout/", "root"),
  }
}
