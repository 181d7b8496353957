import { pino } from "pino"
import { signedQuery } from "~/gateways/offshore/link.server"
import { startSandbox } from "~/sandbox/sandbox.server"
import { OFFSHORE_LINKS, OFFSHORE_SECRET } from "./offshore"

/** Timestamp of the reference test vector, in seconds. */
export const LINKS_BEGIN = 1_767_225_600

type Changes = Record<string, string | undefined>
let invoices = 0

/** Returns the parameters of a payment link in the form of the reference; `undefined` omits one. */
export function linkRequest(changes: Changes = {}): Record<string, string> {
  const parameters = {
    amount: "12.50",
    currency: "EUR",
    invoice: `invoice-${invoices++}`,
    merchant: OFFSHORE_LINKS.merchant,
    return_url: "https://shop.example/waiting",
    ts: String(LINKS_BEGIN),
    ...changes,
  }
  const entries = Object.entries(parameters).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

export function signedLink(changes: Changes = {}, secret = OFFSHORE_LINKS.secret): string {
  return signedQuery(linkRequest(changes), secret)
}

/** Opens the sandbox at the time of the test vector, for one shop that opens payments by links. */
export async function openLinkSandbox() {
  let now = LINKS_BEGIN
  const { origin, close } = await startSandbox({
    port: 0,
    host: "127.0.0.1",
    file: ":memory:",
    callbackSecret: OFFSHORE_SECRET,
    offshoreLinks: { ...OFFSHORE_LINKS, callbackUrl: "https://shop.example/callback" },
    shops: ["https://shop.example"],
    now: () => now * 1_000,
    log: pino({ level: "silent" }),
  })
  return {
    origin,
    close,
    /** Sets the clock, in seconds. */
    setClock(seconds: number) {
      now = seconds
    },
    async visit(link: string) {
      const response = await fetch(`${origin}/offshore/pay?${link}`)
      return { status: response.status, type: response.headers.get("content-type"), text: response.text() }
    },
    async choose(link: string, outcome: string) {
      const body = new URLSearchParams({ outcome })
      const url = `${origin}/offshore/pay?${link}`
      const response = await fetch(url, { method: "POST", body, redirect: "manual" })
      return { status: response.status, location: response.headers.get("location") }
    },
  }
}
