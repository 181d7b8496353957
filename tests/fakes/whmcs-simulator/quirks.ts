import { type HeldCall, heldCall } from "../held-call"
import type { ListShape } from "./responses"

type Texts = "plain" | "encoded"

let usualTexts: Texts = "plain"

/** Sets the text format of installations whose test does not choose one. */
export function setUsualTexts(texts: Texts): void {
  usualTexts = texts
}

type Held = { readonly call: ReturnType<typeof heldCall>; readonly resets: boolean }

/** Deviations of an installation; all can be changed while it runs. */
export class Quirks {
  lists: ListShape = "array"
  /** `documented`: some are numbers and some are strings, as in the documentation's samples. */
  numbers: "documented" | "strings" | "numbers" = "documented"
  /** `encoded`: texts are returned HTML-encoded once, as by PHP's `htmlspecialchars`. */
  texts: Texts
  /** Whether GetCurrencies flags the default currency. */
  defaultCurrency: "flagged" | "unsaid" = "flagged"
  /** Delay of a response in milliseconds, after the action has been processed. */
  slowMs = 0
  /** Connections are closed and nothing is processed. */
  down = false
  /**
   * `page`: the installer's page, nothing is processed. `error`: a page of a failing proxy, with status 502. `warning`: a PHP
   * warning before the JSON.
   */
  html: "no" | "page" | "error" | "warning" = "no"
  /** Responds with 403: to this address, these credentials, or actions by name. */
  deny: { address: boolean; credentials: boolean; actions: readonly string[] } = nothingDenied()
  /** `least`: AddOrder uses the minimum of an option instead of the submitted quantity (developer-docs, issue 126). */
  orderedQuantity: "sent" | "least" = "sent"
  /** Whether a price override replaces the product's price only, or options and setup fee too: not documented. */
  priceOverride: "product" | "everything" = "product"
  /** How AddOrder reports that there is no invoice. */
  noInvoice: "missing" | "empty" | "zero" = "zero"
  /** Result of an order without an amount due: no invoice, or a paid one. */
  freeOrders: "no-invoice" | "paid-invoice" = "no-invoice"
  /** The panel behind the module rejects commands with this message; null: it accepts them. */
  panelRefuses: string | null = null
  /** AcceptOrder with automatic set-up is rejected with this message, as while the module runs; null: accepted. */
  acceptanceRefused: string | null = null
  /** Which AcceptOrder calls `acceptanceRefused` applies to. */
  acceptanceRefusedFor: "set-up" | "every-call" = "set-up"
  /** WHMCS assigns the server with the order; some modules only when the line is created. */
  serverKnown: "ordered" | "created" = "ordered"
  /** How GetClientsProducts writes that a yes/no option is selected. */
  yesNo: "number" | "word" = "number"
  /** A client's credit pays invoices of new orders automatically, up to the amount due. */
  usesCredit = false
  /** What AddInvoicePayment does with a paid invoice: its services are renewed again, or the money becomes credit. */
  paidAgain: "renews" | "credits" = "renews"
  /** UpgradeProduct is rejected with this message; null: accepted. */
  refusesUpgrades: string | null = null
  /** UpgradeProduct names a price, but rejects the order with this message; null: accepted. */
  refusesUpgradeOrders: string | null = null
  /**
   * Tax of further invoices: percent of both levels. `Exclusive`: added to the prices; `calconly` of an upgrade says nothing of
   * it. `Inclusive`: within them (Configuration, Tax Configuration, Tax Type).
   */
  tax: { rates: readonly [number, number]; type: "Exclusive" | "Inclusive" } = {
    rates: [0, 0],
    type: "Exclusive",
  }
  /** What a downgrade is worth becomes the client's credit (General Settings, Credit on Downgrade). */
  creditsDowngrades = true
  /** A payment ends a suspension for non-payment (Automation Settings, Enable Unsuspension). */
  unsuspends = true
  /** Users have two-factor authentication. */
  twoFactor = false
  /** Older versions repeat a client's keys at the top level of GetClientsDetails' response. */
  repeatsClient = false
  /** Emails that AddClient rejects; null: none. */
  bannedEmails: RegExp | null = null
  /** Result of OrderFraudCheck. */
  fraudStatus = "Pass"
  #lost = new Map<string, number>()
  #held = new Map<string, Held>()

  constructor(texts: Texts = usualTexts) {
    this.texts = texts
  }

  /** Processes the next calls of an action and closes the connection before the response, this many times. */
  dropResponse(action: string, times = 1): void {
    this.#lost.set(action.toLowerCase(), times)
  }

  /**
   * Holds the next call of this action until the test releases it; the caller may have disconnected meanwhile. `resets`: the connection
   * is closed as soon as the call has arrived.
   */
  holdNext(action: string, { resets = false } = {}): HeldCall {
    const call = heldCall()
    this.#held.set(action.toLowerCase(), { call, resets })
    return call
  }

  /** Waits while this call is held; returns a function to call when it is processed. */
  async heldNow(action: string, disconnect: () => void): Promise<() => void> {
    const held = this.#held.get(action.toLowerCase())
    if (!held) return () => {}
    this.#held.delete(action.toLowerCase())
    if (held.resets) disconnect()
    return held.call.wait()
  }

  /** Whether this response is dropped; counts as one of the times. */
  losesNow(action: string): boolean {
    const left = this.#lost.get(action.toLowerCase()) ?? 0
    this.#lost.set(action.toLowerCase(), Math.max(0, left - 1))
    return left > 0
  }

  /** Removes all quirks. */
  reset(): void {
    this.#lost.clear()
    Object.assign(this, new Quirks())
  }
}

function nothingDenied() {
  return { address: false, credentials: false, actions: [] }
}
