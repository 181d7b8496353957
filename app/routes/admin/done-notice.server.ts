import { isCurrency, type Money, money } from "~/domain/money/money"
import type { OneTimeAction } from "~/domain/operators/operator"
import { type DoneText, isDoneText, consoleText as t } from "~/i18n/console-texts.server"
import { amountText } from "~/ui/admin/amount-text.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"

/** Actions whose pages answer with more than a sentence, or with one of their own. */
type AnsweredElsewhere =
  | "take-need"
  | "leave-need"
  | "end-session"
  | "new-recovery-codes"
  | "change-password"
  | "add-operator"
  | "reset-operator"
  | "send-test-mail"
  | "add-promotion"
  | "take-back-catalogue"
  | "take-back-tax"
  | "take-back-brand"
  | "generate-promotion-codes"
  | "withdraw-promotion-codes"
  | "re-encrypt-secrets"
  | "add-webhook"
  | "rotate-webhook-secret"
  | "remove-webhook"
  | "test-webhook"
  | "redeliver-webhook"
  | "show-credentials"
  | "view-as-customer"

/** What a page says was done: every other action, and the kinds of one that say different things. */
export type Done = Exclude<OneTimeAction, AnsweredElsewhere> | Exclude<DoneText, OneTimeAction>

/** An amount and a number only, so that no link puts words into the console. */
type Facts = { readonly amount?: Money | null; readonly count?: number }

/** The query of the address whose page says what was done. */
export function doneQuery(action: Done, { amount, count }: Facts = {}): string {
  // An action without a text does not compile here.
  const done: DoneText = action
  const query = new URLSearchParams({ done })
  if (amount) query.set("amount", `${amount.minor} ${amount.currency}`)
  if (count !== undefined) query.set("count", String(count))
  return query.toString()
}

/** What a page says was done, by its address; null: nothing was. `name`: of what the page is about. */
export function doneNotice(query: URLSearchParams, name = ""): ActionNotice | null {
  if (query.has("waits")) return { kind: "good", text: t("order.waits") }
  const done = query.get("done") ?? ""
  return isDoneText(done) ? { kind: "good", text: t(`done.${done}`, { name, ...factsIn(query) }) } : null
}

function factsIn(query: URLSearchParams) {
  const count = query.get("count") ?? ""
  return { amount: amountIn(query.get("amount") ?? ""), count: isWhole(count) ? count : "" }
}

function amountIn(text: string): string {
  const [minor = "", currency = ""] = text.split(" ")
  return isWhole(minor) && isCurrency(currency) ? amountText(money(Number(minor), currency)) : ""
}

function isWhole(text: string): boolean {
  return /^-?\d{1,12}$/.test(text)
}
