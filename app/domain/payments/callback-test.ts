/** What has answered a test callback. */
export type CallbackAnswer = {
  /** Null: there was no response. */
  readonly status: number | null
  /** Whether this program has answered, here or in another instance. */
  readonly isShop: boolean
  /** Where a redirect leads, without its query; null: nowhere. */
  readonly location: string | null
  /** Why there was no response; null: there was one. */
  readonly problem: string | null
  /** The problem is the certificate. */
  readonly isCertificate: boolean
}

/** What a test callback has found. */
export const callbackVerdicts = [
  "accepted",
  "rejected",
  "shop-failed",
  "redirected",
  "refused",
  "another-program",
  "certificate",
  "unreachable",
  "no-callbacks",
] as const
export type CallbackVerdict = (typeof callbackVerdicts)[number]

/** The result of a test callback: `text` for the operator; nothing in it was written by who has answered, but a redirect's address. */
export type CallbackTest = {
  readonly verdict: CallbackVerdict
  readonly status: number | null
  readonly text: string
}

/** The test of a gateway that gets no callbacks. */
export const noCallbacks: CallbackTest = {
  verdict: "no-callbacks",
  status: null,
  text: "The billing system takes the payments of this gateway: it sends no callbacks.",
}

/** Says what an answer means. A shop answers 204 to a callback whose signature is right, whatever it is about. */
export function callbackTestOf(answer: CallbackAnswer): CallbackTest {
  const { status } = answer
  const verdict = verdictOf(answer)
  return { verdict, status, text: texts[verdict](answer) }
}

function verdictOf({ status, isShop, isCertificate }: CallbackAnswer): CallbackVerdict {
  if (status === null) return isCertificate ? "certificate" : "unreachable"
  if (status >= 300 && status < 400) return "redirected"
  return isShop ? shopVerdict(status) : strangerVerdict(status)
}

function strangerVerdict(status: number): CallbackVerdict {
  return status < 300 ? "another-program" : "refused"
}

/** Other programs name their requests too; their success is another one. */
function shopVerdict(status: number): CallbackVerdict {
  if (status < 300) return status === 204 ? "accepted" : "another-program"
  return status === 401 ? "rejected" : "shop-failed"
}

const texts: Readonly<Record<CallbackVerdict, (answer: CallbackAnswer) => string>> = {
  accepted: () => "Reached. The shop has accepted the signature.",
  rejected: () =>
    "Reached, but the shop has rejected the callback (401): an instance with other secrets has answered, or the gateway takes callbacks from the provider's addresses only. The rejected callbacks say why.",
  "shop-failed": ({ status }) =>
    `Reached, but the shop has answered with status ${status}: its log says why. 404: the instance that has answered does not have this gateway.`,
  redirected: ({ status, location }) =>
    `Redirected with status ${status}${location === null ? "" : ` to ${location}`}. Providers do not follow redirects: PUBLIC_URL must be the address that answers.`,
  refused: ({ status }) =>
    `Refused with status ${status}, and not by the shop: a proxy, a firewall or another program has answered. It must let callbacks pass without a password or a check for browsers.`,
  "another-program": ({ status }) =>
    `Status ${status}, but not from the shop: a proxy's page or another program has answered.`,
  certificate: () => "The certificate of the address is not valid: a provider will not send to it.",
  unreachable: ({ problem }) =>
    `Not reachable from the shop itself: ${problem}. Many networks do not lead a server to its own public address; a provider may reach it all the same. Try the address from outside.`,
  "no-callbacks": () => noCallbacks.text,
}
