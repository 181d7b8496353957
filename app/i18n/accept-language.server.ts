import Negotiator from "negotiator"

/** Languages of an Accept-Language header by preference; empty without a header. */
export function acceptedLanguages(header: string | null | undefined): string[] {
  return header ? new Negotiator({ headers: { "accept-language": header } }).languages() : []
}
