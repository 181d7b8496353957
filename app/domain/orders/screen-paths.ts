import { isResellerPlan, type Order, type OrderKind } from "./order"
import { type Screen, screenFor } from "./order-status"

/** Viewers and resellers have separate screens, except for the shared review step (specification, Screens). */
export type Journey = "viewer" | "reseller"

/** Paths of the screens, without base path and locale prefix: `localPath` adds the prefix. No other module spells them. */
export const pathOf = {
  viewer: { checkout: "/", creatingOrder: "/creatingOrder", waiting: "/waiting", success: "/success" },
  reseller: {
    checkout: "/resellers",
    creatingOrder: "/creatingOrder",
    waiting: "/resellers/waiting",
    success: "/resellers/success",
  },
} as const satisfies Record<Journey, Record<Screen, string>>

export const upsellPath = "/upsell"
export const playlistPath = `${pathOf.viewer.success}/playlist.m3u8`
/** Query parameter of the service page to which a browser is led from the address of a playlist that is not valid any more. */
export const OLD_PLAYLIST = "old-playlist"
/** A reseller's credits as a file. */
export const statementPath = `${pathOf.reseller.checkout}/statement.csv`
/** A reseller's lines as a file. */
export const linesPath = `${pathOf.reseller.checkout}/lines.csv`
/** An invoice or credit note as a file: its number and `.pdf` or `.xml`. */
export const documentPath = "/documents/:file"
/** What an unpaid order will cost, as a page: the order's id; with `.pdf` as a file. */
export const proformaPath = "/documents/proforma/:file"
/** A buyer withdraws from an order, in two steps. */
export const withdrawalPath = "/withdraw"
/** Starts a free trial. */
export const trialPath = "/trial"
/** Asks which country is right, in a shop that taxes by it. */
export const countryPath = "/country"
/** The business that buys, in a shop that taxes. */
export const businessPath = "/business"
/** Query parameter of that page if it leads back to the reseller checkout. */
export const RESELLERS = "resellers"
/** Ends reminders: the address in a message. */
export const unsubscribePath = "/api/mail/unsubscribe"
/** Renews a service without signing in: the address in a message. */
export const renewPath = "/renew"
export const offlinePath = "/offline"
export const manifestPath = "/manifest.webmanifest"

/** Reseller plans have the reseller's journey; upsells and lines have the viewer's. */
export function journeyOf(kind: OrderKind): Journey {
  return isResellerPlan({ kind }) ? "reseller" : "viewer"
}

/** Path of a screen in the journey of an order or selection; without one, in the viewer's. */
export function orderPath(screen: Screen, order: { readonly kind: OrderKind } | null): string {
  return pathOf[order ? journeyOf(order.kind) : "viewer"][screen]
}

/** Path of one service. */
export function servicePath(id: string): string {
  return `${pathOf.viewer.success}?serviceid=${id}`
}

/** Path of the visitor's services: shows them whatever the status of the current order. */
export const ownServicesPath = `${pathOf.viewer.success}?services`

/** Path of the sign-in to the visitor's services. */
export const signInPath = `${pathOf.viewer.success}?signin`

/** Query parameter of a checkout to which a browser comes back without its session: it takes no cookies, or they have expired. */
export const LOST_CHOICES = "lost"

/** Query parameter of the checkout to which a browser is led from the waiting page of an order that it does not know. */
export const ORDER_ELSEWHERE = "elsewhere"

/** Query parameter of the waiting page to which a browser is led from a checkout: its order is open. */
export const ORDER_OPEN = "open"

/** Query parameter of the page to which a buyer returns who has cancelled an order, with what has become of money for it. */
export const ORDER_CANCELLED = "cancelled"

/** Value of that parameter where the order was cancelled without its buyer, who had not paid for it. */
export const CANCELLED_MEANWHILE = "meanwhile"

/** Query of the reseller checkout with an existing account selected. */
export const EXISTING_ACCOUNT = "existing=yes"

/** Query parameter of the page of the signed-in customer's account. */
export const ACCOUNT = "account"

/** Path of that page. */
export const accountPath = `${pathOf.viewer.success}?${ACCOUNT}`

/** Query parameter that opens the renewal of a service. */
export const RENEW = "renew"

/** Path of the service page with its renewal open. */
export const renewalPath = `${pathOf.viewer.success}?${RENEW}#renewal`

/** Query parameter of the page on which the plan of a service is changed, with the chosen plan as its value. */
export const PLAN = "plan"

/** Path of that page; `chosen`: with the figures of a plan. */
export function planPath(chosen = ""): string {
  return `${pathOf.viewer.success}?${PLAN}${chosen && `=${chosen}`}`
}

/** Path of the service page with the plan that follows. */
export function nextPlanPath(): string {
  return `${pathOf.viewer.success}#${PLAN}`
}

/** Path of a sign-in link: a page with one button. */
export function signInLinkPath(token: string): string {
  return `${pathOf.viewer.success}?${SIGN_IN_TOKEN}=${token}`
}

/** Query parameter with the token of a sign-in link. */
export const SIGN_IN_TOKEN = "sign-in"

/** Path of the link that stops or undoes a change of e-mail: a page with one button. */
export function emailChangeLinkPath(token: string): string {
  return `${pathOf.viewer.success}?${EMAIL_CHANGE_TOKEN}=${token}`
}

/** Query parameter with the token of that link. */
export const EMAIL_CHANGE_TOKEN = "email-change"

/** Path of a renewal link, and with more parameters that of its choices. */
export function renewalLinkPath(token: string): string {
  return `${renewPath}?${RENEWAL_TOKEN}=${token}`
}

/** Query parameter with the token of a renewal link. */
export const RENEWAL_TOKEN = "renewal"

/** Path of an order in a message: shows it to its customer, and to others the sign-in screen. */
export function orderLinkPath(orderId: string): string {
  return `${pathOf.viewer.success}?order=${orderId}`
}

/** Path of the withdrawal from an order, with its number filled in. */
export function orderWithdrawalPath(orderId: string): string {
  return `${withdrawalPath}?order=${orderId}`
}

/** Query of a page that waits and does not reload by itself: who reads slowly has the time. */
export const STILL = "still"

/** Query parameter that opens the form to correct the e-mail of an order. */
export const CORRECT_EMAIL = "correct-email"

/** Query parameter of `/creatingOrder`: the placed order has used less account credit than was shown. */
export const CREDIT_CHANGED = "credit"

/** Whether a path without locale prefix shows login details. */
export function showsService(path: string): boolean {
  return path === pathOf.viewer.success || path === pathOf.reseller.success
}

type Page = { readonly screen: Screen; readonly journey: Journey }

/** Path to redirect to from a page by the current order; null to stay. */
export function pathFor(
  { screen, journey }: Page,
  order: Pick<Order, "status" | "kind"> | null,
): string | null {
  const right = screenFor(screen, order?.status ?? null)
  if (right === "checkout") return pathOf[journey].checkout
  const path = pathOf[order ? journeyOf(order.kind) : journey][right ?? screen]
  const isOpen = right === null && (screen === "checkout" || path === pathOf[journey][screen])
  return isOpen ? null : path
}
