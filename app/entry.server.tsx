import { renderToString } from "react-dom/server"
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router"
import type { RouteContext } from "~/context/route-context"
import { errorContext, recordError } from "./context/error.server"
import { localeContext } from "./context/locale.server"
import { requestContext } from "./context/request.server"
import { servicesContext } from "./context/services.server"
import { type CheckoutSession, emptySession, sessionContext } from "./context/session.server"
import { loadI18n } from "./i18n/load-i18n.server"
import { I18nContext } from "./i18n/use-translation"
import { deferScripts } from "./ssr/defer-scripts.server"
import { DocumentContext, type PageDocument, type PageHandle, type ShopView } from "./ssr/document"
import { renderHydrationScript } from "./ssr/hydration-script.server"
import {
  type CacheScope,
  cachedPage,
  canBePlaceholder,
  type Own,
  replaceInData,
} from "./ssr/page-cache.server"
import { pageResponse, renderedHtml } from "./ssr/rendered-page.server"
import { retryNote } from "./ssr/retry-note.server"
import { shopView } from "./ssr/shop-view.server"
import { fontFaces, preloadedFonts } from "./ui/style/fonts.server"
import { firstStylesFor, laterStyleUrl, stylesFor } from "./ui/style/style.server"

type Entry = Omit<EntryContext, "serverHandoffStream">

/** Renders a page into one string: a streamed page costs more than twice as much. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  { serverHandoffStream, ...entry }: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const failed = entry.staticHandlerContext.errors !== null
  const { isOfflinePage, isScriptless, ...handle } = handleOf(entry)
  const hydrationScript =
    failed || isOfflinePage || isScriptless ? null : await renderHydrationScript(serverHandoffStream)
  const { i18n, chunks } = await loadI18n(context.get(localeContext))
  // A browser with a cookie has cached the fonts already.
  const loadsFonts = hydrationScript !== null && !request.headers.has("cookie")
  const parts = {
    chunks: hydrationScript === null ? [] : chunks,
    // Without the root's data a guard has thrown the page.
    shop: (entry.staticHandlerContext.loaderData.root as ShopView | undefined) ?? (await shopView(context)),
  }
  const { style, laterStyle } = styleOf(context, handle, hydrationScript)
  const page = documentOf(context, { ...parts, style }, loadsFonts)
  const render = (made: Entry, { nonce, hydrationScript }: Pick<PageDocument, "nonce" | "hydrationScript">) =>
    `<!doctype html>${deferScripts(
      renderToString(
        <DocumentContext value={{ ...page, nonce, hydrationScript }}>
          <I18nContext value={i18n}>
            <ServerRouter context={made} url={request.url} nonce={nonce} />
          </I18nContext>
        </DocumentContext>,
      ),
      { nonce, loadsFonts, laterStyle },
    )}`
  const cacheScope = cacheScopeFor(request, context, handle)
  const own = ownOf(context, cacheScope)
  const written =
    cacheScope && hydrationScript !== null
      ? cachedPage({
          cacheScope,
          url: `${request.url} ${loadsFonts} ${context.get(servicesContext).shop.brandVersion}`,
          hydrationScript,
          style,
          own,
          render: ({ own: values, ...made }) => render(withValues(entry, own.email, values), made),
        })
      : renderedHtml(render(entry, { nonce: own.nonce, hydrationScript }), style)
  headers.set("content-type", "text/html; charset=utf-8")
  const retryAfter = retryAfterIn(entry.staticHandlerContext.errors)
  if (retryAfter > 0) headers.set("retry-after", String(retryAfter))
  return pageResponse(written, { status, headers })
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // 404 and 405 are the client's errors.
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return
  recordError(error, context as RouteContext)
}

/** Cache scope of a page; null for pages with an idempotency key and for pages that are not requested again. */
function cacheScopeFor(
  { method }: Request,
  context: RouterContextProvider,
  handle: Partial<PageHandle>,
): CacheScope | null {
  if (method !== "GET" || handle.neverCached) return null
  if (isShared(context.get(sessionContext), handle.public)) return "shared"
  return handle.cachePerVisitor ? "one" : null
}

/**
 * Whether visitors may share the page except for its e-mail: not a page about an order or of a signed-in customer.
 */
function isShared(session: CheckoutSession, isPublic = false): boolean {
  const { choices, customer, orderId, serviceIds } = session
  const isAnonymous = customer === null && orderId === null && serviceIds.length === 0
  return session === emptySession || (isPublic && isAnonymous && canBePlaceholder(choices.email))
}

/** The visitor's values on a page; in a page cached per visitor only the nonce varies. */
function ownOf(context: RouterContextProvider, cacheScope: CacheScope | null): Own {
  const { nonce } = context.get(requestContext)
  return { nonce, email: cacheScope === "shared" ? context.get(sessionContext).choices.email : null }
}

function withValues(entry: Entry, email: string | null, values: string | null): Entry {
  if (email === null || values === null) return entry
  const { staticHandlerContext } = entry
  const loaderData = replaceInData(staticHandlerContext.loaderData, email, values)
  return { ...entry, staticHandlerContext: { ...staticHandlerContext, loaderData } }
}

function handleOf({ routeModules, staticHandlerContext }: Entry): Partial<PageHandle> {
  const id = staticHandlerContext.matches.at(-1)?.route.id ?? ""
  return (routeModules[id]?.handle as PageHandle | undefined) ?? {}
}

/** Retry-After of a thrown page in seconds; 0 without one. */
function retryAfterIn(errors: Record<string, unknown> | null): number {
  const [thrown] = Object.values(errors ?? {})
  const wait = isRouteErrorResponse(thrown) ? thrown.data?.retryAfterSeconds : 0
  return typeof wait === "number" ? wait : 0
}

/** The style in the page, and the address of the rest if the page loads it after its first paint. */
function styleOf(
  context: RouterContextProvider,
  { firstStyle }: Partial<PageHandle>,
  hydrationScript: string | null,
) {
  const { colours } = context.get(servicesContext).shop.brand
  return firstStyle && hydrationScript !== null
    ? { style: firstStylesFor(firstStyle, colours).style, laterStyle: laterStyleUrl }
    : { style: stylesFor(colours).style, laterStyle: null }
}

function documentOf(
  context: RouterContextProvider,
  { style, ...page }: Pick<PageDocument, "chunks" | "shop" | "style">,
  loadsFonts: boolean,
): Omit<PageDocument, "nonce" | "hydrationScript"> {
  const { shop } = context.get(servicesContext)
  return {
    ...page,
    ...(loadsFonts ? { style, fonts: [] } : { style: `${fontFaces}${style}`, fonts: preloadedFonts }),
    analytics: shop.analytics,
    support: shop.links.support,
    mailSender: shop.mailSender,
    errorKind: context.get(errorContext),
    retryNote: retryNote(context),
    requestId: context.get(requestContext).id,
  }
}
