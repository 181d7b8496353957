import { renderToString } from "react-dom/server"
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router"
import { DocumentContext, type PageDocument, type PageHandle } from "./document"
import { handOverScript } from "./hand-over.server"
import { languageFor } from "./languages.server"
import { localeContext } from "./locale.server"
import { LanguageContext } from "./locales/use-translation"
import { noteProblem, problemContext } from "./problem.server"
import { renderedOnce } from "./rendered-pages.server"
import { requestContext } from "./request.server"
import { scriptAfterPaint } from "./script-after-paint.server"
import { servicesContext } from "./services.server"
import { emptySession, sessionContext } from "./session.server"
import { shownShop } from "./shown-shop.server"
import { preloadedFonts } from "./ui/fonts.server"
import { lookIn } from "./ui/style.server"
import { pageResponse } from "./written-page.server"

/** Renders a page into one string: a streamed page costs more than twice as much (design, section 9). */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  { serverHandoffStream, ...entry }: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const failed = entry.staticHandlerContext.errors !== null
  const { kept, oneTime } = handleOf(entry)
  const handOver = failed || kept ? null : await handOverScript(serverHandoffStream)
  const { language, chunks } = await languageFor(context.get(localeContext))
  const page = documentOf(context, { handOver, chunks: handOver === null ? [] : chunks })
  const render = (nonce: string | undefined) =>
    scriptAfterPaint(
      renderToString(
        <DocumentContext value={{ ...page, nonce }}>
          <LanguageContext value={language}>
            <ServerRouter context={entry} url={request.url} nonce={nonce} />
          </LanguageContext>
        </DocumentContext>,
      ),
      nonce,
    )
  const { nonce } = context.get(requestContext)
  // What is handed over is all that a page is made of. A visitor's own page is for him alone and not kept.
  const nobodys = request.method === "GET" && context.get(sessionContext) === emptySession
  const shared = nobodys && handOver !== null && !oneTime && nonce !== null
  const html = shared
    ? renderedOnce({ state: `${request.url} ${handOver}`, nonce, render })
    : render(nonce ?? undefined)
  headers.set("content-type", "text/html; charset=utf-8")
  const retryAfter = retryAfterIn(entry.staticHandlerContext.errors)
  if (retryAfter > 0) headers.set("retry-after", String(retryAfter))
  return pageResponse(`<!doctype html>${html}`, { status, headers })
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // A page that is not there, or a method that no page has, is what was asked for and no failure of ours.
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return
  noteProblem(error, context as Readonly<RouterContextProvider>)
}

function handleOf({
  routeModules,
  staticHandlerContext,
}: Omit<EntryContext, "serverHandoffStream">): Partial<PageHandle> {
  const id = staticHandlerContext.matches.at(-1)?.route.id ?? ""
  return (routeModules[id]?.handle as PageHandle | undefined) ?? {}
}

/** How many seconds a page that was thrown asks to wait; 0 when it does not. */
function retryAfterIn(errors: Record<string, unknown> | null): number {
  const [thrown] = Object.values(errors ?? {})
  const wait = isRouteErrorResponse(thrown) ? thrown.data?.retryAfterSeconds : 0
  return typeof wait === "number" ? wait : 0
}

function documentOf(
  context: RouterContextProvider,
  page: Pick<PageDocument, "handOver" | "chunks">,
): Omit<PageDocument, "nonce"> {
  const { shop } = context.get(servicesContext)
  return {
    ...page,
    ...{ style: lookIn(shop.brand.colours).style, fonts: preloadedFonts, analytics: shop.analytics },
    shop: shownShop(context),
    support: shop.links.support,
    problem: context.get(problemContext),
    requestId: context.get(requestContext).id,
  }
}
