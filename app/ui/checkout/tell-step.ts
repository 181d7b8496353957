import { BASE } from "~/domain/base-path"
import { COUNTED_STEPS } from "~/domain/forms/hidden-fields"

/** Response of `/api/purchase-step`. */
export type LikelyDomainJson = { readonly domain: string | null }

/** Tells the server of the first choice in an order form. */
export function tellChoice(form: HTMLFormElement, locale: string): void {
  if (!countedIn(form).value.includes("chosen")) void tell(form, { step: "chosen", locale })
}

/** Tells the server that an e-mail was entered, by its domain. Returns the address that it is likely meant to be, or "". */
export async function tellEmail(form: HTMLFormElement, email: string, locale: string): Promise<string> {
  const at = email.lastIndexOf("@") + 1
  if (at < 2) return ""
  const domain = await tell(form, { step: "email", locale, domain: email.slice(at) })
  return domain ? email.slice(0, at) + domain : ""
}

async function tell(form: HTMLFormElement, step: Record<string, string>): Promise<string | null> {
  const body = new URLSearchParams(step)
  const filled = new FormData(form)
  for (const name of ["plan", "gateway", COUNTED_STEPS]) body.set(name, String(filled.get(name)))
  countedIn(form).value += ` ${step.step}`
  try {
    const response = await fetch(`${BASE}/api/purchase-step`, { method: "POST", body, keepalive: true })
    return ((await response.json()) as LikelyDomainJson).domain
  } catch {
    // Offline, or a server of another release: the form works without.
    return null
  }
}

/** The field that names the steps to the form's own request. */
function countedIn(form: HTMLFormElement): HTMLInputElement {
  return form.elements.namedItem(COUNTED_STEPS) as HTMLInputElement
}
