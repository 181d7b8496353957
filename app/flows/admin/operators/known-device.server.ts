import type { ConsoleServices } from "~/context/services.server"
import { DAY } from "~/domain/calendar"
import { normalizeEmail } from "~/domain/customers/email"

/** How long a browser is known after a sign-in. */
export const DEVICE_PERIOD = 180 * DAY

type DeviceServices = Pick<ConsoleServices, "signer" | "now">

/**
 * The token of a browser in which an operator has signed in: at its next sign-in it has tries of its own, which strangers cannot use up.
 * It is no part of the proof: password and code are asked for as before. `id`: of the browser, kept from one sign-in to the next.
 */
export function deviceToken({ signer, now }: DeviceServices, email: string, id: string): string {
  const until = now() + DEVICE_PERIOD
  return `${id}.${until}.${signer.sign(signedText(email, id, until))}`
}

/** The id of a browser in which the operator of this email has signed in; null for any other token. */
export function knownDevice(
  { signer, now }: DeviceServices,
  email: string,
  token: string | null,
): string | null {
  const [id = "", until = "", signature = ""] = (token ?? "").split(".")
  if (!/^\d{1,16}$/.test(until) || Number(until) <= now()) return null
  return signer.verify(signedText(email, id, Number(until)), signature) ? id : null
}

function signedText(email: string, id: string, until: number): string {
  return `console-device ${normalizeEmail(email)} ${id} ${until}`
}
