import type { Instant } from "~/domain/calendar"
import type { CommandResult } from "./command"
import { jsonTime, time } from "./format"

/** The result of a command whose amount waits for a second operator (`APPROVE_ABOVE`). */
export function approvalResult({
  id,
  expiresAt,
}: {
  readonly id: string
  readonly expiresAt: Instant
}): CommandResult {
  return {
    text: `Nothing has been done yet: the amount waits for a second operator until ${time(expiresAt)}. An owner confirms it in the console.`,
    data: { request: id, expiresAt: jsonTime(expiresAt) },
    after: { waits: id },
  }
}
