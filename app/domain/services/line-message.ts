import type { Instant } from "../calendar"
import { endsSoon } from "./line-list"
import { isProvisioned, type Service } from "./service"

/** What a reseller can tell a customer: the login details, or that the time ends. */
export type LineMessage = "login" | "reminder"

/** The messages that fit a line now, the one that is wanted first; none for a line that is being set up or has ended. */
export function messagesAbout(
  line: Pick<Service, "status" | "host" | "paidUntil">,
  at: Instant,
): readonly LineMessage[] {
  const { status, host, paidUntil } = line
  const isUsable = status === "Active" && host !== null
  const hasEnd = paidUntil !== null && isProvisioned(line)
  const wanted = endsSoon(line, at) ? (["reminder", "login"] as const) : (["login", "reminder"] as const)
  return wanted.filter((message) => (message === "login" ? isUsable : hasEnd))
}
