import { type HeldCall, heldCall } from "../held-call"
import type { ListShape } from "./responses"

type Texts = "plain" | "encoded"

let usualTexts: Texts = "plain"

/** From now on, installations whose test does not say otherwise give their texts back like this. */
export function setUsualTexts(texts: Texts): void {
  usualTexts = texts
}

/** What is odd about an installation today; everything can be changed while it runs. */
export class Quirks {
  lists: ListShape = "array"
  /** `documented`: some are numbers and some are strings, as in the documentation's samples. */
  numbers: "documented" | "strings" | "numbers" = "documented"
  /** `encoded`: texts are given back HTML-encoded, as PHP's `htmlspecialchars` does it, once. */
  texts: Texts
  /** Whether GetCurrencies says which currency is the default. */
  defaultCurrency: "flagged" | "unsaid" = "flagged"
  /** How long an answer is held back, in milliseconds, after the action has been carried out. */
  slowMs = 0
  /** Connections are broken off; nothing is carried out. */
  down = false
  /** `page`: the page of the installer, nothing is carried out. `warning`: a warning of PHP before the JSON. */
  html: "no" | "page" | "warning" = "no"
  /** Answered with 403: this address, these credentials, or actions by name. */
  deny: { address: boolean; credentials: boolean; actions: readonly string[] } = nothingDenied()
  /** `least`: AddOrder takes the minimum of an option instead of the quantity sent (developer-docs, issue 126). */
  orderedQuantity: "sent" | "least" = "sent"
  /** Whether a price override stands for the product only, or for its options and setup fee too: not documented. */
  priceOverride: "product" | "everything" = "product"
  /** How AddOrder says that there is no invoice. */
  noInvoice: "missing" | "empty" | "zero" = "zero"
  /** What comes of an order that costs nothing: no invoice, or one that counts as paid. */
  freeOrders: "no-invoice" | "paid-invoice" = "no-invoice"
  /** The panel behind the module says no, in these words; null: it does as it is told. */
  panelRefuses: string | null = null
  /** WHMCS chooses the server with the order; some modules only when the line is made. */
  serverKnown: "ordered" | "created" = "ordered"
  /** How GetClientsProducts writes that a yes/no option is taken. */
  yesNo: "number" | "word" = "number"
  /** Credit of a client pays new invoices of orders by itself, as far as it goes. */
  usesCredit = false
  /** Whoever signs in has a second factor. */
  twoFactor = false
  /** Older versions write a client's keys at the top of GetClientsDetails' answer too. */
  repeatsClient = false
  /** What OrderFraudCheck finds. */
  fraudStatus = "Pass"
  #lost = new Map<string, number>()
  #held = new Map<string, ReturnType<typeof heldCall>>()

  constructor(texts: Texts = usualTexts) {
    this.texts = texts
  }

  /** The action is carried out, and the connection breaks before the answer: the next so many times. */
  loseAnswer(action: string, times = 1): void {
    this.#lost.set(action.toLowerCase(), times)
  }

  /** The next call of this action waits before it is carried out, until it is told to; its caller may have died. */
  holdNext(action: string): HeldCall {
    const held = heldCall()
    this.#held.set(action.toLowerCase(), held)
    return held
  }

  /** Waits while this call is held; answers what is to be told once it has been carried out. */
  async heldNow(action: string): Promise<() => void> {
    const held = this.#held.get(action.toLowerCase())
    if (!held) return () => {}
    this.#held.delete(action.toLowerCase())
    return held.wait()
  }

  /** Whether this answer is lost; counts as one of the times. */
  losesNow(action: string): boolean {
    const left = this.#lost.get(action.toLowerCase()) ?? 0
    this.#lost.set(action.toLowerCase(), Math.max(0, left - 1))
    return left > 0
  }

  /** A good day again. */
  reset(): void {
    this.#lost.clear()
    Object.assign(this, new Quirks())
  }
}

function nothingDenied() {
  return { address: false, credentials: false, actions: [] }
}
