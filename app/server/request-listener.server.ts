import type { IncomingMessage, ServerResponse } from "node:http"
import type { Logger } from "pino"
import type { RequestHandler, RouterContextProvider } from "react-router"
import { errorContext, retryAfterContext } from "~/context/error.server"
import { type RequestContext, requestContext, routeContext } from "~/context/request.server"
import type { Services } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { statusOf } from "~/domain/error-kind"
import type { GatewayId } from "~/domain/payments/gateway-id"
import {
  type InstrumentedRequest,
  noInstrumentation,
  type RequestInstrumentation,
} from "~/observability/request-instrumentation"
import {
  anonymousPageCache,
  type CachedGateway,
  type PageCacheServices,
} from "~/ssr/anonymous-page-cache.server"
import { clientAddress } from "./client-ip.server"
import { byNonce, contentSecurityPolicy } from "./content-security-policy.server"
import { correctAddresses } from "./correct-address.server"
import { visitCounter } from "./count-visit.server"
import { errorPageOf, routeWithinBasePath, withAllow, withErrorPage } from "./error-response.server"
import { healthChecks, isHealthCheck } from "./health-check.server"
import { admission, QueueTimeoutError } from "./overload/load-shedding.server"
import { overloadResponder } from "./overload/overload-response.server"
import { randomToken } from "./random-token.server"
import { logWhenDone } from "./request-log.server"
import { originForm } from "./request-target.server"
import { securityHeaders } from "./security-headers.server"
import { logoServer } from "./serve-logo.server"
import { staticFiles } from "./static-files.server"
import { webRequest } from "./web-request.server"
import { sendFirstPage, sendResponse } from "./web-response.server"

/** Retry-After in seconds of pages that failed because a database or an upstream did. */
const RETRY_LATER = 10

/** What the listener itself uses of the services. */
type ListenerServices = Omit<PageCacheServices, "gateways"> &
  Pick<Services, "now" | "apiAuth" | "watchRestores" | "stepCounter"> & {
    readonly catalogue: Pick<Services["catalogue"], "pausedFor">
    readonly shop: Pick<Services["shop"], "publicUrl" | "brand" | "logo" | "analytics" | "brandVersion">
    readonly gateways: ReadonlyMap<GatewayId, CachedGateway & { readonly origins: readonly string[] }>
  }

type Listener = {
  services: ListenerServices
  /** The contexts of a request that the router and its middleware do not set, for a logger with the request's id. */
  contextOf: (log: Logger) => RouterContextProvider
  log: Logger
  handle: RequestHandler
  clientFolder: string
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly string[]
  /** Requests in flight up to which new visitors are admitted. */
  maxConcurrent: number
  instrument?: RequestInstrumentation
}

/** Route name of requests without a page: a file, the logo, a corrected address. */
const NO_PAGE = "file"
/** The router's name of the page that the anonymous page cache answers. */
const FIRST_PAGE = "/:locale?"
/** Route name of requests that the router rejects before it has matched a page. */
const NO_ROUTE = "none"

