import { renderToString } from "react-dom/server"
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router"
import { noteProblem, problemContext } from "./context/error.server"
import { localeContext } from "./context/locale.server"
import { requestContext } from "./context/request.server"
import { servicesContext } from "./context/services.server"
import { type CheckoutSession, emptySession, sessionContext } from "./context/session.server"
import { languageFor } from "./i18n/load-language.server"
import { LanguageContext } from "./i18n/use-translation"
import { scriptAfterPaint } from "./ssr/defer-scripts.server"
import { DocumentContext, type PageDocument, type PageHandle } from "./ssr/document"
import { handOverScript } from "./ssr/hydration-script.server"
import { canStandInGap, type Own, renderedOnce, type Shelf, withWordsFor } from "./ssr/page-cache.server"
import { pageResponse, writtenOut } from "./ssr/rendered-page.server"
import { shownShop } from "./ssr/shop-view.server"
import { fontFaces, preloadedFonts } from "./ui/style/fonts.server"
import { lookIn } from "./ui/style/style.server"

type Entry = Omit<EntryContext, "serverHandoffStream">

/** Renders a page into one string: a streamed page costs more than twice as much (design, section 9). */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  { serverHandoffStream, ...entry }: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const failed = entry.staticHandlerContext.errors !== null
  const { kept, ...handle } = handleOf(entry)
  const handOver = failed || kept ? null : await handOverScript(serverHandoffStream)
  const { language, chunks } = await languageFor(context.get(localeContext))
  // Who has been here has the letters already; the first page leaves a cookie.
  const fetchesLetters = handOver !== null && !request.headers.has("cookie")
  const page = documentOf(context, { chunks: handOver === null ? [] : chunks }, fetchesLetters)
  const render = (made: Entry, { nonce, handOver }: Pick<PageDocument, "nonce" | "handOver">) =>
    `<!doctype html>${scriptAfterPaint(
      renderToString(
        <DocumentContext value={{ ...page, nonce, handOver }}>
          <LanguageContext value={language}>
            <ServerRouter context={made} url={request.url} nonce={nonce} />
          </LanguageContext>
        </DocumentContext>,
      ),
      { nonce, fetchesLetters },
    )}`
  const shelf = shelfFor(request, context, handle)
  const own = ownOf(context, shelf)
  const written =
    shelf && handOver !== null
      ? renderedOnce({
          ...{ shelf, url: `${request.url} ${fetchesLetters}`, handOver, own },
          render: ({ own: words, ...made }) => render(withWords(entry, own.email, words), made),
        })
      : writtenOut(render(entry, { nonce: own.nonce, handOver }))
  headers.set("content-type", "text/html; charset=utf-8")
  const retryAfter = retryAfterIn(entry.staticHandlerContext.errors)
  if (retryAfter > 0) headers.set("retry-after", String(retryAfter))
  return pageResponse(written, { status, headers })
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // A page that is not there, or a method that no page has, is what was asked for and no failure of ours.
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return
  noteProblem(error, context as Readonly<RouterContextProvider>)
}

/** Where a page may be kept: a one-time key is for one look alone, and so is whatever nobody will look at again. */
function shelfFor(
  { method }: Request,
  context: RouterContextProvider,
  handle: Partial<PageHandle>,
): Shelf | null {
  if (method !== "GET" || handle.oneTime) return null
  if (isShared(context.get(sessionContext), handle.public)) return "everybody"
  return handle.lookedAtAgain ? "one" : null
}

/**
 * Whether others may get the same page but for an e-mail: not one about what somebody has ordered, or who has signed
 * in.
 */
function isShared(session: CheckoutSession, isPublic = false): boolean {
  const { choices, customer, orderId, serviceIds } = session
  const isNobodys = customer === null && orderId === null && serviceIds.length === 0
  return session === emptySession || (isPublic && isNobodys && canStandInGap(choices.email))
}

/** What is the visitor's own on a page: of one that is kept for him alone, only the nonce. */
function ownOf(context: RouterContextProvider, shelf: Shelf | null): Own {
  const { nonce } = context.get(requestContext)
  return { nonce, email: shelf === "everybody" ? context.get(sessionContext).choices.email : null }
}

function withWords(entry: Entry, email: string | null, words: string | null): Entry {
  if (email === null || words === null) return entry
  const { staticHandlerContext } = entry
  const loaderData = withWordsFor(staticHandlerContext.loaderData, email, words)
  return { ...entry, staticHandlerContext: { ...staticHandlerContext, loaderData } }
}

function handleOf({ routeModules, staticHandlerContext }: Entry): Partial<PageHandle> {
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
  page: Pick<PageDocument, "chunks">,
  fetchesLetters: boolean,
): Omit<PageDocument, "nonce" | "handOver"> {
  const { shop } = context.get(servicesContext)
  const { style } = lookIn(shop.brand.colours)
  return {
    ...page,
    ...(fetchesLetters ? { style, fonts: [] } : { style: `${fontFaces}${style}`, fonts: preloadedFonts }),
    analytics: shop.analytics,
    shop: shownShop(context),
    support: shop.links.support,
    problem: context.get(problemContext),
    requestId: context.get(requestContext).id,
  }
}
