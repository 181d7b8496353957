import type { ReactNode } from "react"
import { renderToStaticMarkup, renderToString } from "react-dom/server"
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router"
import { consoleContext } from "~/context/console.server"
import { requestContext } from "~/context/request.server"
import type { RouteContext } from "~/context/route-context"
import { BASE } from "~/domain/base-path"
import type { Locale } from "~/domain/locales"
import type { Brand } from "~/domain/shop/brand"
import { loadI18n } from "~/i18n/load-i18n.server"
import { I18nContext } from "~/i18n/use-translation"
import { StandaloneHead } from "~/ui/layout/standalone-head.server"
import { customerViewStyleFor } from "~/ui/style/style.server"

type View = {
  readonly title: string
  readonly banner: ReactNode
  /** A screen of the checkout, in the customer's language. */
  readonly screen: ReactNode
  readonly locale: Locale
  /** How the shop looks; as it does without it. */
  readonly brand?: Brand
}

/**
 * A screen of the checkout as an operator sees it: a document without script, whose links lead nowhere and whose forms are
 * disabled, below a banner of the console.
 */
export async function customerViewPage(
  context: RouteContext,
  { title, banner, screen, locale, brand }: View,
): Promise<Response> {
  const { shop } = context.get(consoleContext)
  const { nonce } = context.get(requestContext)
  const { style } = customerViewStyleFor((brand ?? shop.brand).colours)
  const page = withoutTargets(await renderedScreen(screen, locale))
  const html = renderToStaticMarkup(
    <html lang={locale.iso}>
      <StandaloneHead title={`${title} · ${shop.brand.name}`} nonce={nonce} style={style} />
      <body>
        <div lang="en">{banner}</div>
        <main>
          <fieldset
            className="as-customer-page"
            disabled
            // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by React above
            dangerouslySetInnerHTML={{ __html: page }}
          />
        </main>
      </body>
    </html>,
  )
  return new Response(`<!doctype html>${html}`, { headers: { "content-type": "text/html; charset=utf-8" } })
}

/** Renders a screen outside the app's routes, at the base path. */
async function renderedScreen(screen: ReactNode, locale: Locale): Promise<string> {
  const { i18n } = await loadI18n(locale)
  const { dataRoutes, query } = createStaticHandler([{ path: "*", element: screen }], { basename: BASE })
  const context = await query(new Request(`http://localhost${BASE}/success`))
  if (context instanceof Response) throw new Error("A screen without loaders does not respond")
  return renderToString(
    <I18nContext value={i18n}>
      <StaticRouterProvider
        router={createStaticRouter(dataRoutes, context)}
        context={context}
        hydrate={false}
      />
    </I18nContext>,
  )
}

/** Takes the targets of links and forms away. React escapes quotation marks, so that no text looks like an attribute. */
function withoutTargets(html: string): string {
  return html.replaceAll(/ (?:href|action|formaction)="[^"]*"/gi, "")
}
