import type { DatabaseSync } from "node:sqlite"
import type { Instant } from "~/domain/calendar"
import type { CallbackQueue } from "../callback-queue.server"
import { choose, showPayPage } from "../payment-page-handler.server"
import type { Payments } from "../payments.server"
import type { Route } from "../router.server"
import { openPayment, showPayment } from "./api.server"
import { atLink, type LinkAccount, type LinkContext } from "./link.server"
import { offshoreReport } from "./wire.server"

export type ProtocolTools = {
  database: DatabaseSync
  payments: Payments
  reports: CallbackQueue
  wakeCallbackSender: () => void
  now: () => Instant
  /** Where the sandbox is reached; known once it listens. */
  origin: () => string
  shops: readonly string[] | null
}

/** All addresses of the offshore gateway: its API, its pay page and, for an account with links, where they lead. */
export function offshoreRoutes(tools: ProtocolTools, account: LinkAccount | undefined): readonly Route[] {
  const { payments, shops, now } = tools
  const payUrl = (id: string) => `${tools.origin()}/offshore/pay/${id}`
  const api = { payments, payUrl, shops, now }
  const pageContext = { ...tools, protocol: "offshore", callbackMessage: offshoreReport }
  const payPath = /^\/offshore\/pay\/(?<id>\w{1,64})$/
  return [
    { method: "POST", path: /^\/offshore\/payments$/, answer: (it) => openPayment(api, it) },
    { method: "GET", path: /^\/offshore\/payments\/(?<id>[^/]+)$/, answer: (it) => showPayment(api, it) },
    { method: "GET", path: payPath, answer: (it) => showPayPage(pageContext, it) },
    { method: "POST", path: payPath, answer: (it) => choose(pageContext, it) },
    ...(account ? linkRoutes({ account, pageContext, shops }) : []),
  ]
}

/** The form on the pay page leads to the address it is shown at, so both ways in are signed. */
function linkRoutes(links: LinkContext): readonly Route[] {
  const path = /^\/offshore\/pay$/
  return [
    { method: "GET", path, answer: (it) => atLink(links, it, showPayPage) },
    { method: "POST", path, answer: (it) => atLink(links, it, choose) },
  ]
}
