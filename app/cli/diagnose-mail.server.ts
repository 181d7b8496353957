import { Resolver } from "node:dns/promises"
import type { Diagnostic } from "~/billing/diagnostic"
import { DAY, HOUR, MINUTE, SECOND } from "~/domain/calendar"
import { hasMailServer } from "~/wiring/mail.server"
import type { Call } from "./command"

const SENT_WITHIN = 15 * MINUTE
const ACCEPTED_WITHIN = 3 * HOUR
const DNS_TIMEOUT = 2 * SECOND

/** Checks the mail server, messages that wait, and the sender's SPF, DKIM and DMARC records where DNS answers. */
export async function diagnoseMail({ config, billing, now }: Call): Promise<readonly Diagnostic[]> {
  if (!hasMailServer(config)) {
    return [{ ok: null, check: "mail", message: "none is sent: set SMTP_URL and MAIL_FROM to send messages" }]
  }
  const { oldestUnsent, lastAccepted } = await billing.mails.stats(now, now - DAY)
  const age = oldestUnsent === null ? 0 : now - oldestUnsent
  const isSilent = age >= ACCEPTED_WITHIN && now - (lastAccepted ?? 0) >= ACCEPTED_WITHIN
  const waiting = `oldest unsent message is ${Math.floor(age / MINUTE)} minutes old${isSilent ? ", and none was accepted for 3 hours" : ""}; see "mail list --status waiting"`
  const server = config.SMTP_URL === undefined ? "the sandbox's mailbox" : new URL(config.SMTP_URL).host
  return [
    { ok: null, check: "mail", message: `sent by ${server}` },
    { ok: age < SENT_WITHIN, check: "unsent mail", message: age < SENT_WITHIN ? "none is late" : waiting },
    ...(await senderRecords(config)),
  ]
}

async function senderRecords({
  SMTP_URL,
  MAIL_FROM,
  MAIL_DKIM_SELECTOR,
}: Call["config"]): Promise<Diagnostic[]> {
  if (SMTP_URL === undefined || MAIL_FROM === undefined) return []
  const domain = MAIL_FROM.address.slice(MAIL_FROM.address.lastIndexOf("@") + 1)
  const records = [
    { check: "SPF", name: domain, start: /^v=spf1\b/i },
    { check: "DMARC", name: `_dmarc.${domain}`, start: /^v=DMARC1\b/i },
    ...(MAIL_DKIM_SELECTOR === undefined
      ? []
      : [
          { check: "DKIM", name: `${MAIL_DKIM_SELECTOR}._domainkey.${domain}`, start: /\bp=[A-Za-z0-9+/=]+/ },
        ]),
  ]
  return Promise.all(records.map(lookedUp))
}

/** A missing record is a finding; a resolver that does not answer is none. */
async function lookedUp({
  check,
  name,
  start,
}: {
  check: string
  name: string
  start: RegExp
}): Promise<Diagnostic> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT, tries: 1 })
  const missing = {
    ok: false,
    check,
    message: `no record at ${name}: receivers may treat the shop's mail as spam`,
  }
  try {
    const records = (await resolver.resolveTxt(name)).map((parts) => parts.join(""))
    return records.some((record) => start.test(record))
      ? { ok: true, check, message: `found at ${name}` }
      : missing
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException
    return ["ENOTFOUND", "ENODATA"].includes(code)
      ? missing
      : { ok: null, check, message: `not checked: DNS does not answer (${code})` }
  }
}
