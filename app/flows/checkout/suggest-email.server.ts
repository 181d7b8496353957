import { closest, distance } from "fastest-levenshtein"

/** Providers that sell addresses in several countries, under the country's own ending. */
const international = ["hotmail", "outlook", "live", "yahoo", "gmx"]

/** Domains of the addresses that most buyers have, in the countries of the shop's languages. */
const domains: readonly string[] = `
  gmail.com googlemail.com icloud.com me.com mac.com aol.com msn.com mail.com proton.me
  protonmail.com fastmail.com hotmail.com outlook.com live.com yahoo.com ymail.com email.com
  zoho.com hey.com pm.me tutanota.com gmx.com gmx.net gmx.de web.de t-online.de freenet.de arcor.de
  posteo.de mailbox.org yahoo.de hotmail.de outlook.de gmx.at gmx.ch bluewin.ch hotmail.es
  outlook.es yahoo.es telefonica.net movistar.es orange.es ziggo.nl kpnmail.nl planet.nl hetnet.nl
  xs4all.nl home.nl upcmail.nl casema.nl chello.nl live.nl hotmail.nl outlook.nl telenet.be
  skynet.be proximus.be sapo.pt netcabo.pt clix.pt iol.pt hotmail.pt outlook.pt live.com.pt
  hotmail.co.uk yahoo.co.uk live.co.uk btinternet.com sky.com virginmedia.com talktalk.net
  ntlworld.com hotmail.fr outlook.fr yahoo.fr orange.fr free.fr laposte.net hotmail.it libero.it
  yahoo.it
`
  .trim()
  .split(/\s+/)

/** From this length on two wrong letters, such as two that changed places, are a mistake rather than another name. */
const LONG = 9
/** Names this short are too close to those of other companies: only a mistake in their ending counts. */
const SHORT = 4

/** The domain of a large provider that a typed one is likely meant to be; null if there is none. Never a reason to refuse. */
export function suggestDomain(typed: string): string | null {
  const domain = typed.trim().toLowerCase()
  if (domains.includes(domain) || isForeignEnding(domain)) return null
  const likely = closest(domain, domains)
  const wrong = distance(domain, likely)
  if (wrong > (likely.length >= LONG ? 2 : 1)) return null
  const [name = ""] = likely.split(".")
  return name.length > SHORT || domain.startsWith(`${name}.`) ? likely : null
}

/** The address with the likely domain; null if the typed one looks right. */
export function suggestEmail(email: string | null): string | null {
  const at = email?.lastIndexOf("@") ?? -1
  const domain = email && at > 0 ? suggestDomain(email.slice(at + 1)) : null
  return domain && `${email?.slice(0, at)}@${domain}`
}

/** `yahoo.be` and `outlook.at` exist. */
function isForeignEnding(domain: string): boolean {
  const [name = "", ...ending] = domain.split(".")
  return international.includes(name) && ending.every((it) => it.length === 2 || it === "com")
}
