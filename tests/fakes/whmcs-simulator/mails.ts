import { createTransport } from "nodemailer"
import { clientBy, type Installation } from "./installation"
import { flag } from "./params"
import type { Fields } from "./php-form"
import { nextId } from "./state"

/** WHMCS's own templates that the API's actions send. */
export type Template =
  | "Client Signup Email"
  | "Order Confirmation"
  | "Order Cancelled"
  | "Invoice Created"
  | "Invoice Payment Confirmation"
  | "New Product Information"

/** A message that WHMCS has sent to a client by one of its templates. */
export type Mail = { readonly id: number; readonly to: string; readonly template: Template }

/** Sends a client a message: it is in the mail log, and goes out by SMTP if the installation has a mail server. */
export function sendMail(installation: Installation, clientId: number, template: Template): void {
  const { email: to } = clientBy(installation, String(clientId))
  const { mails } = installation.state
  mails.push({ id: nextId(mails), to, template })
  installation.deliver?.(to, template)
}

/** Sends a message unless the call turns it off by a parameter. */
export function sendUnless(
  installation: Installation,
  params: Fields,
  { off, clientId, template }: { off: string; clientId: number; template: Template },
): void {
  if (!flag(params, off)) sendMail(installation, clientId, template)
}

const SENDER = { name: "WHMCS", address: "whmcs@billing.example" }

/** Delivers messages by SMTP. `settled` resolves when all that were sent have been accepted, and fails if one was not. */
export function deliveryTo(url: string) {
  const transport = createTransport(url)
  const deliveries: Promise<unknown>[] = []
  return {
    deliver(to: string, template: Template): void {
      deliveries.push(transport.sendMail({ from: SENDER, to, subject: template, text: `${template}\n` }))
    },
    settled: () => Promise.all(deliveries),
  }
}
