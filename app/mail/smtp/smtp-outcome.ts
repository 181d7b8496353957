import type { MailOutcome } from "../mailer"

/** Longest reason that is stored; an answer of a mail server may have any length. */
const MAX_REASON = 300

type SmtpError = Error & { code?: string; response?: string; responseCode?: number }

/**
 * Outcome of a failed try. Only an answer to the message itself, or to its addresses, rejects it: a server that refuses
 * the connection, the password or TLS says nothing about the message. `handedOver`: the connection has read the whole
 * message, so without an answer nobody knows whether the server has it.
 */
export function outcomeOfError(error: unknown, { handedOver }: { handedOver: boolean }): MailOutcome {
  const { code, response, responseCode, message } = error as SmtpError
  const reason = withoutAddresses(message)
  if (responseCode === undefined && handedOver) return { kind: "unknown", reason }
  const isAboutMessage = code === "EENVELOPE" || code === "EMESSAGE"
  // Without any answer the library itself has refused the message; an answer without a code is nonsense.
  const isForGood =
    responseCode === undefined
      ? response === undefined
      : responseCode >= 500 && responseCode !== OUT_OF_SEQUENCE
  if (!isAboutMessage || !isForGood) return { kind: "try-later", reason }
  return { kind: "rejected", status: enhancedStatus(response), reason }
}

/** "Bad sequence of commands": about the connection, so the same message may pass on another one. */
const OUT_OF_SEQUENCE = 503

/** Enhanced status code (RFC 3463) of an answer such as "550 5.1.1 No such user". */
function enhancedStatus(response: string | undefined): string | null {
  const [, status] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? "") ?? []
  return status ?? null
}

/**
 * Answers repeat the recipient's address, which belongs neither in the log nor among the reasons. Of control characters PostgreSQL cannot
 * store all: an outcome that is not stored would send the message again.
 */
export function withoutAddresses(text: string): string {
  return text
    .replace(/[^\s<>()"',;:]+/g, (word) => (word.includes("@") ? "…" : word))
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, MAX_REASON)
}
