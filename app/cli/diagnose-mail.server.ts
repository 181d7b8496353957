import { Resolver } from "node:dns/promises"
import type { Diagnostic } from "~/billing/diagnostic"
import type { MailStats } from "~/billing/mail-repository"
import { DAY, type Instant, MINUTE, SECOND } from "~/domain/calendar"
import { MAIL_SENT_WITHIN } from "~/domain/operators/alert-periods"
import { hasMailServer } from "~/wiring/mail.server"
import type { Call } from "./command"

const DNS_TIMEOUT = 2 * SECOND

/** Checks the mail server, messages that wait, and the sender's SPF, DKIM and DMARC records where DNS answers. */
export async function diagnoseMail({ config, billing, now }: Call): Promise<readonly Diagnostic[]> {
  if (!hasMailServer(config)) {
    return [{ ok: null, check: "mail", message: "none is sent: set SMTP_URL and MAIL_FROM to send messages" }]
  }
  const server = config.SMTP_URL === undefined ? "the sandbox's mailbox" : new URL(config.SMTP_URL).host
  return [
    { ok: null, check: "mail", message: `sent by ${server}` },
    unsentMail(await billing.mails.stats(now, now - DAY), now),
    ...(await diagnoseSender(config, dnsResolver())),
  ]
}

/** One recipient's server that defers is worth a look; mail that does not go out is a finding. */
function unsentMail({ oldestUnsent, silentSince }: MailStats, now: Instant): Diagnostic {
  const check = "unsent mail"
  const minutesSince = (since: Instant) => `${Math.floor((now - since) / MINUTE)} minutes`
  const list = 'see "mail list --status waiting"'
  if (silentSince !== null && now - silentSince >= MAIL_SENT_WITHIN) {
    const message = `messages wait and none was accepted for ${minutesSince(silentSince)}; ${list}`
    return { ok: false, check, message }
  }
  if (oldestUnsent !== null && now - oldestUnsent >= MAIL_SENT_WITHIN) {
    const message = `mail goes out, but one message has waited for ${minutesSince(oldestUnsent)}; ${list}`
    return { ok: null, check, message }
  }
  return { ok: true, check, message: "none is late" }
}

/** Asks the system's DNS servers, once each. */
export function dnsResolver(): Resolver {
  return new Resolver({ timeout: DNS_TIMEOUT, tries: 1 })
}

type SenderConfig = Pick<
  Call["config"],
  "SMTP_URL" | "MAIL_FROM" | "MAIL_BOUNCE_ADDRESS" | "MAIL_DKIM_SELECTOR"
>

/** Checks the DNS records by which receivers recognise the shop's mail. */
export async function diagnoseSender(config: SenderConfig, resolver: Resolver): Promise<Diagnostic[]> {
  const { SMTP_URL, MAIL_FROM, MAIL_BOUNCE_ADDRESS, MAIL_DKIM_SELECTOR: selector } = config
  if (SMTP_URL === undefined || MAIL_FROM === undefined) return []
  const domain = domainOf(MAIL_FROM.address)
  const records: SenderRecord[] = [
    // Receivers check the domain of the envelope's sender.
    { check: "SPF", names: [domainOf(MAIL_BOUNCE_ADDRESS ?? MAIL_FROM.address)], start: /^v=spf1(?: |$)/i },
    {
      check: "DMARC",
      names: [domain, ...domainsAbove(domain)].map((it) => `_dmarc.${it}`),
      start: /^v=DMARC1\b/i,
    },
  ]
  // Without a selector the mail server signs, if anybody does.
  if (selector !== undefined) {
    records.push({ check: "DKIM", names: [`${selector}._domainkey.${domain}`], start: /\bp=[A-Za-z0-9+/=]+/ })
  }
  return Promise.all(records.map((record) => lookedUp(record, resolver)))
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1)
}

/** The domains above one, without the top-level domain: a DMARC record holds for those below it. */
function domainsAbove(domain: string): string[] {
  const labels = domain.split(".")
  return labels.slice(1, -1).map((_, nth) => labels.slice(nth + 1).join("."))
}

/** `names`: where the record may be; the first that has one decides. */
type SenderRecord = { readonly check: string; readonly names: readonly string[]; readonly start: RegExp }

/** A missing record is a finding; a resolver that does not answer is none. */
async function lookedUp({ check, names, start }: SenderRecord, resolver: Resolver): Promise<Diagnostic> {
  try {
    for (const name of names) {
      const count = (await textsAt(name, resolver)).filter((text) => start.test(text)).length
      if (count === 1) return { ok: true, check, message: `found at ${name}` }
      if (count > 1)
        return { ok: false, check, message: `more than one record at ${name}: receivers use none of them` }
    }
    const message = `no record at ${names[0]}: receivers may treat the shop's mail as spam`
    return { ok: false, check, message }
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException
    return { ok: null, check, message: `not checked: DNS does not answer (${code})` }
  }
}

/** The TXT records of a name, each joined from its strings; none if there is no such name. */
async function textsAt(name: string, resolver: Resolver): Promise<string[]> {
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(""))
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException
    if (code === "ENOTFOUND" || code === "ENODATA") return []
    throw error
  }
}
