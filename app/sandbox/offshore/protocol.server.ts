import type { DatabaseSync } from "node:sqlite"
import type { Instant } from "~/domain/calendar"
import type { CallbackQueue } from "../callback-queue.server"
import { choose, showPayPage } from "../payment-page-handler.server"
import type { Payments } from "../payments.server"
import type { Route } from "../router.server"
import { openPayment, showPayment } from "./api.server"
import { atLink, type LinkContext, type LinkSettings } from "./link.server"
import { offshoreReport } from "./wire.server"

export type ProtocolTools = {
  database: DatabaseSync
  payments: Payments
  reports: CallbackQueue
  wakeCallbackSender: () => void
  now: () => Instant
  /** Origin of the sandbox; known once the server listens. */
  origin: () => string
  shops: readonly string[] | null
}

/** Routes of the offshore gateway: the API, the payment page and, with an account, the signed links. */
export function offshoreRoutes(tools: ProtocolTools, settings: LinkSettings | undefined): readonly Route[] {
  const { payments, shops, now } = tools
  const payUrl = (id: string) => `${tools.origin()}/offshore/pay/${id}`
  const api = { payments, payUrl, shops, now }
  const pageContext = { ...tools, protocol: "offshore", callbackMessage: offshoreReport }
  const payPath = /^\/offshore\/pay\/(?<id>\w{1,64})$/
  return [
    { method: "POST", path: /^\/offshore\/payments$/, handle: (it) => openPayment(api, it) },
    { method: "GET", path: /^\/offshore\/payments\/(?<id>[^/]+)$/, handle: (it) => showPayment(api, it) },
    { method: "GET", path: payPath, handle: (it) => showPayPage(pageContext, it) },
    { method: "POST", path: payPath, handle: (it) => choose(pageContext, it) },
    ...(settings ? linkRoutes({ settings, pageContext, shops }) : []),
  ]
}

/** The form posts to the page's own URL, so both GET and POST carry the signed query. */
function linkRoutes(links: LinkContext): readonly Route[] {
  const path = /^\/offshore\/pay$/
  return [
    { method: "GET", path, handle: (it) => atLink(links, it, showPayPage) },
    { method: "POST", path, handle: (it) => atLink(links, it, choose) },
  ]
}
