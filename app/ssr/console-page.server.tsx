import type { ReactNode } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { consoleContext, operatorContext, sentBeforeContext } from "~/context/console.server"
import { requestContext } from "~/context/request.server"
import type { RouteContext } from "~/context/route-context"
import { builtFiles } from "~/http/browser-build.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ConsoleFrame, consoleHref } from "~/ui/admin/console-frame.server"
import { Notice } from "~/ui/admin/form-parts.server"
import { StandaloneHead } from "~/ui/layout/standalone-head.server"
import { consoleStyleFor } from "~/ui/style/style.server"
import { withNonBreakingValues } from "./non-breaking-values.server"

type Page = {
  title: string
  /** Path of the page below the base path. */
  path: string
  /** What the page says about a form; a refused one is answered with 422. */
  notice?: { readonly kind: string } | null
  /** Another answer than the notice asks for. */
  status?: number | undefined
  headers?: HeadersInit
}

/** Source of the console's script; in development its file is served as it is. */
const SCRIPT = "app/client/console-page.ts"
const [scriptPath = `/${SCRIPT}`] = builtFiles(SCRIPT)

/**
 * A page of the console: a whole document, which works without script. The pages behind the sign-in have one for shortcuts and
 * live updates. No part of it reaches the files of the checkout.
 */
export function consolePage(
  context: RouteContext,
  { title, path, notice, status = notice?.kind === "bad" ? 422 : 200, headers: more }: Page,
  content: ReactNode,
): Response {
  const { shop } = context.get(consoleContext)
  const { nonce } = context.get(requestContext)
  const operator = context.get(operatorContext)
  const { style } = consoleStyleFor(shop.brand.colours)
  const html = renderToStaticMarkup(
    <html lang="en">
      <StandaloneHead title={`${title} · ${shop.brand.name}`} nonce={nonce} style={style}>
        {operator && <script type="module" src={consoleHref(scriptPath)} nonce={nonce} />}
      </StandaloneHead>
      <body>
        <ConsoleFrame shopName={shop.brand.name} operator={operator} path={path} timeZone={shop.timeZone}>
          {context.get(sentBeforeContext) && <Notice kind="warning">{t("action.sentBefore")}</Notice>}
          {content}
        </ConsoleFrame>
      </body>
    </html>,
  )
  const headers = new Headers(more)
  headers.set("content-type", "text/html; charset=utf-8")
  return new Response(`<!doctype html>${withNonBreakingValues(html)}`, { status, headers })
}
