import type { MailOutcome } from "../mailer"

/** Longest reason that is stored; an answer of a mail server may have any length. */
const MAX_REASON = 300

type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number }

/**
 * Outcome of a failed try. Only an answer to the message itself, or to its addresses, rejects it: a server that refuses
 * the connection, the password or TLS says nothing about the message. `handedOver`: the connection has read the whole
 * message, so without an answer nobody knows whether the server has it.
 */
export function outcomeOfError(error: unknown, { handedOver }: { handedOver: boolean }): MailOutcome {
  const { response, responseCode, message } = error as SmtpError
  const reason = withoutAddresses(message)
  if (responseCode === undefined && handedOver) return { kind: "unknown", reason }
  if (!isAboutMessage(error as SmtpError)) return { kind: "try-later", cause: "server", reason }
  if (isForGood(error as SmtpError)) return { kind: "rejected", status: enhancedStatus(response), reason }
  return { kind: "try-later", cause: isOfServer(error as SmtpError) ? "server" : "recipient", reason }
}

const isAboutMessage = ({ code }: SmtpError) => code === "EENVELOPE" || code === "EMESSAGE"

/** Without any answer the library itself has refused the message; an answer without a code is nonsense. */
function isForGood({ response, responseCode }: SmtpError): boolean {
  if (responseCode === undefined) return response === undefined
  return responseCode >= 500 && responseCode !== OUT_OF_SEQUENCE
}

/** Whether another message would be answered the same: the shop's own address is deferred, or the server or connection is at fault. */
function isOfServer({ command, responseCode }: SmtpError): boolean {
  return command === "MAIL FROM" || serverCodes.includes(responseCode ?? 0)
}

/** "Bad sequence of commands": about the connection, so the same message may pass on another one. */
const OUT_OF_SEQUENCE = 503

/** Answers about the server, at whatever command they are given: it is going down, or the connection is confused. */
const serverCodes: readonly number[] = [421, OUT_OF_SEQUENCE]

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
