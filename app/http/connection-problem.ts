export const INVALID_CERTIFICATE = "invalid certificate"
/** Nothing more is known. */
export const NO_RESPONSE = "no response"

const reasons: Readonly<Record<string, string>> = {
  REFUSED_ADDRESS: "address not allowed",
  ENOTFOUND: "unknown host",
  EAI_AGAIN: "name server does not respond",
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  UND_ERR_SOCKET: "connection closed",
  UND_ERR_CONNECT_TIMEOUT: "no connection",
  ETIMEDOUT: "no connection",
}

/**
 * Why a request got no response, in a few words for the operator. Messages of the library may contain addresses and certificates'
 * names, so they are not quoted.
 */
export function connectionProblem(error: unknown): string {
  if (error instanceof DOMException && error.name === "TimeoutError") return "timeout"
  if (error instanceof DOMException && error.name === "AbortError") return "stopped"
  const code = codeOf(error)
  if (code === null) return NO_RESPONSE
  return reasons[code] ?? (/CERT|SSL|TLS|SELF_SIGNED|ISSUER/.test(code) ? INVALID_CERTIFICATE : NO_RESPONSE)
}

/** Of connections that were open: what has been sent may have arrived. */
const broken: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "UND_ERR_SOCKET"])

/** Whether a request that got no response may have arrived, and be carried out. */
export function mayHaveArrived(error: unknown): boolean {
  return (error instanceof Error && error.name === "TimeoutError") || broken.has(codeOf(error) ?? "")
}

function codeOf(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") return at.code
  }
  return null
}
