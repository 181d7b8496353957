import { DAY } from "../calendar"
import { normalizeEmail } from "../customers/email"
import type { Currency, Money } from "../money/money"
import { type Plan, type Product, plansOffered } from "./catalogue"

/** Longest free trial: a month. */
export const MAX_TRIAL_HOURS = 720

/** A plan that may be tried, and for how long. */
export type TrialPlan = Plan & { readonly trialHours: number }

/** The plans on sale in a currency that may be tried for free, in the order of the catalogue. */
export function trialsOffered(products: readonly Product[], currency: Currency): readonly TrialPlan[] {
  return plansOffered(products, currency).flatMap((plan) => {
    const hours = products.find(({ id }) => id === plan.id)?.trialHours
    return hours === undefined || plan.payType === "onetime" ? [] : [{ ...plan, trialHours: hours }]
  })
}

/** Hosts whose mailboxes ignore dots in the part before the at sign. */
const DOTLESS: Readonly<Record<string, string>> = {
  "gmail.com": "gmail.com",
  "googlemail.com": "gmail.com",
}

/**
 * The mailbox of an e-mail: without what follows a plus, and at Gmail without dots. One person has had a trial under any spelling
 * of it. Stored as a hash: the result must not change.
 */
export function mailboxOf(email: string): string {
  const normalized = normalizeEmail(email)
  const at = normalized.lastIndexOf("@")
  const host = normalized.slice(at + 1)
  const [plain = ""] = normalized.slice(0, at).split("+")
  const dotless = DOTLESS[host]
  // An address that begins with a plus has nothing before it.
  const local = plain || normalized.slice(0, at)
  return dotless ? `${local.replaceAll(".", "")}@${dotless}` : `${local}@${host}`
}

/** What tells one person from another. A person may have a trial once by each. */
export const trialMarks = ["email", "device", "network"] as const
export type TrialMark = (typeof trialMarks)[number]

/** Marks of a person as keyed hashes; a mark that is not known is missing. */
export type TrialClaims = { readonly [Mark in TrialMark]?: string | undefined }

/** A trial as an order asks for it. */
export type NewTrial = {
  readonly hours: number
  /** What each term costs that follows. */
  readonly price: Money
  readonly claims: TrialClaims
}

/** For how long a person's marks are known. The network may be another's by then. */
export const TRIAL_CLAIMS_KEPT: Readonly<Record<TrialMark, number>> = {
  email: 730 * DAY,
  device: 365 * DAY,
  network: 30 * DAY,
}

/** Why there is no trial. `had`: this browser has had one. `notAgain`: said about everybody else alike. */
export type TrialRefusal = "had" | "notAgain"

/** A browser learns what it has done itself, and nothing about the people who share its connection or an address that it types. */
export function trialRefusal(taken: readonly TrialMark[]): TrialRefusal {
  return taken.includes("device") ? "had" : "notAgain"
}

/** Share of a trial after which its customer is reminded. */
const REMINDED_AFTER = 0.8

/** When the customer of a trial is reminded of its end. */
export function trialReminderAt(end: number, length: number): number {
  return Math.round(end - length * (1 - REMINDED_AFTER))
}