/** Answers every request of the shop: static files, then pages. Logs one line for each, with the request's id. */
export function requestListener({
  services,
  contextOf: createContext,
  log,
  handle,
  clientFolder,
  trustedProxies,
  ...around
}: Listener) {
  const { admits, run, recordResponse, arrived } = admission({
    maxConcurrent: around.maxConcurrent,
    isKey: (key) => services.apiAuth?.isKey(key) ?? false,
    log,
  })
  const files = staticFiles(clientFolder)
  const addressOf = clientAddress(trustedProxies)
  const formTargets = () => [...new Set([...services.gateways.values()].flatMap(({ origins }) => origins))]
  const { publicUrl, analytics } = services.shop
  const showsLogo = logoServer(services.shop)
  const setSecurityHeaders = securityHeaders(publicUrl)
  const setContentSecurityPolicy = contentSecurityPolicy({ analytics, formTargets })
  const origin = new URL(publicUrl)
  const addressToCorrect = correctAddresses(origin)
  const firstPage = anonymousPageCache({
    services,
    handle: async (incoming, current) => (await routed(incoming, current)).response,
  })
  const countVisit = visitCounter(services)
  const rejectOverload = overloadResponder(services.shop)
  const health = healthChecks(async (request, current: RequestContext) => {
    const context = contextOf({ ...current, rejection: null })
    const response = await handle(request, context)
    return { response, route: context.get(routeContext) ?? NO_ROUTE }
  }, publicUrl)

  const instrument = around.instrument ?? noInstrumentation
  const silent = log.child({}, { level: "silent" })

  return {
    connected: arrived,
    handle(incoming: IncomingMessage, outgoing: ServerResponse): void {
      arrived()
      const request = { incoming, outgoing, route: NO_PAGE }
      failsAlone(outgoing, () => instrument(request, () => handleRequest(request, log)))
    },
    /** Answers a request of the shop itself as any other, without a log line and without being measured. */
    handleOwn(incoming: IncomingMessage, outgoing: ServerResponse): void {
      failsAlone(outgoing, () => handleRequest({ incoming, outgoing, route: NO_PAGE }, silent))
    },
  }

  /** What leaves the listener would end the process, and with it the requests of all others. */
  function failsAlone(outgoing: ServerResponse, answer: () => void) {
    try {
      answer()
    } catch (error) {
      log.error({ err: error }, "request failed")
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(500).end()
    }
  }

  function handleRequest(instrumented: InstrumentedRequest, requestLog: Logger) {
    const { incoming, outgoing } = instrumented
    incoming.url = originForm(incoming, origin)
    const current = createRequestContext(addressOf(incoming), { now: services.now, log: requestLog })
    outgoing.setHeader("x-request-id", current.id)
    // The default; responses that may be cached override it.
    outgoing.setHeader("cache-control", "no-store")
    setSecurityHeaders(outgoing)
    setContentSecurityPolicy(outgoing, { allowed: byNonce(current.nonce), url: addressOfPage(incoming) })
    if (hasSeveralHosts(incoming)) {
      logWhenDone(incoming, outgoing, current)
      return void outgoing.writeHead(400, { connection: "close" }).end()
    }
    // Static files cost next to nothing, so they bypass admission control.
    const isHandled = showsLogo(incoming, outgoing) || files(incoming, outgoing)
    if (!isHandled && !isHealthCheck(incoming) && !admits({ incoming, address: current.address }))
      return void rejectOverload(incoming, outgoing, current.nonce)
    logWhenDone(incoming, outgoing, current)
    if (!isHandled) handleAdmitted(instrumented, current)
  }

  function handleAdmitted(instrumented: InstrumentedRequest, current: RequestContext) {
    const { incoming, outgoing } = instrumented
    if (isHealthCheck(incoming)) return void handleHealthCheck(instrumented, current)
    const correction = addressToCorrect(incoming)
    if (correction) return outgoing.writeHead(correction.status, { location: correction.location }).end()
    void handlePage(instrumented, current)
  }

  async function handleHealthCheck(instrumented: InstrumentedRequest, current: RequestContext) {
    try {
      instrumented.route = await health(instrumented.incoming, instrumented.outgoing, current)
    } catch (error) {
      await handleFailure(instrumented, current, error)
    }
  }

  function contextOf(current: RequestContext): RouterContextProvider {
    const context = createContext(current.log)
    context.set(requestContext, current)
    return context
  }

  async function handlePage(instrumented: InstrumentedRequest, current: RequestContext) {
    const { incoming, outgoing } = instrumented
    instrumented.route = NO_ROUTE
    try {
      const first = await firstPage(incoming, current)
      if (first) {
        instrumented.route = FIRST_PAGE
        setContentSecurityPolicy(outgoing, { allowed: first.allowed, url: addressOfPage(incoming) })
        countVisit(incoming)
        return sendFirstPage(first, incoming, outgoing)
      }
      const { response, status, route } = await routed(incoming, current)
      instrumented.route = route
      outgoing.statusCode = status
      if (route === FIRST_PAGE && status === 200) countVisit(incoming)
      await sendResponse(response, incoming, outgoing)
    } catch (error) {
      await handleFailure(instrumented, current, error)
    }
  }

  async function handleFailure(
    { incoming, outgoing }: InstrumentedRequest,
    current: RequestContext,
    error: unknown,
  ) {
    if (error instanceof QueueTimeoutError) return rejectOverload(incoming, outgoing, current.nonce)
    // The client hung up or sent an invalid request. Errors of pages are handled by the router.
    current.log.warn({ err: error }, "request aborted")
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(400).end()
  }

  async function routed(incoming: IncomingMessage, current: RequestContext) {
    const { request, rejection } = await webRequest(incoming, publicUrl)
    const context = contextOf({ ...current, rejection })
    const wasRestored = services.watchRestores()
    const incomingRequest = { incoming, address: current.address }
    const rendered = withAllow(
      await routeWithinBasePath(request, () => run(incomingRequest, () => handle(request, context))),
    )
    const failure = { kind: errorPageOf(rendered, request), status: honestStatus(rendered, context) }
    // After a restore what the request had read may be gone. A retry reads the restored data.
    const isOutdated = failure.status === 500 && (await wasRestored())
    const { kind, status } = isOutdated ? outdated : failure
    const { brand, logo } = services.shop
    const page = { kind, status, requestContext: current, brand, logo }
    const response = await withErrorPage(rendered, request, page)
    const route = context.get(routeContext) ?? NO_ROUTE
    recordResponse(incomingRequest, status)
    if (status === 503 && !response.headers.has("retry-after"))
      response.headers.set("retry-after", String(waitAfter(context)))
    return { response, status, route }
  }

  /** Seconds after which a failed page may be requested again: what billing has asked for, or a moment. */
  function waitAfter(context: RouterContextProvider): number {
    return context.get(retryAfterContext) ?? services.catalogue.pausedFor() ?? RETRY_LATER
  }
}

const outdated = { kind: "unavailable", status: statusOf.unavailable } as const

/** A page that failed because of an upstream gets its error kind's status (502, 503): React Router knows only 500. */
function honestStatus({ status }: Response, context: RouterContextProvider): number {
  const problem = context.get(errorContext)
  return problem && status === 500 ? statusOf[problem] : status
}

/** RFC 9112, section 3.2: answered with 400. Node uses the first one, a proxy in front may use another. */
function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length > 1
}

function createRequestContext(
  address: string | null,
  { now, log }: { now: () => Instant; log: Logger },
): RequestContext {
  const random = randomToken(27)
  const id = random.slice(0, 12)
  return {
    id,
    at: now(),
    address,
    nonce: random.slice(12),
    log: log.child({ request: id }),
    rejection: null,
  }
}

/** Path and query without URL parsing: the target may be invalid, which `webRequest` reports. */
function addressOfPage({ url = "/" }: IncomingMessage): Pick<URL, "pathname" | "search"> {
  const [pathname = "/", query = ""] = url.split("?", 2)
  return { pathname, search: query }
}
