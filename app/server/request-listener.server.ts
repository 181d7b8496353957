import type { IncomingMessage, ServerResponse } from "node:http"
import { type RequestHandler, RouterContextProvider } from "react-router"
import { problemContext } from "~/context/error.server"
import { type RequestFacts, requestContext, routeContext } from "~/context/request.server"
import { type Services, servicesContext } from "~/context/services.server"
import { BASE } from "~/domain/base-path"
import { type Problem, statusOf } from "~/domain/error-kind"
import { type RequestWatch, unwatched, type WatchedRequest } from "~/observability/request-instrumentation"
import { firstPages } from "~/ssr/anonymous-page-cache.server"
import { clientAddress } from "./client-ip.server"
import { ofShop, spoken } from "./error-response.server"
import { admission, TurnMissed } from "./overload/load-shedding.server"
import { turningAway } from "./overload/overload-response.server"
import { randomLetters } from "./random-token.server"
import { byNonce, securityHeaders } from "./security-headers.server"
import { logoServer } from "./serve-logo.server"
import { staticFiles } from "./static-files.server"
import { webRequest } from "./web-request.server"
import { sendFirstPage, sendResponse } from "./web-response.server"

type Listener = {
  services: Services
  answer: RequestHandler
  clientFolder: string
  /** Addresses of proxies whose word on the client counts. */
  trustedProxies: readonly string[]
  /** How many requests may be under way while newcomers are let in. */
  mostAtOnce: number
  watch?: RequestWatch
}

/** What is asked for while no page is: a file, the logo, an address to correct. */
const NO_PAGE = "file"
/** The router's name of the page that is kept before it is asked. */
const FIRST_PAGE = "/:locale?"
/** What the router turns down before it has looked for a page. */
const NO_ROUTE = "none"

/** Answers every request of the shop: files, then pages; one log line each, with the request's id. */
export function requestListener({ services, answer, clientFolder, trustedProxies, ...around }: Listener) {
  const { admits, inTurn } = admission({ most: around.mostAtOnce, log: services.log })
  const files = staticFiles(clientFolder)
  const addressOf = clientAddress(trustedProxies)
  const formTargets = () => [...new Set([...services.gateways.values()].flatMap(({ origins }) => origins))]
  const { publicUrl, brand, logo, analytics } = services.shop
  const showsLogo = logoServer(logo)
  const secure = securityHeaders({ publicUrl, analytics, formTargets })
  const addressToCorrect = correctAddresses(new URL(publicUrl))
  const firstPage = firstPages({
    services,
    answer: async (incoming, facts) => (await routed(incoming, facts)).response,
  })
  const turnAway = turningAway({ publicUrl, brand })

  const watched = around.watch ?? unwatched

  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const request = { incoming, outgoing, route: NO_PAGE }
    watched(request, () => answerRequest(request))
  }

  function answerRequest(watching: WatchedRequest) {
    const { incoming, outgoing } = watching
    const facts = factsOf(addressOf(incoming), services)
    outgoing.setHeader("x-request-id", facts.id)
    // Whatever says nothing else of itself is kept nowhere.
    outgoing.setHeader("cache-control", "no-store")
    secure.always(outgoing)
    secure.policy(outgoing, { allowed: byNonce(facts.nonce), url: addressOfPage(incoming) })
    if (!admits(incoming)) return void turnAway(incoming, outgoing, facts.nonce)
    logWhenDone(incoming, outgoing, facts)

    const elsewhere = addressToCorrect(incoming)
    if (elsewhere) return outgoing.writeHead(elsewhere.status, { location: elsewhere.location }).end()
    if (showsLogo(incoming, outgoing)) return
    files(incoming, outgoing, () => void answerPage(watching, facts))
  }

  async function answerPage(watching: WatchedRequest, facts: RequestFacts) {
    const { incoming, outgoing } = watching
    watching.route = NO_ROUTE
    try {
      const first = await firstPage(incoming, facts)
      if (first) {
        watching.route = FIRST_PAGE
        secure.policy(outgoing, { allowed: first.allowed, url: addressOfPage(incoming) })
        return sendFirstPage(first, incoming, outgoing)
      }
      const { response, status, route } = await routed(incoming, facts)
      watching.route = route
      outgoing.statusCode = status
      await sendResponse(response, incoming, outgoing)
    } catch (error) {
      await notAnswered(watching, facts, error)
    }
  }

  async function notAnswered({ incoming, outgoing }: WatchedRequest, facts: RequestFacts, error: unknown) {
    if (error instanceof TurnMissed) return turnAway(incoming, outgoing, facts.nonce)
    // The client hung up, or sent what is no request at all. Errors of pages never get here.
    facts.log.warn({ err: error }, "request not answered")
    outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(400).end()
  }

  async function routed(incoming: IncomingMessage, facts: RequestFacts) {
    const { request, refusal } = await webRequest(incoming, publicUrl)
    const context = new RouterContextProvider()
    // What goes wrong below is told with the request's id, wherever it is noticed.
    context.set(servicesContext, { ...services, log: facts.log })
    context.set(requestContext, { ...facts, refusal })
    const answered = await ofShop(request, () => inTurn(incoming, () => answer(request, context)))
    const response = await spoken(answered, request, { facts, brand })
    const route = context.get(routeContext) ?? NO_ROUTE
    return { response, status: honestStatus(response, context.get(problemContext)), route }
  }
}

/** A page that failed because of a neighbour says so in its status too; React Router knows only 500. */
function honestStatus({ status }: Response, problem: Problem | null): number {
  return problem && status === 500 ? statusOf[problem] : status
}

function factsOf(address: string | null, { now, log }: Services): RequestFacts {
  const random = randomLetters(27)
  const id = random.slice(0, 12)
  return {
    id,
    at: now(),
    address,
    nonce: random.slice(12),
    log: log.child({ request: id }),
    refusal: null,
  }
}

/** The path alone: a query may hold an e-mail or a token, which must not reach a log. */
function logWhenDone(incoming: IncomingMessage, outgoing: ServerResponse, { log }: RequestFacts): void {
  const { method } = incoming
  const path = (incoming.url ?? "/").split("?", 1)[0]
  const start = performance.now()
  outgoing.once("close", () => {
    const ms = Math.round((performance.now() - start) * 10) / 10
    const facts = { method, path, status: outgoing.statusCode, ms }
    const cut = !outgoing.writableFinished || undefined
    // Scripts and fonts are a dozen lines a page that nobody reads.
    log[path?.startsWith(`${BASE}/assets/`) ? "debug" : "info"]({ ...facts, cut }, "request")
  })
}

type Correction = { status: 301 | 302; location: string }

/** `/` and `/checkout` lead to the shop; so does "localhost", whose cookies the gateway's return would not find. */
function correctAddresses({ host, hostname, port }: URL) {
  const otherName = hostname === "127.0.0.1" ? `localhost:${port}` : null
  const right = ({ url = "/", headers }: IncomingMessage): Correction | null => {
    if (url === "/" || url === BASE) return { status: 301, location: `${BASE}/` }
    const misled = headers.host === otherName && url.startsWith("/")
    return misled ? { status: 302, location: `http://${host}${url}` } : null
  }
  return (incoming: IncomingMessage) => (isRead(incoming) ? right(incoming) : null)
}

/** What was asked for may be no address at all, which is answered as such elsewhere. */
function addressOfPage({ url = "/" }: IncomingMessage): Pick<URL, "pathname" | "search"> {
  const [pathname = "/", query = ""] = url.split("?", 2)
  return { pathname, search: query }
}

/** A form must not be sent anywhere else: it would lose what was typed. */
function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD"
}
