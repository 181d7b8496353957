import Negotiator from "negotiator"

/** The languages of an Accept-Language header, the most wanted first; none when there is no such header. */
export function languagesIn(header: string | null | undefined): string[] {
  return header ? new Negotiator({ headers: { "accept-language": header } }).languages() : []
}
